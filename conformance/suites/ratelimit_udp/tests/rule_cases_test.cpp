#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/drivers/datagram/datagram_certify.hpp"
#include "conformance/drivers/datagram/tests/fake_limiter.hpp"
#include "conformance/suites/ratelimit_udp/rule_subject.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance {
namespace {

using protocol::ratelimit::Rules;
using reports::CaseResult;
using reports::CertifyResult;
using reports::Verdict;
using ::testing::ElementsAre;
using testing::FakeLimiter;
using testing::Flaw;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* prefix = "ratelimit-udp";

CertifyResult certified(const Rules& rules, Flaw flaw, bool exclusive) {
  FakeLimiter target(flaw, {}, 1);
  CertifyOptions options;
  options.asked.dialect = &protocol::ratelimit_udp;
  options.asked.width = protocol::Width::none;
  options.asked.profile = protocol::Profile::deployed;
  options.target_text = "udp://fake";
  options.exclusive = exclusive;
  const KnownRules known{&rules, true, oracle::OverWhen::at_limit};
  return *certify_datagrams_over(
      target, [&](const WireFormat&) { return rule_cases(prefix, known); }, options);
}

/// The cases of a rule, by its place in the file.
std::vector<CaseResult> of_rule(const CertifyResult& result, std::size_t place) {
  std::vector<CaseResult> found;
  const std::string part = "-" + std::to_string(place) + "/";
  std::ranges::copy_if(result.cases, std::back_inserter(found), [&](const CaseResult& one) {
    return one.id.find("/rules/") != std::string::npos && one.id.find(part) != std::string::npos;
  });
  return found;
}

bool has_failed(const std::vector<CaseResult>& cases, std::string_view name) {
  return std::ranges::any_of(cases, [&](const CaseResult& one) {
    return one.id.ends_with(name) && one.verdict == Verdict::fail;
  });
}

/// Places of rules of the fake whose keys real users have.
constexpr std::size_t rewritten = 3;
constexpr std::size_t one_key = 5;

TEST(RuleCases, OfSharedKeysAreSkippedUnlessNobodyElseUsesTheTarget) {
  const CertifyResult result = certified(testing::fake_rules(), Flaw::none, false);
  for (const std::size_t place : {rewritten, one_key}) {
    const auto cases = of_rule(result, place);
    EXPECT_FALSE(cases.empty());
    for (const CaseResult& one : cases) {
      EXPECT_EQ(one.verdict, Verdict::skipped) << one.id;
      EXPECT_THAT(one.reason, HasSubstr("which real users share; runs with --exclusive"));
    }
  }
}

TEST(RuleCases, OfSharedKeysPassOnARightTarget) {
  const CertifyResult result = certified(testing::fake_rules(), Flaw::none, true);
  for (const CaseResult& one : result.cases)
    EXPECT_TRUE(one.verdict == Verdict::pass || one.id.find("/readings/") != std::string::npos)
        << one.id << ": " << one.reason;
}

struct Found {
  Flaw flaw;
  std::size_t place;
  const char* name;
};

TEST(RuleCases, OfSharedKeysFindWhatIsWrong) {
  for (const Found& one : {Found{Flaw::ignores_rewrites, rewritten, "/together"},
                           Found{Flaw::never_over, one_key, "/climb"},
                           Found{Flaw::counts_statistics, one_key, "/statistics-change-nothing"}}) {
    const auto cases = of_rule(certified(testing::fake_rules(), one.flaw, true), one.place);
    std::string told;
    for (const CaseResult& each : cases)
      told += each.id + " " + std::string(name_of(each.verdict)) + ": " + each.reason + "\n";
    EXPECT_TRUE(has_failed(cases, one.name)) << told;
  }
}

TEST(RuleCases, ALimitIsWrittenAsInTheFile) {
  const Rules other = *Rules::parse("5.5/1 strict \"strict *\"");
  const CertifyResult result = certified(other, Flaw::none, true);
  const auto cases = of_rule(result, 1);
  ASSERT_FALSE(cases.empty());
  EXPECT_EQ(cases.front().reason,
            "the limit is 5/1, expected 5.5/1 as in line 1 of the rules: 5.5/1 strict \"strict "
            "*\"");
  EXPECT_EQ(cases.front().likely_cause, "");
  EXPECT_THAT(cases.front().title, HasSubstr("(5.5/1 strict)"));
}

TEST(RuleCases, AKeyThatTheTargetDoesNotTakeIsTheLikelyCause) {
  const Rules other = *Rules::parse("5/1 strict \"user *\"");
  const auto cases = of_rule(certified(other, Flaw::none, true), 1);
  ASSERT_FALSE(cases.empty());
  EXPECT_THAT(cases.front().likely_cause, HasSubstr("--key-pattern names keys that it accepts"));
}

TEST(UntestedRules, SayWhy) {
  const Rules rules = *Rules::parse(
      "2500/10 strict \"ws global\"\n22/20 strict \"ws ip=*\"\n900/10 strict \"ws ua=*\"\n");
  const auto lines = [&](bool exclusive) {
    std::vector<std::string> all;
    for (const reports::UntestedRule& one : untested_rules({.rules = &rules}, exclusive))
      all.push_back(one.part + " " + one.rule + ": " + one.reason);
    return all;
  };
  EXPECT_THAT(lines(false),
              ElementsAre("rule 2500/10 strict \"ws global\": it has one key, which real users "
                          "share; --exclusive tests it",
                          "limit 900/10 strict \"ws ua=*\": a case makes at most 500 uses in a "
                          "row"));
  EXPECT_THAT(lines(true), ElementsAre(HasSubstr("limit 2500/10"), HasSubstr("limit 900/10")));
  EXPECT_THAT(untested_rules({}, false), IsEmpty());
}

}  // namespace
}  // namespace hallmark::conformance
