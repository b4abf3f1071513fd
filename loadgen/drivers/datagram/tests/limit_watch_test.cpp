#include "loadgen/drivers/datagram/limit_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace hallmark::loadgen::datagram {
namespace {

using protocol::ratelimit::Rules;

Keys keys_of(std::string_view rules, std::vector<std::string> patterns) {
  const auto parsed = std::make_shared<Rules>(Rules::parse(rules).value());
  return Keys::make({.keys = 1, .patterns = std::move(patterns), .rules = parsed, .nonce = "7"})
      .value();
}

/// Uses of one key, each answered before the next is sent.
class Watching {
 public:
  explicit Watching(std::string_view rules, std::vector<std::string> patterns = {"ws ip={}"})
      : keys_(keys_of(rules, std::move(patterns))), watch(keys_, oracle::OverWhen::at_limit) {}

  void use(const UseSaid& said) {
    const auto number = watch.sent(0, now_);
    watch.answered(0, number, now_, now_ + 5'000, said);
    now_ += 10'000;
  }

 private:
  Keys keys_;
  std::int64_t now_ = 0;

 public:
  LimitWatch watch;
};

constexpr std::string_view two = "2/10 strict \"ws ip=*\"";

TEST(LimitWatch, counts_uses_and_those_that_were_over) {
  Watching one{two};
  one.use({false, 0, 20, 10});
  one.use({false, 10, 20, 10});
  one.use({false, 20, 20, 10});
  one.use({true, 30, 20, 10});
  const GroupUses* uses = one.watch.uses_of(0);
  ASSERT_NE(uses, nullptr);
  EXPECT_EQ(uses->sent, 4U);
  EXPECT_EQ(uses->answered, 4U);
  EXPECT_EQ(uses->over, 1U);
  const auto checks = one.watch.checks(false);
  EXPECT_EQ(checks.uses, 4U);
  EXPECT_GE(checks.decided, 3U);
  EXPECT_TRUE(checks.findings.empty());
}

TEST(LimitWatch, over_admission_is_a_finding_whatever_came_twice) {
  Watching one{two};
  for (std::uint64_t i = 0; i < 5; ++i) one.use({false, 10 * i, 20, 10});
  for (const bool doubled : {false, true}) {
    const auto checks = one.watch.checks(doubled);
    EXPECT_EQ(checks.over_admissions, 2U);
    ASSERT_EQ(checks.findings.size(), 2U);
    EXPECT_EQ(checks.findings[0].kind, "over-admission");
    EXPECT_EQ(checks.findings[0].key, "ws ip=700");
    EXPECT_EQ(checks.findings[0].admitted, 4U);
    EXPECT_EQ(checks.findings[0].allowed, 3U);
    EXPECT_EQ(checks.findings[0].uses.size(), 4U);
  }
}

TEST(LimitWatch, under_admission_is_undecided_once_something_came_twice) {
  Watching one{two};
  one.use({false, 0, 20, 10});
  one.use({true, 20, 20, 10});
  EXPECT_EQ(one.watch.checks(false).under_admissions, 1U);
  EXPECT_EQ(one.watch.checks(true).under_admissions, 0U);
  EXPECT_EQ(one.watch.checks(true).undecided, 1U);
}

TEST(LimitWatch, what_doubled_requests_cannot_explain_stays_a_finding) {
  Watching one{"50/10 strict \"ws ip=*\""};
  one.use({false, 0, 500, 10});
  one.use({true, 500, 500, 10});
  EXPECT_EQ(one.watch.checks(true).under_admissions, 1U);
}

TEST(LimitWatch, a_limit_that_is_not_the_rules_is_a_finding) {
  Watching one{two};
  one.use({false, 0, 21, 10});
  one.use({false, 10, 20, 11});
  const auto checks = one.watch.checks(false);
  EXPECT_EQ(checks.wrong_limits, 2U);
  EXPECT_EQ(checks.findings[0].reason, "the reply says 2.1 in 10 s, the rules 2.0 in 10 s");
}

TEST(LimitWatch, a_key_without_a_rule_is_not_judged) {
  Watching one{two, {"other {}"}};
  one.use({true, 99, 10, 1});
  EXPECT_EQ(one.watch.checks(false).uses, 0U);
  EXPECT_EQ(one.watch.checks(false).unlimited, 1U);
}

TEST(LimitWatch, a_key_of_every_run_may_have_a_history) {
  Watching one{"2/10 strict \"ws global\"", {"ws global"}};
  one.use({true, 300, 20, 10});
  one.use({true, 310, 20, 10});
  EXPECT_TRUE(one.watch.checks(false).findings.empty());
}

TEST(LimitWatch, three_findings_of_each_kind_are_kept) {
  Watching one{two};
  for (std::uint64_t i = 0; i < 50; ++i) one.use({false, 10 * i, 21, 10});
  const auto checks = one.watch.checks(false);
  EXPECT_EQ(checks.over_admissions, 47U);
  EXPECT_EQ(checks.wrong_limits, 50U);
  std::map<std::string, int> kept;
  for (const auto& finding : checks.findings) ++kept[finding.kind];
  EXPECT_EQ(kept, (std::map<std::string, int>{{"limit", 3}, {"over-admission", 3}}));
}

}  // namespace
}  // namespace hallmark::loadgen::datagram
