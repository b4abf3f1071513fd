#include "reports/load/load_result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/terminal_report.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

struct LoadRow {
  const char* name;
  LoadCounts counts;
  const char* inconclusive;
  bool interrupted;
  const char* run_error;
  ExitCode code;
};

void PrintTo(const LoadRow& row, std::ostream* out) { *out << row.name; }

class LoadExitCode : public testing::TestWithParam<LoadRow> {};

TEST_P(LoadExitCode, FollowsFromTheCounts) {
  auto result = samples::open_loop();
  result.counts = GetParam().counts;
  result.inconclusive = GetParam().inconclusive;
  result.interrupted = GetParam().interrupted;
  result.run_error = GetParam().run_error;
  EXPECT_EQ(exit_code(result), GetParam().code);
}

// A target that fell silent has missed an objective about errors, also where it never said a word.
TEST(SilentTarget, FailsWhereAnObjectiveIsProvablyMissed) {
  LoadResult result;
  result.counts = {.planned = 9, .timed_out = 9};
  ObjectiveOutcome& errors = result.objectives.emplace_back();
  errors.met = Met::no;
  EXPECT_EQ(exit_code(result), ExitCode::unreachable_or_harness_error);
  errors.proven = true;
  EXPECT_EQ(exit_code(result), ExitCode::failures);
  EXPECT_THAT(render_terminal(result, {}), testing::HasSubstr("FAILED  1 of 1 objective missed"));
  result.run_error = "connection refused";
  EXPECT_EQ(exit_code(result), ExitCode::unreachable_or_harness_error);
}

TEST(DatagramExitCode, FollowsFromWhatWasProven) {
  auto result = samples::open_loop();
  DatagramLoad& load = result.datagram.emplace();
  EXPECT_EQ(exit_code(result), ExitCode::as_expected);
  load.limits = {.undecided = 3};
  load.server = {.keys = 3, .unanswered = 3};
  EXPECT_EQ(exit_code(result), ExitCode::as_expected);
  for (const auto count : {&LimitChecks::over_admissions, &LimitChecks::under_admissions,
                           &LimitChecks::wrong_rates, &LimitChecks::wrong_limits}) {
    (*load.limits).*count = 1;
    EXPECT_EQ(exit_code(result), ExitCode::failures);
    (*load.limits).*count = 0;
  }
  load.server->disagreeing = 1;
  EXPECT_EQ(exit_code(result), ExitCode::failures);
  load.accounting_error = "one too many";
  EXPECT_EQ(exit_code(result), ExitCode::unreachable_or_harness_error);
}

TEST(StoreExitCode, FollowsFromWhatWasProven) {
  LoadResult result;
  result.counts = {1, 1, 0, 0, 0};
  StoreLoad& load = result.store.emplace();
  EXPECT_EQ(exit_code(result), ExitCode::as_expected);
  load.counts.conflicts = 5;
  EXPECT_EQ(exit_code(result), ExitCode::as_expected);
  load.admissions.exceeded = 1;
  EXPECT_EQ(exit_code(result), ExitCode::failures);
}

TEST(DatagramCounts, AddUpOrSayWhatDoesNot) {
  const DatagramCounts right{12, 1, 1, 10, 5, 1, 1, 3, 12, 2, 2, 1};
  EXPECT_EQ(imbalance(right), "");
  auto wrong = right;
  ++wrong.planned;
  EXPECT_EQ(imbalance(wrong), "13 planned, but 12 shed, not sent or sent");
  wrong = right;
  ++wrong.lost;
  EXPECT_EQ(imbalance(wrong), "10 sent, but 11 received, malformed, late or lost");
  wrong = right;
  ++wrong.datagrams;
  EXPECT_EQ(imbalance(wrong), "13 datagrams came, but 12 were told apart");
}

using enum ExitCode;
INSTANTIATE_TEST_SUITE_P(
    Rows, LoadExitCode,
    testing::Values(
        LoadRow{"AllAnswered", {9, 9, 0, 0, 0}, "", false, "", as_expected},
        LoadRow{"ShedIsTheClients", {9, 8, 0, 1, 0}, "", false, "", as_expected},
        LoadRow{"Failed", {9, 8, 0, 0, 1}, "slow", true, "", failures},
        LoadRow{"TimedOut", {9, 8, 1, 0, 0}, "", false, "", failures},
        LoadRow{"Inconclusive", {9, 9, 0, 0, 0}, "slow", false, "", indeterminate},
        LoadRow{"Interrupted", {9, 9, 0, 0, 0}, "", true, "", indeterminate},
        LoadRow{"NothingCompleted", {9, 0, 9, 0, 0}, "", false, "", unreachable_or_harness_error},
        LoadRow{"NothingPlanned", {}, "", false, "", unreachable_or_harness_error},
        LoadRow{"Unbalanced", {9, 8, 0, 0, 0}, "", false, "", unreachable_or_harness_error},
        LoadRow{"RunError", {9, 9, 0, 0, 0}, "", false, "gone", unreachable_or_harness_error}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::reports
