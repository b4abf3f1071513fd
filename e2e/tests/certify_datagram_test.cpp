#include <csignal>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

const Arguments spoken = {"--dialect", "ratelimit-udp"};
const std::string example_rules = places::source("docs/example.rules");

class CertifyDatagrams : public EndToEnd {
 protected:
  Server server(Arguments options = {}) const {
    options.insert(options.begin(), spoken.begin(), spoken.end());
    return {"", directory_.string(), {"udp://127.0.0.1:0"}, options};
  }

  Outcome certify(Arguments arguments) {
    arguments.insert(arguments.begin(), "certify");
    arguments.insert(arguments.end(), {"--json", "result.json"});
    auto outcome = hallmark(arguments);
    if (exists("result.json")) {
      EXPECT_EQ(violations("certify.schema.json", "result.json"), "");
      result_ = parsed(read("result.json"));
    }
    return outcome;
  }

  std::string verdict_of(const std::string& id) const {
    for (const auto& one : result_["cases"].items())
      if (one["id"] == id) return one["verdict"].string();
    return "not there";
  }

  Json result_;
};

TEST_F(CertifyDatagrams, TheReferenceServerIsCertified) {
  const Server target = server();
  const auto outcome =
      certify({target.target(), "--rules", example_rules, "--estimator", "exponential"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("CERTIFIED"));
  EXPECT_EQ(result_["header"]["dialect"], "ratelimit-udp");
  EXPECT_EQ(verdict_of("ratelimit-udp/rules/22-0-in-20-leaky-2/climb"), "not there");
  EXPECT_EQ(verdict_of("ratelimit-udp/rules/22-0-in-20-strict-2/climb"), "pass");
}

TEST_F(CertifyDatagrams, WithoutRulesOnlyMessagesAreJudged) {
  const Server target = server();
  const auto outcome = certify({target.target()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  for (const auto& one : result_["cases"].items())
    EXPECT_THAT(one["id"].string(), testing::Not(HasSubstr("/rules/")));
}

TEST_F(CertifyDatagrams, OverIpv6) {
  const Server target("", directory_.string(), {"udp://[::1]:0"}, spoken);
  EXPECT_EQ(certify({target.target()}).exit_code, 0);
}

TEST_F(CertifyDatagrams, EitherProfileIsServedAndCertified) {
  for (const std::string profile : {"literal", "deployed"}) {
    const Server target = server({"--profile", profile});
    const auto outcome = certify({target.target(), "--profile", profile, "--rules", example_rules,
                                  "--estimator", "exponential"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  }
}

struct Turned {
  std::string reading;
  std::string answer;
};

class TurnedReading : public CertifyDatagrams, public testing::WithParamInterface<Turned> {};

TEST_P(TurnedReading, IsFoundOutOrFails) {
  const auto& [reading, answer] = GetParam();
  const Server target = server({"--reading", reading + "=" + answer});
  const auto automatic = certify({target.target()});
  EXPECT_EQ(automatic.exit_code, 0) << automatic.out;
  EXPECT_EQ(verdict_of("ratelimit-udp/readings/" + reading), "pass");
  const auto pinned = certify({target.target(), "--profile", "deployed", "--deadline", "1s"});
  EXPECT_EQ(pinned.exit_code, 1) << pinned.out;
  EXPECT_EQ(verdict_of("ratelimit-udp/readings/" + reading), "fail");
}

const Turned turned[] = {{"stats-field", "over"}, {"udp-id", "number"},     {"udp-key", "word"},
                         {"key-newline", "part"}, {"empty-key", "silence"}, {"long-request", "cut"},
                         {"long-request", "read"}};
INSTANTIATE_TEST_SUITE_P(Readings, TurnedReading, testing::ValuesIn(turned), [](const auto& row) {
  std::string name = row.param.reading + "_" + row.param.answer;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_F(CertifyDatagrams, AKeyAtItsLimitIsHeldToThePin) {
  write("zero.rules", "0/10 strict \"zero *\"\n");
  const Server target = server({"--rules", path("zero.rules"), "--reading", "over-when=above"});
  const Arguments rules = {target.target(), "--rules", "zero.rules", "--estimator", "exponential"};
  EXPECT_EQ(certify(rules).exit_code, 0);
  Arguments pinned = rules;
  pinned.insert(pinned.end(), {"--reading", "over-when=at-limit"});
  const auto outcome = certify(pinned);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(verdict_of("ratelimit-udp/rules/0-0-in-10-strict-1/first-use"), "fail");
}

TEST_F(CertifyDatagrams, OtherRulesThanTheTargetsFail) {
  const Server target = server();
  write("other.rules", "21/20 strict \"ws ip=*\"\n");
  const auto outcome =
      certify({target.target(), "--rules", "other.rules", "--estimator", "exponential"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("the limit is 22/20, expected 21/20 as in line 1 of the rules: "
                        "21/20 strict \"ws ip=*\""));
}

TEST_F(CertifyDatagrams, ThroughALossyPathTheVerdictsAreTheSame) {
  Server target = server();
  Program proxy(command({"proxy", "--listen", "udp://127.0.0.1:0", "--target", target.target(),
                         "--drop", "2%", "--duplicate", "1%", "--reorder", "1%", "--reorder-hold",
                         "20ms", "--seed", "11"}),
                directory_.string());
  ASSERT_TRUE(proxy.wait_for_out_lines(1));
  const std::string line = proxy.out().substr(0, proxy.out().find('\n'));
  const auto outcome = certify(
      {line.substr(line.find("udp://")), "--rules", example_rules, "--estimator", "exponential"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("path: "));
  proxy.send_signal(SIGINT);
  EXPECT_EQ(proxy.wait().exit_code, 0);
}

TEST_F(CertifyDatagrams, ACommandIsStartedAndStopped) {
  const auto outcome = certify({"exec:" + places::program() +
                                    " serve --dialect ratelimit-udp --listen "
                                    "udp://127.0.0.1:{port}",
                                "--dialect", "ratelimit-udp"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST_F(CertifyDatagrams, WhatDoesNotFitIsRefused) {
  const auto refused = [&](const Arguments& arguments, const Arguments& parts) {
    const auto outcome = certify(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err, one_line_with(parts));
  };
  refused({"udp://127.0.0.1:9", "--dialect", "throttr-7.1"}, {"over TCP"});
  refused({"tcp://127.0.0.1:9", "--dialect", "ratelimit-udp"}, {"over UDP"});
  refused({"tcp://127.0.0.1:9", "--rules", example_rules}, {"--rules", "ratelimit-udp"});
  refused({"udp://127.0.0.1:9", "--estimator", "exponential"}, {"--estimator", "--rules"});
  refused({"udp://127.0.0.1:9", "--rules", example_rules, "--estimator", "window"},
          {"window", "exponential"});
  refused({"udp://127.0.0.1:9", "--rules", "none.rules"}, {"none.rules"});
  write("wrong.rules", "22/20 strict \"ws ip=*\"\n22 strict \"x\"\n");
  refused({"udp://127.0.0.1:9", "--rules", "wrong.rules"}, {"wrong.rules:2:"});
}

TEST_F(CertifyDatagrams, NobodyThereIsSaidSo) {
  const auto outcome = certify({"udp://127.0.0.1:9", "--deadline", "1s"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, one_line_with({"cannot reach udp://127.0.0.1:9"}));
}

TEST_F(CertifyDatagrams, CasesAreListedAndChosen) {
  const auto listed = hallmark({"certify", "--list", "--dialect", "ratelimit-udp", "--operation",
                                "ping", "--level", "MUST"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("ratelimit-udp/ping/upper-case "));
  const Server target = server();
  const auto outcome = certify({target.target(), "--filter", "*/ping/id*"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  std::size_t not_asked = 0;
  for (const Json& answer : result_["header"]["answers"].items()) {
    if (answer["reading"] != "stats-field") continue;
    EXPECT_EQ(answer["not_asked"], "no chosen case rests on it");
    ++not_asked;
  }
  EXPECT_EQ(not_asked, 1U);
  EXPECT_EQ(hallmark({"certify", target.target(), "--filter", "nothing"}).exit_code, 2);
}

}  // namespace
}  // namespace hallmark::e2e
