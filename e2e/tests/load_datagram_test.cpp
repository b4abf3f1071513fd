#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

const Arguments dialect = {"--dialect", "ratelimit-udp"};
constexpr const char* rules = "22/20 strict stats \"ws ip=*\"\n";

/// A target that answers every ping but each tenth, or so many in a second.
class Dropper {
 public:
  explicit Dropper(double most_per_second = 0)
      : most_per_second_(most_per_second),
        socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket_, generic, length) != 0 || ::getsockname(socket_, generic, &length) != 0) {
      throw std::runtime_error("no port");
    }
    target_ = "udp://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::thread([this] { serve(); });
  }
  ~Dropper() {
    stopped_ = true;
    thread_.join();
    ::close(socket_);
  }
  Dropper(const Dropper&) = delete;
  Dropper& operator=(const Dropper&) = delete;
  const std::string& target() const { return target_; }

 private:
  void serve() {
    for (unsigned nth = 0; !stopped_;) {
      pollfd waiting{socket_, POLLIN, 0};
      if (::poll(&waiting, 1, 10) != 1) continue;
      sockaddr_storage from{};
      socklen_t size = sizeof from;
      auto* const generic = reinterpret_cast<sockaddr*>(&from);
      std::array<char, 2048> request{};
      const auto n = ::recvfrom(socket_, request.data(), request.size(), 0, generic, &size);
      if (n <= 0 || is_dropped(++nth)) continue;
      const std::string text(request.data(), static_cast<std::size_t>(n));
      const std::string reply = text.substr(0, text.find(' ')) + " pong";
      ::sendto(socket_, reply.data(), reply.size(), MSG_NOSIGNAL, generic, size);
    }
  }

  /// Without a limit, every tenth request is dropped. With one, a fiftieth of a second's requests
  /// may come at once.
  bool is_dropped(unsigned nth) {
    if (most_per_second_ == 0) return nth % 10 == 0;
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - refilled_;
    refilled_ = now;
    room_ = std::min(room_ + passed.count() * most_per_second_, most_per_second_ / 50);
    if (room_ < 1) return true;
    room_ -= 1;
    return false;
  }

  double most_per_second_;
  double room_ = 0;
  std::chrono::steady_clock::time_point refilled_ = std::chrono::steady_clock::now();
  int socket_;
  std::string target_;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

class LoadDatagram : public EndToEnd {
 protected:
  LoadDatagram() { write("limits.rules", rules); }

  Outcome load(const std::string& target, const Arguments& options) {
    Arguments arguments = {"load", target, "--json", "run.json"};
    arguments.insert(arguments.end(), dialect.begin(), dialect.end());
    arguments.insert(arguments.end(), options.begin(), options.end());
    return hallmark(arguments);
  }
  Json result() { return parsed(read("run.json")); }

  Server server(const Arguments& options = {}) const {
    Arguments all = dialect;
    all.insert(all.end(), options.begin(), options.end());
    return {"", directory_.string(), {"udp://127.0.0.1:0"}, all};
  }
};

