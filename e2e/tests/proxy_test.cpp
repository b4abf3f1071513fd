#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"
#include "e2e/refusal.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string scheme = "udp://127.0.0.1:";

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// A UDP socket of the test: a client of the proxy, or its target.
class Datagrams {
 public:
  Datagrams() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    auto address = loopback(0);
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket_, generic, length) != 0 || ::getsockname(socket_, generic, &length) != 0) {
      throw std::runtime_error("no UDP socket");
    }
    endpoint_ = scheme + std::to_string(ntohs(address.sin_port));
  }
  ~Datagrams() { ::close(socket_); }
  Datagrams(const Datagrams&) = delete;
  Datagrams& operator=(const Datagrams&) = delete;

  const std::string& endpoint() const { return endpoint_; }

  void send(const std::string& bytes, const std::string& to) {
    peer_ = loopback(static_cast<std::uint16_t>(std::stoul(to.substr(scheme.size()))));
    reply(bytes);
  }

  /// Sends to the last peer: the one that `send` named or that `receive` heard from.
  void reply(const std::string& bytes) {
    ::sendto(socket_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&peer_),
             sizeof peer_);
  }

  /// Waits for the next one. Empty when patience is over.
  std::optional<std::string> receive() {
    return read(std::chrono::milliseconds(Program::patience));
  }

  /// All that has come until now.
  std::vector<std::string> received() {
    std::vector<std::string> all;
    while (auto bytes = read(std::chrono::milliseconds(0))) all.push_back(std::move(*bytes));
    return all;
  }

 private:
  std::optional<std::string> read(std::chrono::milliseconds within) {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(within.count())) != 1) return std::nullopt;
    std::string bytes(65'536, '\0');
    socklen_t length = sizeof peer_;
    const ssize_t size = ::recvfrom(socket_, bytes.data(), bytes.size(), 0,
                                    reinterpret_cast<sockaddr*>(&peer_), &length);
    if (size < 0) return std::nullopt;
    bytes.resize(static_cast<std::size_t>(size));
    return bytes;
  }

  int socket_;
  std::string endpoint_;
  sockaddr_in peer_{};
};

class ProxyCommand : public EndToEnd {
 protected:
  /// `hallmark proxy` to `target` with these options, listening.
  Program& start(const std::string& target, const Arguments& options) {
    Arguments arguments = {"proxy", "--target", target};
    arguments.insert(arguments.end(), options.begin(), options.end());
    program_.emplace(command(arguments), directory_.string());
    if (!program_->wait_for_out_lines(1)) throw std::runtime_error(program_->wait().err);
    constexpr std::string_view announcement = "listening on ";
    const std::string line = program_->out().substr(0, program_->out().find('\n'));
    if (!line.starts_with(announcement)) throw std::runtime_error("no announcement: " + line);
    listens_on_ = line.substr(announcement.size());
    return *program_;
  }

  Outcome stop(int signal = SIGTERM) {
    program_->send_signal(signal);
    return program_->wait();
  }

  const std::string& listens_on() const { return listens_on_; }

  /// Sends a hundred requests through a proxy with these options. Returns what arrives.
  std::vector<std::string> arriving(const Arguments& options) {
    Datagrams client, target;
    start(target.endpoint(), options);
    for (int i = 0; i < 100; ++i) client.send(std::to_string(i) + " ping", listens_on_);
    EXPECT_EQ(stop().exit_code, 0);
    return target.received();
  }

 private:
  std::optional<Program> program_;
  std::string listens_on_;
};

TEST_F(ProxyCommand, ForwardsBothWaysAndSaysWhatItDid) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Datagrams client, target;
    start(target.endpoint(), {});
    EXPECT_THAT(listens_on(), testing::MatchesRegex("udp://127\\.0\\.0\\.1:[1-9][0-9]*"));
    client.send("17 ping", listens_on());
    EXPECT_EQ(target.receive(), "17 ping");
    target.reply("17 pong");
    EXPECT_EQ(client.receive(), "17 pong");
    const auto outcome = stop(signal);
    EXPECT_EQ(outcome.exit_code, 0) << signal;
    EXPECT_EQ(outcome.signal, 0) << signal;
    EXPECT_EQ(outcome.err, "") << signal;
    EXPECT_THAT(outcome.out, HasSubstr(listens_on() + " -> " + target.endpoint() + ", seed 1"));
    EXPECT_THAT(outcome.out, testing::ContainsRegex("received +1 +1\n"));
    EXPECT_THAT(outcome.out, testing::ContainsRegex("forwarded +1 +1\n"));
  }
}

