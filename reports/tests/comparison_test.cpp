#include "reports/certify/comparison.hpp"

#include <gmock/gmock.h>

#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using enum Verdict;
using testing::HasSubstr;
using testing::Not;

CaseResult of(Verdict verdict, std::string reason = {}) {
  CaseResult one = samples::passed("case", "QUERY");
  one.verdict = verdict;
  one.reason = std::move(reason);
  return one;
}

/// A result with these cases, and with one more that passes before and after.
CertifyResult with(std::vector<CaseResult> cases) {
  CertifyResult result;
  result.cases = std::move(cases);
  result.cases.push_back(samples::passed("other", "INSERT"));
  return result;
}

struct Row {
  const char* name;
  Verdict before;
  Verdict now;
  std::optional<Change> change;
  ExitCode code;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Changes : public testing::TestWithParam<Row> {};

TEST_P(Changes, AreNamedAndDecideByWhatBecameWorse) {
  const Row& row = GetParam();
  const auto before = with({of(row.before, "r")});
  const auto now = with({of(row.now, "r")});
  const Comparison comparison = compare(before, now);
  ASSERT_EQ(comparison.cases.size(), row.change ? 1U : 0U);
  if (row.change) {
    EXPECT_EQ(comparison.cases[0].change, *row.change);
  }
  EXPECT_EQ(exit_code(comparison, now), row.code);
}

constexpr auto ok = ExitCode::as_expected;
constexpr auto failures = ExitCode::failures;

INSTANTIATE_TEST_SUITE_P(
    Verdicts, Changes,
    testing::Values(Row{"stays_passed", pass, pass, {}, ok},
                    Row{"stays_failed", fail, fail, {}, ok},
                    Row{"fails", pass, fail, Change::newly_failing, failures},
                    Row{"breaks", pass, error, Change::newly_failing, failures},
                    Row{"undecided", pass, indeterminate, Change::newly_failing, failures},
                    Row{"unsupported", pass, unsupported, Change::newly_failing, failures},
                    Row{"skipped", pass, skipped, Change::no_longer_played,
                        ExitCode::indeterminate},
                    Row{"passes", fail, pass, Change::newly_passing, ok},
                    Row{"was_skipped", skipped, fail, Change::newly_failing, failures},
                    Row{"stays_skipped", skipped, skipped, {}, ok},
                    Row{"no_longer_known", known, fail, Change::newly_failing, failures},
                    Row{"becomes_known", fail, known, Change::other_reason, ok},
                    Row{"stays_known", known, known, {}, ok}),
    [](const auto& row) { return row.param.name; });

TEST(Comparison, AnotherReasonIsToldAndNoRegression) {
  const auto now = with({of(fail, "closed")});
  const Comparison comparison = compare(with({of(fail, "silent")}), now);
  ASSERT_EQ(comparison.cases.size(), 1U);
  EXPECT_EQ(comparison.cases[0].change, Change::other_reason);
  EXPECT_EQ(exit_code(comparison, now), ExitCode::as_expected);
  const std::string text = render_comparison(comparison, now, "old.json", {});
  EXPECT_THAT(text, HasSubstr("before: silent"));
  EXPECT_THAT(text, HasSubstr("NO REGRESSION  1 other reason, 1 as before"));
}

TEST(Comparison, TheSameCodeIsTheSameReasonWhateverTheSentenceSays) {
  auto before = with({of(fail, "silent for 2.1 s")});
  auto now = with({of(fail, "silent for 980 ms")});
  EXPECT_EQ(compare(before, now).of(Change::other_reason), 1U);
  before.cases[0].code = now.cases[0].code = Code{.kind = Code::Kind::silent, .message = "QUERY"};
  EXPECT_EQ(compare(before, now).cases, std::vector<ChangedCase>{});
  now.cases[0].reason = before.cases[0].reason;
  now.cases[0].code->kind = Code::Kind::closed;
  EXPECT_EQ(compare(before, now).of(Change::other_reason), 1U);
}

TEST(Comparison, WhatAppearedMustPassAndWhatDisappearedIsTold) {
  const auto before = with({of(pass)});
  auto now = with({});
  EXPECT_EQ(compare(before, now).of(Change::disappeared), 1U);
  EXPECT_EQ(exit_code(compare(before, now), now), ExitCode::as_expected);
  const auto later = with({of(fail, "r")});
  EXPECT_EQ(exit_code(compare(now, later), later), ExitCode::failures);
}

TEST(Comparison, ARunThatWentWrongIsNoSuccess) {
  const auto before = with({});
  auto now = with({});
  now.run_error = "the target died";
  EXPECT_EQ(exit_code(compare(before, now), now), ExitCode::unreachable_or_harness_error);
  EXPECT_TRUE(compare(before, CertifyResult{}).unrelated());
  EXPECT_EQ(exit_code(compare(before, CertifyResult{}), CertifyResult{}),
            ExitCode::unreachable_or_harness_error);
}

TEST(Comparison, ShowsWhatChangedAlone) {
  const auto before = with({});
  auto now = with({samples::wrong_width()});
  now.cases.back() = samples::passed("other", "INSERT");
  const std::string text = render_comparison(compare(before, now), now, "old.json", {});
  EXPECT_THAT(text, HasSubstr("compared with old.json"));
  EXPECT_THAT(text, HasSubstr(now.cases[0].id));
  EXPECT_THAT(text, HasSubstr("REGRESSED  1 appeared, 1 as before"));
  EXPECT_THAT(text, Not(HasSubstr("other  ")));
}

}  // namespace
}  // namespace hallmark::reports