TEST_F(LoadDatagram, EveryIdIsReceivedAndTheReportIsValid) {
  const Server target = server();
  const auto outcome =
      load(target.target(), {"--rate", "2k", "--duration", "1s", "--connections", "4", "--timeout",
                             "20s", "--mix", "over_limit=97,get_stats=1,get_size=1,ping=1"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const Json counts = result()["datagram"]["counts"];
  for (const char* name : {"planned", "sent", "received", "datagrams"}) {
    EXPECT_EQ(counts[name], 2000) << name;
  }
  for (const char* name : {"late", "lost", "duplicate", "unmatched", "unreadable", "malformed"}) {
    EXPECT_EQ(counts[name], 0) << name;
  }
  EXPECT_EQ(result()["datagram"]["accounting_error"], "");
  EXPECT_TRUE(result()["corrected"]["quantiles_ns"]["p99_99"].is_number());
}

TEST_F(LoadDatagram, TheLimitsHoldAndTheServerCountsTheSameUses) {
  const Server target = server({"--rules", path("limits.rules")});
  const auto outcome =
      load(target.target(), {"--closed", "--depth", "8", "--connections", "4", "--threads", "2",
                             "--duration", "1s", "--timeout", "20s", "--keys", "50", "--rules",
                             path("limits.rules"), "--reading", "over-when=at-limit"});
  EXPECT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("sent: agrees"));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const Json limits = result()["datagram"]["limits"];
  EXPECT_GT(limits["decided"], 0);
  EXPECT_EQ(limits["findings"], Json::array());
  const Json counted = result()["datagram"]["server"];
  EXPECT_EQ(counted["keys"], 50);
  EXPECT_EQ(counted["n_req"], result()["datagram"]["counts"]["sent"]);
}

TEST_F(LoadDatagram, RulesThatTheTargetDoesNotKeepAreShownWithTheirWindow) {
  const Server target = server({"--rules", path("limits.rules")});
  write("other.rules", "11/20 strict stats \"ws ip=*\"\n");
  const auto outcome =
      load(target.target(), {"--rate", "1k", "--duration", "500ms", "--keys", "5", "--connections",
                             "1", "--timeout", "20s", "--rules", path("other.rules")});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("over-admission of"));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_GT(result()["datagram"]["limits"]["over_admissions"], 0);
  EXPECT_GT(result()["datagram"]["limits"]["wrong_limits"], 0);
}