std::uint64_t discarded(const Json& counts) {
  std::uint64_t all = 0;
  for (const auto& one : counts["discarded"].items()) all += one.natural();
  return all;
}

TEST_F(ProxyCommand, CountsAreWrittenAndConserveDatagrams) {
  const auto arrived =
      arriving({"--drop", "20%", "--duplicate", "0.2", "--reorder", "10%", "--delay-requests",
                "0ms..1h", "--seed", "7", "--json", "run.json"});
  EXPECT_EQ(violations("../../proxy/schema/proxy.schema.json", "run.json"), "");
  const Json run = parsed(read("run.json"));
  EXPECT_EQ(run["seed"], 7);
  EXPECT_EQ(run["listen"], listens_on());
  EXPECT_EQ(run["faults"]["replies"]["drop"], 0.2);
  EXPECT_EQ(run["faults"]["replies"]["delay_ns"], Json::array({0, 0}));
  const Json& counts = run["counts"]["requests"];
  EXPECT_EQ(counts["received"], 100);
  EXPECT_EQ(counts["forwarded"], arrived.size());
  EXPECT_GT(counts["dropped"], 0);
  EXPECT_GT(counts["duplicated"], 0);
  EXPECT_GT(counts["held"], 0);
  EXPECT_EQ(counts["received"].natural() + counts["duplicated"].natural(),
            counts["forwarded"].natural() + counts["dropped"].natural() + discarded(counts) +
                counts["held"].natural());
}

TEST_F(ProxyCommand, ReorderingNeedsNoRate) {
  arriving({"--reorder", "--seed", "7", "--json", "run.json"});
  EXPECT_EQ(parsed(read("run.json"))["faults"]["requests"]["reorder"], 0.01);
}

TEST_F(ProxyCommand, TheSameSeedDoesTheSame) {
  const Arguments faults = {"--drop",    "20%", "--duplicate", "10%", "--reorder", "20%",
                            "--corrupt", "5%",  "--truncate",  "5%",  "--log"};
  const auto with = [&](const std::string& log, const std::string& seed) {
    Arguments options = faults;
    options.insert(options.end(), {log, "--seed", seed});
    return arriving(options);
  };
  const auto first = with("first.jsonl", "7");
  EXPECT_EQ(first, with("again.jsonl", "7"));
  EXPECT_NE(first, with("other.jsonl", "8"));
  EXPECT_EQ(read("first.jsonl"), read("again.jsonl"));
  EXPECT_NE(read("first.jsonl"), read("other.jsonl"));
}

TEST_F(ProxyCommand, TheLogHasALinePerDatagram) {
  arriving({"--drop", "40%", "--duplicate", "40%", "--corrupt", "50%", "--truncate", "50%",
            "--reorder", "50%", "--log", "log.jsonl"});
  std::istringstream lines(read("log.jsonl"));
  Json log = Json::array();
  for (std::string line; std::getline(lines, line);) log.push_back(parsed(line));
  ASSERT_EQ(log.size(), 100U);
  for (std::size_t i = 0; i < log.size(); ++i) {
    EXPECT_EQ(log[i]["direction"], "request");
    EXPECT_EQ(log[i]["number"], i);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    write("line.json", log[i].dump());
    EXPECT_EQ(violations("../../proxy/schema/decision.schema.json", "line.json"), "") << log[i];
  }
}

TEST_F(ProxyCommand, EachDirectionHasItsFaults) {
  Datagrams client, target;
  start(target.endpoint(), {"--duplicate-replies", "100%"});
  client.send("1 ping", listens_on());
  EXPECT_EQ(target.receive(), "1 ping");
  target.reply("1 pong");
  EXPECT_EQ(client.receive(), "1 pong");
  EXPECT_EQ(client.receive(), "1 pong");
  stop();
  EXPECT_THAT(target.received(), IsEmpty());
  EXPECT_THAT(arriving({"--drop-requests", "1"}), IsEmpty());
  EXPECT_EQ(arriving({"--drop-replies", "1"}).size(), 100U);
}

TEST_F(ProxyCommand, WhatItLosesOfItsOwnIsSaid) {
  Datagrams client, target;
  start(target.endpoint(), {"--delay", "1h", "--max-held", "3"});
  for (int i = 0; i < 10; ++i) client.send("ping", listens_on());
  const auto outcome = stop();
  EXPECT_THAT(outcome.out, testing::ContainsRegex("discarded +7 "));
  EXPECT_THAT(outcome.out, HasSubstr("7 datagrams beyond --max-held"));
}

