#include "cli/metrics/metrics_push.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "cli/tests/loopback_http.hpp"

namespace hallmark::cli {
namespace {

using test::metrics_text;
using testing::HasSubstr;
using testing::StartsWith;

/// A gateway that takes one request and answers it.
class Gateway {
 public:
  explicit Gateway(std::string reply) : reply_(std::move(reply)), thread_([this] { serve(); }) {}
  ~Gateway() { static_cast<void>(request()); }

  std::string url() const {
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }
  /// The request that came. Waits until it has been answered.
  const std::string& request() {
    if (thread_.joinable()) thread_.join();
    return request_;
  }

 private:
  void serve() {
    auto socket = acceptor_.accept();
    test::read_until_end(socket, request_, metrics_text);
    test::write(socket, reply_);
  }

  std::string reply_;
  std::string request_;
  test::asio::io_context context_;
  test::tcp::acceptor acceptor_{context_, test::loopback()};
  std::thread thread_;
};

TEST(MetricsPush, PutsTheTextBehindTheGroupingKey) {
  Gateway gateway("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  const auto pushed = push_metrics(push_url(gateway.url(), "night", "2"), metrics_text);
  EXPECT_TRUE(pushed) << pushed.error().message;
  EXPECT_THAT(gateway.request(), StartsWith("PUT /metrics/job/hallmark/run/night/rank/2 HTTP/1.1"));
  EXPECT_THAT(gateway.request(), HasSubstr("Content-Type: text/plain; version=0.0.4"));
}

TEST(MetricsPush, AGatewayThatRefusesIsQuotedInOneLine) {
  Gateway gateway("HTTP/1.1 400 Bad Request\r\nContent-Length: 12\r\n\r\nno\nsuch\nway\n");
  const auto pushed = push_metrics(push_url(gateway.url(), "night", "0"), metrics_text);
  ASSERT_FALSE(pushed);
  EXPECT_THAT(pushed.error().message, HasSubstr("the gateway answered 400: no such way"));
  EXPECT_EQ(pushed.error().message.find('\n'), std::string::npos);
}

TEST(MetricsPush, AGroupingKeyOfTheUserIsKept) {
  EXPECT_EQ(push_url("http://gate:9091/", "night", "0"),
            "http://gate:9091/metrics/job/hallmark/run/night/rank/0");
  EXPECT_EQ(push_url("https://gate/metrics/job/load/team/x", "night", "0"),
            "https://gate/metrics/job/load/team/x");
}

TEST(MetricsPush, AnAddressThatIsNoneIsRefusedInOneLine) {
  for (const std::string url : {"", "gate:9091", "ftp://gate", "http://", "http://gate:99999"}) {
    const auto checked = check_push_url(url);
    ASSERT_FALSE(checked) << url;
    EXPECT_THAT(checked.error().message, StartsWith("--metrics-push " + url + ": "));
    EXPECT_THAT(checked.error().message, HasSubstr("expected http://HOST:PORT"));
  }
  EXPECT_TRUE(check_push_url("http://gate:9091"));
  EXPECT_TRUE(check_push_url("https://[::1]:9091/prefix"));
}

}  // namespace
}  // namespace hallmark::cli