TEST_F(LoadDatagram, WhatIsDroppedIsLostAndBoundsTheQuantiles) {
  const Dropper target;
  const auto outcome = load(target.target(), {"--rate", "1k", "--duration", "500ms", "--timeout",
                                              "500ms", "--mix", "ping=1"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(">= 500 ms"));
  EXPECT_THAT(outcome.out, HasSubstr("requests have no reply"));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  const Json run = result();
  const auto lost = run["datagram"]["counts"]["lost"].natural();
  EXPECT_GE(lost, 49);
  EXPECT_EQ(run["datagram"]["counts"]["received"].natural() +
                run["datagram"]["counts"]["late"].natural() + lost,
            500);
  EXPECT_EQ(run["corrected"]["quantiles_ns"]["p99_at_least"], true);
  EXPECT_THAT(run["corrected"]["censored"]["reason"].string(), HasSubstr("requests have no reply"));
  const auto again = hallmark({"report", "run.json"});
  EXPECT_EQ(again.out, outcome.out);
  // Those that are lost are waited for in vain, as long as the run itself: that is not a time in
  // which less was achieved.
  EXPECT_GT(run["rate_achieved"].real(), 600);
}

TEST_F(LoadDatagram, ASearchFindsTheRateOfATargetBehindANetworkThatLosesDatagrams) {
  const Dropper target(2'000);
  Program network({places::program(), "proxy", "--listen", "udp://127.0.0.1:0", "--target",
                   target.target(), "--drop-requests", "1%"},
                  directory_.string());
  ASSERT_TRUE(network.wait_for_out_lines(1));
  const std::string announced = network.out();
  const auto begin = announced.find("udp://");
  const auto outcome = load(announced.substr(begin, announced.find('\n') - begin),
                            {"--search", "errors<5%", "--rate", "500", "--duration", "100ms",
                             "--timeout", "100ms", "--confirm", "200ms", "--mix", "ping=1"});
  ASSERT_THAT(outcome.exit_code, answered) << outcome.out << outcome.err;
  EXPECT_EQ(violations("knee.schema.json", "run.json"), "");
  // A busy machine cannot say, or answers fewer.
  if (outcome.exit_code != 0) return;
  EXPECT_GT(result()["rate"].real(), 500) << outcome.err;
  EXPECT_LT(result()["rate"].real(), 3'000) << outcome.err;
}

TEST_F(LoadDatagram, MoreLossesThanAreBorneEndTheRun) {
  const Dropper target;
  const auto outcome =
      load(target.target(), {"--rate", "500", "--duration", "1h", "--timeout", "100ms", "--mix",
                             "ping=1", "--abort-on", "errors>5%"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
  EXPECT_THAT(result()["aborted"].string(), testing::StartsWith("errors>5% in second "));
  EXPECT_GT(result()["counts"]["completed"], 0);
}

TEST_F(LoadDatagram, NobodyThereIsToldWithTheReport) {
  std::string target;
  {
    const Dropper gone;
    target = gone.target();
  }
  const auto outcome = load(target, {"--duration", "1s"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out, HasSubstr(target + ": no reply to ping: Connection refused"));
  EXPECT_EQ(violations("load.schema.json", "run.json"), "");
}

TEST_F(LoadDatagram, InterruptAccountsForWhatThereIs) {
  const Server target = server();
  Arguments arguments = {"load",      target.target(), "--rate", "1k",     "--duration", "60s",
                         "--verbose", "--timeout",     "20s",    "--json", "run.json"};
  arguments.insert(arguments.end(), dialect.begin(), dialect.end());
  Program program(command(arguments), directory_.string());
  ASSERT_TRUE(program.wait_for_err_lines(1));
  program.send_signal(SIGINT);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4) << outcome.out << outcome.err;
  EXPECT_EQ(result()["datagram"]["accounting_error"], "");
  EXPECT_LT(result()["counts"]["planned"], 60'000);
}

struct RefusedLoad {
  std::string name;
  Arguments options;
  std::string message;
};

class LoadDatagramUsage : public LoadDatagram, public testing::WithParamInterface<RefusedLoad> {};

TEST_P(LoadDatagramUsage, IsOneLine) {
  const auto outcome = hallmark(GetParam().options);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "hallmark load: " + GetParam().message + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Rows, LoadDatagramUsage,
    testing::Values(
        RefusedLoad{"DialectOfStreams",
                    {"load", "udp://127.0.0.1:1", "--dialect", "throttr-7.1"},
                    "dialect 'throttr-7.1' is not spoken over udp://; allowed: ratelimit-udp"},
        RefusedLoad{"TargetOfStreams",
                    {"load", "tcp://127.0.0.1:1", "--dialect", "ratelimit-udp"},
                    "target 'tcp://127.0.0.1:1': dialect 'ratelimit-udp' is spoken over "
                    "udp://HOST:PORT"},
        RefusedLoad{"RulesForStreams",
                    {"load", "tcp://127.0.0.1:1", "--rules", "limits.rules"},
                    "--rules is for udp:// targets; 'tcp://127.0.0.1:1' is none"},
        RefusedLoad{
            "NoRules",
            {"load", "udp://127.0.0.1:1", "--dialect", "ratelimit-udp", "--rules", "absent"},
            "cannot read absent: No such file or directory; expected a file of rules"},
        RefusedLoad{
            "Rate",
            {"load", "udp://127.0.0.1:1", "--dialect", "ratelimit-udp", "--rate", "50x"},
            "--rate 50x: '50x' is no rate; allowed: rates from 0 to 100000000 such as 2500, "
            "50k, 1.5M; "
            "FROM..TO for a ramp; with @LENGTH several, with commas between them"},
        RefusedLoad{
            "Pattern",
            {"load", "udp://127.0.0.1:1", "--dialect", "ratelimit-udp", "--key-pattern", "{}{}"},
            "key pattern '{}{}'; allowed: {} once"},
        RefusedLoad{
            "Mix",
            {"load", "udp://127.0.0.1:1", "--dialect", "ratelimit-udp", "--mix", "query=1"},
            "mix: unknown operation 'query'; allowed: over_limit, get_stats, get_size, ping"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace hallmark::e2e