TEST_F(ProxyCommand, PortInUseIsOneLine) {
  Datagrams somebody, target;
  const auto outcome =
      hallmark({"proxy", "--listen", somebody.endpoint(), "--target", target.endpoint()});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, one_line_with({"cannot listen on", somebody.endpoint()}));
}

TEST_F(ProxyCommand, FilesThatCannotBeWrittenAreNamed) {
  const auto outcome =
      hallmark({"proxy", "--target", "udp://127.0.0.1:9", "--log", "absent/log.jsonl"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, one_line_with({"absent/log.jsonl"}));
  start("udp://127.0.0.1:9", {"--json", "absent/run.json"});
  const auto stopped = stop();
  EXPECT_EQ(stopped.exit_code, 3);
  EXPECT_THAT(stopped.out, HasSubstr("datagrams "));
  EXPECT_THAT(stopped.err, one_line_with({"absent/run.json"}));
}

TEST_F(ProxyCommand, HelpHasExamplesAndEveryFault) {
  const auto outcome = hallmark({"proxy", "--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("  hallmark proxy "));
  for (const char* const fault : {"drop", "duplicate", "reorder", "delay", "corrupt", "truncate"}) {
    for (const char* const direction : {"", "-requests", "-replies"}) {
      EXPECT_THAT(outcome.out, HasSubstr(std::string("--") + fault + direction));
    }
  }
}

class ProxyRefuses : public EndToEnd, public testing::WithParamInterface<Refusal> {};

TEST_P(ProxyRefuses, OneLineThatSaysWhatCameAndWhatIsAllowed) {
  Arguments arguments = {"proxy"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const auto outcome = hallmark(arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("hallmark proxy: "));
  EXPECT_THAT(outcome.err, one_line_with(GetParam().parts));
}

const std::string udp_target = "udp://127.0.0.1:2000";

const Refusal proxy_refusals[] = {
    {"NoTarget", {"--drop", "2%"}, {"--target"}},
    {"TargetOfTcp", {"--target", "tcp://127.0.0.1:1"}, {"tcp://127.0.0.1:1", "udp://HOST:PORT"}},
    {"TargetWithoutPort", {"--target", "udp://127.0.0.1:0"}, {"udp://127.0.0.1:0", "1 to 65535"}},
    {"TargetIsItself",
     {"--target", "udp://127.0.0.1:29471", "--listen", "udp://127.0.0.1:29471"},
     {"udp://127.0.0.1:29471", "itself"}},
    {"TargetUnknown", {"--target", "udp://no such host:1"}, {"udp://no such host:1"}},
    {"Listen",
     {"--target", udp_target, "--listen", "2001"},
     {"--listen", "2001", "udp://HOST:PORT"}},
    {"RateBeyondAll", {"--target", udp_target, "--drop", "2"}, {"--drop", "'2'", "0% to 100%"}},
    {"RateBelowNone",
     {"--target", udp_target, "--duplicate", "-1%"},
     {"--duplicate", "'-1%'", "0%"}},
    {"RateOfOneDirection",
     {"--target", udp_target, "--corrupt-replies", "some"},
     {"--corrupt-replies", "'some'", "0% to 100%"}},
    {"RateEmpty", {"--target", udp_target, "--drop", ""}, {"--drop", "''", "0% to 100%"}},
    {"Delay", {"--target", udp_target, "--delay", "5"}, {"--delay", "'5'", "1ms..5ms"}},
    {"DelayBackwards", {"--target", udp_target, "--delay", "5ms..1ms"}, {"'5ms..1ms'", "1ms..5ms"}},
    {"ReorderHold",
     {"--target", udp_target, "--reorder-hold", "x"},
     {"--reorder-hold", "'x'", "ms"}},
    {"ReorderBy",
     {"--target", udp_target, "--reorder-by", "0"},
     {"--reorder-by", "0", "1 to 1000"}},
    {"Seed", {"--target", udp_target, "--seed", "seven"}, {"--seed", "seven"}},
    {"MaxFlows", {"--target", udp_target, "--max-flows", "0"}, {"--max-flows", "0"}},
    {"UnknownOption",
     {"--target", udp_target, "--loss", "2%"},
     {"'--loss'", "see hallmark proxy --help"}}};

INSTANTIATE_TEST_SUITE_P(Rows, ProxyRefuses, testing::ValuesIn(proxy_refusals),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::e2e
