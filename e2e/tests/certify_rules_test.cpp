#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

/// Rules of ratelimit-udp, tested against the reference server with rules of its own.
namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CertifyRules : public EndToEnd {
 protected:
  Server server(const std::string& rules) const {
    write("served.rules", rules);
    return {"",
            directory_.string(),
            {"udp://127.0.0.1:0"},
            {"--dialect", "ratelimit-udp", "--rules", path("served.rules")}};
  }

  Outcome certify(const std::string& target, const std::string& rules, Arguments more = {}) {
    write("told.rules", rules);
    Arguments arguments = {"certify",     target,     "--rules",   "told.rules", "--estimator",
                           "exponential", "--filter", "*/rules/*", "--json",     "result.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    auto outcome = hallmark(arguments);
    EXPECT_EQ(violations("certify.schema.json", "result.json"), "");
    result_ = parsed(read("result.json"));
    return outcome;
  }

  std::size_t with_verdict(const std::string& verdict) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        result_["cases"].items(), [&](const Json& one) { return one["verdict"] == verdict; }));
  }

  /// "LINE PART: REASON" of each rule that was not tested.
  std::vector<std::string> untested() const {
    std::vector<std::string> all;
    const Json* const rules = result_.find("untested_rules");
    if (rules == nullptr) return all;
    for (const Json& one : rules->items())
      all.push_back(std::to_string(one["line"].natural()) + " " + one["part"].string() + ": " +
                    one["reason"].string());
    return all;
  }

  Json result_;
};

TEST_F(CertifyRules, KeysAreAddressesWhereTheServerTakesNothingElse) {
  const Server target = server("5/10 strict stats \"ws ip=24?.*.*.*\"\n");
  const auto outcome = certify(target.target(), "5/10 strict stats \"ws ip=*\"\n");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(untested(), IsEmpty());
  EXPECT_EQ(with_verdict("skipped"), 0U);
}

TEST_F(CertifyRules, KeyPatternNamesTheKeysThatTheServerTakes) {
  const Server target = server("5/10 strict \"user id-*\"\n");
  const std::string told = "5/10 strict \"user *\"\n";
  const auto guessed = certify(target.target(), told);
  EXPECT_EQ(guessed.exit_code, 1);
  EXPECT_THAT(guessed.out, HasSubstr("the limit is 1/1, expected 5/10"));
  EXPECT_THAT(guessed.out, HasSubstr("--key-pattern names keys"));
  const auto named = certify(target.target(), told, {"--key-pattern", "user id-{}"});
  EXPECT_EQ(named.exit_code, 0) << named.out << named.err;
  EXPECT_EQ(with_verdict("fail"), 0U);
}

