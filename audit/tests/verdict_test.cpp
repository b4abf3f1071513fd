#include "audit/verdict.hpp"

#include <gmock/gmock.h>

namespace hallmark::audit {
namespace {

using model::Obstacle;
using reports::ExitCode;

struct VerdictRow {
  const char* name;
  RunResult run;
  Verdict verdict;
  ExitCode code;
};

RunResult run_of(std::uint64_t faulty, std::optional<MigrationResult> migration = {},
                 std::map<Obstacle, LeftResult> left = {}) {
  RunResult run{.migration = std::move(migration)};
  run.audit.entries = 10;
  run.audit.faulty = faulty;
  run.audit.left = std::move(left);
  return run;
}

RunResult interrupted(RunResult run) {
  run.audit.interrupted = true;
  return run;
}

RunResult lost(RunResult run) {
  run.audit.error = "gone";
  return run;
}

const std::map<Obstacle, LeftResult> ambiguous = {{Obstacle::ambiguous, {.count = 2}}};

std::vector<VerdictRow> rows() {
  return {
      {"Sound", run_of(0), Verdict::sound, ExitCode::as_expected},
      {"Findings", run_of(1), Verdict::faulty, ExitCode::failures},
      {"OldFormatsAreNoFindings", run_of(0, {}, ambiguous), Verdict::sound, ExitCode::as_expected},
      {"NothingThere", {}, Verdict::empty, ExitCode::as_expected},
      {"Migrated", run_of(0, MigrationResult{}), Verdict::sound, ExitCode::as_expected},
      {"RepairedAll", run_of(3, MigrationResult{.repaired = 3}), Verdict::sound,
       ExitCode::as_expected},
      {"RepairedSome", run_of(3, MigrationResult{.repaired = 2}), Verdict::faulty,
       ExitCode::failures},
      {"WouldRepairAll", run_of(3, MigrationResult{.dry_run = true, .repaired = 3}), Verdict::sound,
       ExitCode::as_expected},
      {"Ambiguous", run_of(0, MigrationResult{}, ambiguous), Verdict::unfinished,
       ExitCode::failures},
      {"NoQuota", run_of(0, MigrationResult{}, {{Obstacle::quota, {.count = 1}}}),
       Verdict::unfinished, ExitCode::failures},
      {"Unwritable", run_of(0, MigrationResult{}, {{Obstacle::unwritable, {.count = 1}}}),
       Verdict::unfinished, ExitCode::failures},
      {"NotDone", run_of(0, MigrationResult{.not_done = 1}), Verdict::unfinished,
       ExitCode::failures},
      {"OfAnotherStrategy", run_of(1, MigrationResult{}, {{Obstacle::malformed, {.count = 1}}}),
       Verdict::faulty, ExitCode::failures},
      {"Interrupted", interrupted(run_of(0)), Verdict::incomplete, ExitCode::indeterminate},
      {"InterruptedWithFindings", interrupted(run_of(1)), Verdict::incomplete, ExitCode::failures},
      {"Lost", lost(run_of(1)), Verdict::incomplete, ExitCode::unreachable_or_harness_error},
  };
}

class Verdicts : public ::testing::TestWithParam<VerdictRow> {};

void PrintTo(const VerdictRow& row, std::ostream* out) { *out << row.name; }

TEST_P(Verdicts, FollowFromWhatIsLeft) {
  EXPECT_EQ(verdict_on(GetParam().run), GetParam().verdict);
  EXPECT_EQ(exit_code(GetParam().run), GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(Rows, Verdicts, ::testing::ValuesIn(rows()),
                         [](const auto& row) { return row.param.name; });

TEST(NotMigrated, CountsWhatIsLeftAndWhatFailed) {
  EXPECT_EQ(not_migrated(run_of(0, MigrationResult{.not_done = 3}, ambiguous)), 5U);
  EXPECT_EQ(not_migrated(run_of(0, {}, ambiguous)), 0U);
}

}  // namespace
}  // namespace hallmark::audit
