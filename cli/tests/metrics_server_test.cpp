#include "cli/metrics/metrics_server.hpp"

#include <gmock/gmock.h>

#include <boost/asio/read_until.hpp>
#include <vector>

#include "cli/tests/loopback_http.hpp"

namespace hallmark::cli {
namespace {

namespace asio = boost::asio;
using test::metrics_text;
using test::tcp;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class MetricsServing : public testing::Test {
 protected:
  tcp::socket connected() {
    tcp::socket socket(context_);
    socket.connect(test::loopback(server_->port()));
    return socket;
  }

  tcp::socket sent(std::string_view request) {
    tcp::socket socket = connected();
    test::write(socket, request);
    return socket;
  }

  /// The reply to a request after which the connection is closed.
  std::string reply_to(const std::string& request_line) {
    tcp::socket socket = sent(request_line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    return test::read_all(socket);
  }

  asio::io_context context_;
  std::unique_ptr<MetricsServer> server_ =
      MetricsServer::listen("127.0.0.1:0", [] { return std::string(metrics_text); }).value();
};

TEST_F(MetricsServing, TellsTheMetrics) {
  EXPECT_THAT(reply_to("GET /metrics"),
              AllOf(StartsWith("HTTP/1.1 200 OK"), HasSubstr("text/plain; version=0.0.4"),
                    HasSubstr("\r\n\r\nrequests 7\n")));
  EXPECT_THAT(reply_to("GET /metrics?x=1"), HasSubstr("requests 7\n"));
  EXPECT_THAT(reply_to("HEAD /metrics"),
              AllOf(HasSubstr("Content-Length: 11"), testing::Not(HasSubstr("requests"))));
}

TEST_F(MetricsServing, RefusesOtherPathsAndMethods) {
  EXPECT_THAT(reply_to("GET /"), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(reply_to("POST /metrics"), StartsWith("HTTP/1.1 405"));
}

TEST_F(MetricsServing, OneConnectionMayAskSeveralTimes) {
  tcp::socket socket = connected();
  std::string replies;
  for (int i = 0; i < 3; ++i) {
    test::write(socket, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    const std::size_t end = asio::read_until(socket, asio::dynamic_buffer(replies), metrics_text);
    replies.erase(0, end);
  }
  EXPECT_EQ(replies, "");
}

TEST_F(MetricsServing, ClientsThatNeverFinishTheirRequestKeepNobodyWaiting) {
  std::vector<tcp::socket> unfinished;
  for (int i = 0; i < 120; ++i) unfinished.push_back(sent("GET /metrics HTTP/1.1\r\nHost:"));
  EXPECT_THAT(reply_to("GET /metrics"), HasSubstr("requests 7\n"));
  for (tcp::socket& socket : unfinished) EXPECT_EQ(socket.available(), 0U);  // none was answered
}

TEST_F(MetricsServing, AnAddressThatIsNoneOrTakenIsRefusedInOneLine) {
  const auto refusal = [](const std::string& address) {
    const auto server = MetricsServer::listen(address, [] { return std::string(); });
    return server ? std::string() : server.error().message;
  };
  const std::string taken = "127.0.0.1:" + std::to_string(server_->port());
  for (const std::string& address :
       {std::string("x"), std::string("256.0.0.1:1"), std::string("127.0.0.1:99999"), taken}) {
    EXPECT_THAT(refusal(address),
                AllOf(StartsWith("--metrics " + address + ": "), HasSubstr("expected HOST:PORT")));
    EXPECT_EQ(refusal(address).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace hallmark::cli
