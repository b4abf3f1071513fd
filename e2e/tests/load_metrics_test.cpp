// Metrics of a load run as others meet them: a gateway that they are pushed to, and a port that
// strangers open.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/descriptor.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr int patience_ms = static_cast<int>(std::chrono::milliseconds(Program::patience).count());

/// Reads until the other side closes, `holds` is true of the text so far, or patience is over.
template <class Holds>
std::string read_until(int socket, Holds holds) {
  std::string text;
  while (!holds(text)) {
    pollfd waiting{socket, POLLIN, 0};
    if (::poll(&waiting, 1, patience_ms) != 1) return text;
    std::array<char, 4096> part{};
    const auto n = ::recv(socket, part.data(), part.size(), 0);
    if (n <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  return text;
}

/// True of an HTTP request with all of its body.
bool is_whole(const std::string& request) {
  const auto head = request.find("\r\n\r\n");
  constexpr std::string_view length = "Content-Length: ";
  const auto at = request.find(length);
  if (head == std::string::npos || at == std::string::npos) return false;
  return request.size() >= head + 4 + std::stoul(request.substr(at + length.size()));
}

/// Takes one HTTP request, and answers it with a status.
class Gateway : public Port {
 public:
  explicit Gateway(std::string status) {
    if (::listen(socket_, 1) != 0) throw std::runtime_error("cannot listen");
    thread_ = std::thread([this, answer = "HTTP/1.1 " + std::move(status) +
                                          "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"] {
      pollfd waiting{socket_, POLLIN, 0};
      if (::poll(&waiting, 1, patience_ms) != 1) return;
      const base::Descriptor client{::accept(socket_, nullptr, nullptr)};
      request_ = read_until(client.get(), is_whole);
      ::send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
    });
  }
  ~Gateway() {
    if (thread_.joinable()) thread_.join();
  }
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  std::string url() const { return "http" + target().substr(std::string_view("tcp").size()); }
  /// The request, once it has been answered.
  std::string request() {
    thread_.join();
    return request_;
  }

 private:
  std::string request_;
  std::thread thread_;
};

class LoadTelling : public EndToEnd {
 protected:
  Arguments load(Arguments more) const {
    Arguments all = {"load", server_.target(), "--width", "u16",      "--keys", "100", "--rate",
                     "500",  "--mix",          "query=1", "--run-id", "night"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Server server_{"u16", directory_.string()};
};

TEST_F(LoadTelling, PutsTheLastMetricsOnAGateway) {
  Gateway gateway("200 OK");
  const auto outcome = hallmark(load({"--duration", "300ms", "--metrics-push", gateway.url()}));
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  const std::string request = gateway.request();
  EXPECT_THAT(request, StartsWith("PUT /metrics/job/hallmark/run/night/rank/0 HTTP/1.1\r\n"));
  const std::string labels =
      R"({dialect="throttr-7.1",rank="0",run="night",target=")" + server_.target() + '"';
  EXPECT_THAT(request, HasSubstr("\nhallmark_load_running" + labels + "} 0\n"));
  EXPECT_THAT(request, HasSubstr("\nhallmark_load_planned_requests_total" + labels +
                                 ",operation=\"query\"} 150\n"));
}

TEST_F(LoadTelling, AGatewayThatRefusesIsAnErrorInOneLine) {
  const Gateway gateway("500 Internal Server Error");
  const auto outcome = hallmark(load({"--duration", "100ms", "--metrics-push", gateway.url()}));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_THAT(outcome.err, one_line_with({"--metrics-push " + gateway.url(), "500"}));
}

TEST_F(LoadTelling, LingersForAsLongAsItIsToldTo) {
  const auto began = std::chrono::steady_clock::now();
  const auto outcome = hallmark(
      load({"--duration", "100ms", "--metrics", "127.0.0.1:0", "--metrics-linger", "700ms"}));
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(800));
}

/// A client of the metrics that has sent `text`; its socket is not open when nobody listens.
base::Descriptor client_that_sent(const std::string& address, const std::string& text) {
  base::Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port =
      htons(static_cast<std::uint16_t>(std::stoul(address.substr(address.find(':') + 1))));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return {};
  ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
  return socket;
}

TEST_F(LoadTelling, ClientsThatNeverFinishTheirRequestKeepNoScrapeWaiting) {
  const std::string address = Port().target().substr(std::string_view("tcp://").size());
  Program program(command(load({"--duration", "60s", "--verbose", "--metrics", address})),
                  directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  std::vector<base::Descriptor> idle;
  for (int i = 0; i < 120; ++i) {
    idle.push_back(client_that_sent(address, i % 2 == 0 ? "" : "GET /metrics HTTP/1.1\r\nHost:"));
    ASSERT_TRUE(idle.back().open()) << i;
  }
  const auto scraper =
      client_that_sent(address, "GET /metrics HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
  const auto told = read_until(scraper.get(), [](const std::string&) { return false; });
  EXPECT_THAT(told, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(told, HasSubstr("hallmark_load_running{"));
  // Each of them is given up without having kept the program.
  for (const base::Descriptor& one : idle)
    EXPECT_EQ(read_until(one.get(), [](const std::string&) { return false; }), "");
  program.send_signal(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 4);
}

}  // namespace
}  // namespace hallmark::e2e
