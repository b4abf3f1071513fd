#include "reports/result.hpp"

#include <gtest/gtest.h>

#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

struct ExitRow {
  const char* name;
  std::vector<Verdict> verdicts;
  bool interrupted;
  const char* run_error;
  ExitCode code;
};

void PrintTo(const ExitRow& row, std::ostream* out) { *out << row.name; }

class CertifyExitCode : public testing::TestWithParam<ExitRow> {};

TEST_P(CertifyExitCode, FollowsFromTheCases) {
  CertifyResult result;
  for (const auto verdict : GetParam().verdicts) {
    result.cases.push_back(samples::passed("a", "QUERY"));
    result.cases.back().verdict = verdict;
  }
  result.interrupted = GetParam().interrupted;
  result.run_error = GetParam().run_error;
  EXPECT_EQ(exit_code(result), GetParam().code);
}

using enum Verdict;
using ExitCode::as_expected;
using ExitCode::failures;
using ExitCode::unreachable_or_harness_error;
using ExitCode::usage;
INSTANTIATE_TEST_SUITE_P(
    Rows, CertifyExitCode,
    testing::Values(
        ExitRow{"Passes", {pass, pass}, false, "", as_expected},
        ExitRow{"UnsupportedBesidesPasses", {pass, unsupported, skipped}, false, "", as_expected},
        ExitRow{"OneFailure", {pass, fail}, false, "", failures},
        ExitRow{"FailureOutranksError", {error, fail}, false, "gone", failures},
        ExitRow{"Error", {pass, error, indeterminate}, false, "", unreachable_or_harness_error},
        ExitRow{"RunError", {pass}, false, "gone", unreachable_or_harness_error},
        ExitRow{"Undecided", {pass, indeterminate}, false, "", ExitCode::indeterminate},
        ExitRow{"Interrupted", {pass}, true, "", ExitCode::indeterminate},
        ExitRow{"NoCase", {}, false, "", unreachable_or_harness_error},
        ExitRow{"OnlySkipped", {skipped}, false, "", unreachable_or_harness_error},
        ExitRow{"OnlyUnsupported", {unsupported}, false, "", unreachable_or_harness_error}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(WorstExitCode, FailuresOutrankTheRest) {
  EXPECT_EQ(worst(as_expected, ExitCode::indeterminate), ExitCode::indeterminate);
  EXPECT_EQ(worst(unreachable_or_harness_error, ExitCode::indeterminate),
            unreachable_or_harness_error);
  EXPECT_EQ(worst(usage, failures), failures);
  EXPECT_EQ(worst(failures, as_expected), failures);
}

TEST(VerdictCounts, SkippedIsNotExecuted) {
  const auto counts = count_verdicts(samples::mixed());
  for (const auto verdict : all_verdicts) {
    const std::size_t expected = verdict == fail ? 2 : verdict == Verdict::unstable ? 0 : 1;
    EXPECT_EQ(counts.of(verdict), expected) << name_of(verdict);
  }
  EXPECT_EQ(counts.executed(), 7U);
  EXPECT_EQ(counts.total(), 8U);
}

TEST(SummariseOperations, KeepsTheOrderOfAppearance) {
  const auto rows = summarise_operations(samples::mixed());
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].operation, "INSERT");
  EXPECT_EQ(rows[1].operation, "QUERY");
  EXPECT_EQ(rows[1].counts.fail, 1U);
  EXPECT_EQ(rows[2].counts.total(), 6U);
}

}  // namespace
}  // namespace hallmark::reports
