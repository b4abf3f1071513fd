#include <csignal>
#include <optional>
#include <stdexcept>

#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

class ObserveCommand : public EndToEnd {
 protected:
  /// `hallmark observe` to `target` with these options, listening.
  void start(const std::string& target, const Arguments& options) {
    Arguments arguments = {"observe", "--target", target, "--json", "seen.json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    program_.emplace(command(arguments), directory_.string());
    if (!program_->wait_for_out_lines(1)) throw std::runtime_error(program_->wait().err);
    constexpr std::string_view announcement = "listening on ";
    const std::string line = program_->out().substr(0, program_->out().find('\n'));
    if (!line.starts_with(announcement)) throw std::runtime_error("no announcement: " + line);
    listens_on_ = line.substr(announcement.size());
  }

  Outcome stop(int signal = SIGINT) {
    program_->send_signal(signal);
    return program_->wait();
  }

  Json seen() const {
    EXPECT_EQ(violations("observe.schema.json", "seen.json"), "");
    return parsed(read("seen.json"));
  }

  /// A short load, which leaves nothing wrong on the way.
  void load(const Arguments& options) const {
    Arguments arguments = {"load", listens_on_, "--rate", "300", "--duration", "1s"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_THAT(hallmark(arguments).exit_code, answered);
  }

  const std::string& listens_on() const { return listens_on_; }

 private:
  std::optional<Program> program_;
  std::string listens_on_;
};

TEST_F(ObserveCommand, ALoadOverTcpShowsNoViolation) {
  Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"}, {"--dialect", "throttr-7.3"});
  start(server.target(), {"--pcap", "seen.pcapng"});
  load({"--dialect", "throttr-7.3", "--width", "u16"});
  const auto outcome = stop();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("no violation"));
  const Json report = seen();
  EXPECT_GT(report["messages"]["replies"].natural(), 0U);
  EXPECT_EQ(report["not_looked_at"]["bytes"], 0);
  // The file that was written is a capture, and its decoding counts the same replies.
  const auto decoded =
      hallmark({"decode", "seen.pcapng", "--dialect", "throttr-7.3", "--width", "u16", "--json"});
  EXPECT_EQ(parsed(decoded.out)["summary"]["replies"], report["messages"]["replies"]);
}

TEST_F(ObserveCommand, ALoadOverUdpShowsNoViolation) {
  Server server("", directory_.string(), {"udp://127.0.0.1:0"}, {"--dialect", "ratelimit-udp"});
  start(server.target(), {"--pcap", "seen.pcapng"});
  load({});
  const auto outcome = stop(SIGTERM);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_GT(seen()["messages"]["replies"].natural(), 0U);
}

TEST_F(ObserveCommand, AnotherWidthIsNamedAsItOccurs) {
  Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"}, {"--dialect", "throttr-7.3"});
  start(server.target(), {"--dialect", "throttr-7.3", "--width", "u64"});
  load({"--dialect", "throttr-7.3", "--width", "u16"});
  const auto outcome = stop();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  const Json report = seen();
  EXPECT_GT(report["violation_count"].natural(), 0U);
  EXPECT_EQ(report["exit_code"], 1);
}

struct ObserveRefusal {
  const char* name;
  Arguments arguments;
  int exit_code;
  Arguments parts;
};

void PrintTo(const ObserveRefusal& refusal, std::ostream* out) { *out << refusal.name; }

class RefusedByObserve : public EndToEnd, public testing::WithParamInterface<ObserveRefusal> {};

TEST_P(RefusedByObserve, InOneLine) {
  Arguments arguments = {"observe"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const auto outcome = hallmark(arguments);
  EXPECT_EQ(outcome.exit_code, GetParam().exit_code);
  EXPECT_THAT(outcome.err, one_line_with(GetParam().parts));
}

INSTANTIATE_TEST_SUITE_P(
    Observe, RefusedByObserve,
    testing::Values(
        ObserveRefusal{"unreachable",
                       {"--target", "tcp://127.0.0.1:1"},
                       3,
                       {"cannot reach tcp://127.0.0.1:1", "Connection refused"}},
        ObserveRefusal{"not_an_address",
                       {"--listen", "tcp://192.0.2.1:9", "--target", "tcp://127.0.0.1:1"},
                       2,
                       {"cannot listen on tcp://192.0.2.1:9"}},
        ObserveRefusal{"unwritable",
                       {"--target", "tcp://127.0.0.1:1", "--pcap", "missing/seen.pcapng"},
                       3,
                       {"missing/seen.pcapng"}},
        ObserveRefusal{"unknown_dialect",
                       {"--target", "tcp://127.0.0.1:1", "--dialect", "throttr-9"},
                       2,
                       {"throttr-9"}},
        ObserveRefusal{"other_transport",
                       {"--listen", "udp://127.0.0.1:0", "--target", "tcp://127.0.0.1:1"},
                       2,
                       {"--listen udp://127.0.0.1:0", "tcp://HOST:PORT"}},
        ObserveRefusal{"at_rest",
                       {"--target", "tcp://127.0.0.1:1", "--dialect", "ratelimit-state"},
                       2,
                       {"--dialect ratelimit-state: its states are not sent over a network; "
                        "allowed: throttr-2.0"}}),
    [](const auto& one) { return one.param.name; });

class PcapOption : public EndToEnd {};

TEST_F(PcapOption, CertifyWritesItsTranscriptsAsACapture) {
  Server server("u16", directory_.string());
  const auto certified = hallmark({"certify", server.target(), "--dialect", "throttr-7.1",
                                   "--width", "u16", "--filter", "*/insert/typical", "--pcap",
                                   "run.pcapng", "--certificate", "run.certificate"});
  EXPECT_EQ(certified.exit_code, 0) << certified.out << certified.err;
  EXPECT_THAT(read("run.pcapng"), HasSubstr("case throttr-7.1/u16/insert/typical: pass"));
  const auto verified = hallmark({"verify", "run.certificate", "--pcap", "again.pcapng"});
  EXPECT_EQ(verified.err, "");
  EXPECT_EQ(read("run.pcapng"), read("again.pcapng"));
}

TEST_F(PcapOption, ACaptureShowsTheFieldThatFailed) {
  Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"}, {"--mutant", "query.consumes"});
  hallmark({"certify", server.target(), "--dialect", "throttr-7.1", "--width", "u16", "--filter",
            "*/query/*", "--pcap", "run.pcapng"});
  EXPECT_THAT(read("run.pcapng"), HasSubstr("field "));
}

}  // namespace
}  // namespace hallmark::e2e
