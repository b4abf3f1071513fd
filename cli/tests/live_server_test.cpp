#include "cli/live/live_server.hpp"

#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <mutex>
#include <vector>

namespace hallmark::cli {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A run of which everything that was said is told: events are the numbers of what is new.
class SaidSoFar final : public LiveSource {
 public:
  void say(const std::string& word) {
    const std::scoped_lock lock{mutex_};
    said_.push_back(word);
  }

  std::optional<std::string> news(LivePosition& seen) override {
    const std::scoped_lock lock{mutex_};
    if (seen.entries == said_.size()) return std::nullopt;
    std::string event;
    for (std::size_t i = seen.entries; i < said_.size(); ++i) event += said_[i] + ";";
    seen = {0, said_.size(), said_.size()};
    return event;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> said_;
};

class LiveServing : public testing::Test {
 protected:
  tcp::socket sent(const std::string& request_line,
                   const std::string& fields = "Host: localhost\r\n") {
    tcp::socket socket(context_);
    socket.connect({asio::ip::address_v4::loopback(), server_->port()});
    asio::write(socket, asio::buffer(request_line + " HTTP/1.1\r\n" + fields + "\r\n"));
    return socket;
  }

  std::string rest_of(tcp::socket& socket) {
    std::string text;
    boost::system::error_code end;
    asio::read(socket, asio::dynamic_buffer(text), end);
    return text;
  }

  std::string reply_to(const std::string& request_line,
                       const std::string& fields = "Host: localhost\r\n") {
    tcp::socket socket = sent(request_line, fields);
    return rest_of(socket);
  }

  /// Everything that comes up to that text.
  std::string until(tcp::socket& socket, const std::string& text) {
    std::string read;
    asio::read_until(socket, asio::dynamic_buffer(read), text);
    return read;
  }

  asio::io_context context_;
  SaidSoFar run_;
  std::unique_ptr<LiveServer> server_ = LiveServer::listen("127.0.0.1:0", "<page>", run_).value();
};

TEST_F(LiveServing, ServesItsPage) {
  EXPECT_THAT(reply_to("GET /"), AllOf(StartsWith("HTTP/1.1 200 OK"), HasSubstr("\r\n\r\n<page>"),
                                       HasSubstr("frame-ancestors 'none'")));
  EXPECT_THAT(reply_to("HEAD /"), Not(HasSubstr("<page>")));
}

TEST_F(LiveServing, RefusesOtherPathsMethodsAndOrigins) {
  EXPECT_THAT(reply_to("GET /metrics"), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(reply_to("POST /"), StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(reply_to("GET /events", "Host: localhost\r\nOrigin: https://evil.example\r\n"),
              StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(reply_to("GET /", "Host: evil.example\r\n"), StartsWith("HTTP/1.1 403"));
}

TEST_F(LiveServing, TellsEachReaderWhatIsNewToIt) {
  run_.say("one");
  tcp::socket first = sent("GET /events");
  EXPECT_THAT(until(first, "\n\n"), HasSubstr("event: news\ndata: one;\n\n"));
  run_.say("two");
  tcp::socket second = sent("GET /events");
  EXPECT_THAT(until(second, "two;\n\n"), HasSubstr("data: one;"));
  EXPECT_THAT(until(first, "two;\n\n"), Not(HasSubstr("one;")));
}

TEST_F(LiveServing, EndsWithTheLastEvent) {
  run_.say("one");
  tcp::socket reader = sent("GET /events");
  until(reader, "one;\n\n");
  server_->finish("all");
  EXPECT_EQ(rest_of(reader), "event: final\ndata: all\n\n");
}

TEST_F(LiveServing, ReadersThatVanishKeepNobodyWaiting) {
  run_.say("one");
  {
    tcp::socket vanishing = sent("GET /events");
    until(vanishing, "one;\n\n");
    vanishing.set_option(asio::socket_base::linger(true, 0));
  }
  tcp::socket reader = sent("GET /events");
  until(reader, "one;\n\n");
  server_->finish("all");
  EXPECT_THAT(rest_of(reader), HasSubstr("data: all\n\n"));
}

TEST_F(LiveServing, ReadersThatDoNotReadKeepNobodyWaiting) {
  constexpr std::size_t much = 64 << 20;  // no socket takes that
  run_.say(std::string(much, 'x'));
  tcp::socket deaf = sent("GET /events");
  EXPECT_THAT(until(deaf, "\r\n\r\n"), StartsWith("HTTP/1.1 200"));
  tcp::socket reader = sent("GET /events");
  std::string text(much, '\0');
  asio::read(reader, asio::buffer(text));
  until(reader, ";\n\n");
  EXPECT_THAT(reply_to("GET /"), HasSubstr("<page>"));
  deaf.close();
  server_->finish("all");
  EXPECT_THAT(rest_of(reader), HasSubstr("data: all\n\n"));
}

TEST_F(LiveServing, RefusesMoreReadersThanItServes) {
  std::vector<tcp::socket> readers;
  run_.say("one");
  for (int i = 0; i < 32; ++i) {
    readers.push_back(sent("GET /events"));
    until(readers.back(), "one;\n\n");
  }
  EXPECT_THAT(reply_to("GET /events"), StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(reply_to("GET /"), HasSubstr("<page>"));
}

TEST_F(LiveServing, AnAddressThatIsTakenIsRefusedInOneLine) {
  const std::string taken = "127.0.0.1:" + std::to_string(server_->port());
  const auto server = LiveServer::listen(taken, "", run_);
  ASSERT_FALSE(server);
  EXPECT_THAT(server.error().message,
              AllOf(StartsWith("--live " + taken + ": "), HasSubstr("expected HOST:PORT")));
}

}  // namespace
}  // namespace hallmark::cli