TEST_F(CertifyRules, ACertificateKeepsTheKeyPattern) {
  const Server target = server("5/10 strict \"user id-*\"\n");
  write("told.rules", "5/10 strict \"user *\"\n");
  EXPECT_EQ(hallmark({"certify", target.target(), "--rules", "told.rules", "--key-pattern",
                      "user id-{}", "--certificate", "run"})
                .exit_code,
            0);
  const auto verified = hallmark({"verify", "run"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
}

TEST_F(CertifyRules, OfOneKeyAreTestedIfNobodyElseUsesTheTarget) {
  const std::string rules =
      "0.5/10 strict stats \"some-key\"\n"
      "9/10 leaky stats \"ws ua=*\" as \"ws agents\"\n"
      "5/10 strict \"shard ?\"\n"
      "4/10 strict \"ws ip=10.*\"\n";
  const Server target = server(rules);
  const auto shared = certify(target.target(), rules);
  EXPECT_EQ(shared.exit_code, 0) << shared.out << shared.err;
  EXPECT_THAT(untested(),
              testing::ElementsAre(
                  "1 rule: it has one key, which real users share; --exclusive tests it",
                  "2 rule: its uses are counted under \"ws agents\", which real users share; "
                  "--exclusive tests it",
                  "3 rule: it has few keys, which real users share; --exclusive tests it",
                  "4 rule: its addresses may be those of real users; --exclusive tests it"));
  EXPECT_THAT(shared.out, HasSubstr("not tested: line 1, 0.5/10 strict stats \"some-key\"\n"
                                    "      it has one key, which real users share; --exclusive "
                                    "tests it\n"));
  EXPECT_EQ(with_verdict("pass"), 3U) << "two pings, and the key that no rule is for";
  for (int run = 0; run < 2; ++run) {
    const auto alone = certify(target.target(), rules, {"--exclusive"});
    EXPECT_EQ(alone.exit_code, 0) << alone.out << alone.err;
    EXPECT_THAT(untested(), IsEmpty());
    EXPECT_EQ(with_verdict("skipped"), 0U);
  }
}

TEST_F(CertifyRules, OfOneKeyAreFoundWrong) {
  const Server target = server("7/10 strict \"ws global\"\n9/10 strict \"ws ua=*\"\n");
  const auto outcome =
      certify(target.target(), "8/10 strict \"ws global\"\n9/10 strict \"ws ua=*\" as \"agents\"\n",
              {"--exclusive"});
  EXPECT_EQ(outcome.exit_code, 1);
  std::vector<std::string> failed;
  for (const Json& one : result_["cases"].items())
    if (one["verdict"] == "fail") failed.push_back(one["id"].string());
  EXPECT_THAT(failed, testing::Contains("ratelimit-udp/rules/8-0-in-10-strict-1/use"));
  EXPECT_THAT(failed, testing::Contains("ratelimit-udp/rules/9-0-in-10-strict-2/together"));
}

TEST_F(CertifyRules, AStartedTargetHasNoOtherUsers) {
  write("served.rules", "3/10 strict \"ws global\"\n");
  const auto outcome =
      certify("exec:" + places::program() + " serve --dialect ratelimit-udp --rules " +
                  path("served.rules") + " --listen udp://127.0.0.1:{port}",
              "3/10 strict \"ws global\"\n", {"--dialect", "ratelimit-udp"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(untested(), IsEmpty());
}

TEST_F(CertifyRules, ALimitThatNoCaseReachesIsNamed) {
  const std::string rules = "501/10 strict \"ws ip=*\"\n";
  const Server target = server(rules);
  EXPECT_EQ(certify(target.target(), rules).exit_code, 0);
  EXPECT_THAT(untested(), testing::ElementsAre("1 limit: a case makes at most 500 uses in a row"));
}

TEST_F(CertifyRules, RatesWithoutAnEstimatorAreNamed) {
  const Server target = server("5/10 strict \"ws ip=*\"\n");
  write("told.rules", "5/10 strict \"ws ip=*\"\n");
  const auto outcome = hallmark({"certify", target.target(), "--rules", "told.rules"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("rates are not judged: --estimator says how the target"));
}

struct Odd {
  const char* name;
  std::string rules;
};

void PrintTo(const Odd& odd, std::ostream* out) { *out << odd.name; }

class OddRules : public CertifyRules, public testing::WithParamInterface<Odd> {};

TEST_P(OddRules, AreTestedAndFoundRight) {
  const Server target = server(GetParam().rules);
  const auto outcome = certify(target.target(), GetParam().rules, {"--exclusive"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(untested(), IsEmpty());
  EXPECT_EQ(with_verdict("skipped"), 0U) << outcome.out;
}

std::string many_stars() {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "k*";
  return "3/2 strict stats \"" + pattern + "\"\n";
}

const Odd odd[] = {
    {"SeveralStars", "3/2 strict stats \"* ip=* ua=*\"\n"},
    {"StarsBesideLiteralsOfKeys", R"(3/2 strict stats "*:*" as "\2")"},
    {"ManyStars", many_stars()},
    {"Octets", R"(3/2 leaky stats "net *.*.*.*" as "net \1.\2")"},
    {"Ipv6", "3/2 strict stats \"ws ip6=*\"\n"},
    {"BytesThatAreNotText", R"(3/2 strict stats "\x00\xff *")"},
    {"QuestionMarks", "3/2 strict stats \"a?b* \\?\\*\"\n"},
    {"TheFirstMatchDecides",
     "2/2 strict \"ws ip=*1*\"\n3/2 leaky \"ws ip=*7*\"\n4/2 strict stats \"ws ip=*\"\n"},
    {"AShadowOfLetters", "2/2 strict \"*a*\"\n3/2 strict \"*b*\"\n"},
    {"SeveralRulesForOneKey",
     "2/2 strict stats \"a *\" as \"k\"\n2/2 strict stats \"b *\" as \"k\"\n"},
    {"NoUseAllowed", "0/5 strict \"never *\"\n"},
    {"ALongPeriod", "0.5/2147483647 leaky stats \"rare *\"\n"}};

INSTANTIATE_TEST_SUITE_P(Rows, OddRules, testing::ValuesIn(odd),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(CertifyRules, EveryKeyMayHaveARule) {
  const Server target = server("3/2 strict \"*\"\n");
  const auto outcome = certify(target.target(), "3/2 strict \"*\"\n");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(with_verdict("skipped"), 1U) << "no key is without a rule";
}

TEST_F(CertifyRules, ARuleWhoseKeysAreTakenIsNamed) {
  const std::string rules = "2/2 strict \"ws ip=24*\"\n3/2 strict \"ws ip=*\"\n";
  const Server target = server(rules);
  certify(target.target(), rules, {"--exclusive"});
  EXPECT_THAT(untested(), testing::ElementsAre(testing::AllOf(
                              HasSubstr("2 rule: line 1 takes the keys that were made for it"),
                              HasSubstr("--key-pattern names others"))));
  certify(target.target(), rules, {"--exclusive", "--key-pattern", "ws ip=10.99.{octet}.{octet}"});
  EXPECT_THAT(untested(), IsEmpty());
}

TEST_F(CertifyRules, KeyPatternsThatDoNotFitAreRefused) {
  write("told.rules", "5/10 strict \"user *\"\n6/10 strict \"ws ip=*\"\n");
  const auto refused = [&](const Arguments& options, const Arguments& parts) {
    Arguments arguments = {"certify", "udp://127.0.0.1:9"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto outcome = hallmark(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, one_line_with(parts));
  };
  refused({"--key-pattern", "user {}"}, {"--key-pattern without --rules"});
  const auto with = [](const std::string& pattern) {
    return Arguments{"--rules", "told.rules", "--key-pattern", pattern};
  };
  refused(with("guest {}"), {"guest {}", "which no rule is for"});
  refused(with("user {port}"), {"{port}", "allowed: {} for digits"});
  Arguments twice = with("user {}");
  twice.insert(twice.end(), {"--key-pattern", "user 1{}"});
  refused(twice, {"user 1{}", "one for each rule"});
}

}  // namespace
}  // namespace hallmark::e2e
