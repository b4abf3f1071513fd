#include "cli/mutants/kill_matrix.hpp"

#include <gmock/gmock.h>

namespace hallmark::cli {
namespace {

using reports::CaseResult;
using reports::CertifyResult;
using reports::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

faults::Bug bug(bool operation_missing = false) {
  return {.id = "publish.missing",
          .breaks = "PUBLISH is not there",
          .violates = {{"throttr-7.1", {"publish.code", "publish.delivers"}},
                       {"throttr-7.3", {"publish.status"}}},
          .code = {},
          .operation_missing = operation_missing};
}

CertifyResult result_of(Verdict verdict, std::vector<std::string> clauses = {"publish.code"}) {
  CaseResult one;
  one.id = "throttr-7.1/u16/publish/typical";
  one.verdict = verdict;
  one.clauses = std::move(clauses);
  CertifyResult result;
  result.cases.push_back(one);
  return result;
}

bool kills(Verdict verdict, const faults::Bug& mutant) {
  MutantRow row(mutant, "throttr-7.1", "u16");
  row.add(result_of(verdict));
  return row.killed();
}

TEST(MutantRow, OnlyACaseThatFailsOrIsUnstableKills) {
  const faults::Bug wrong = bug();
  EXPECT_TRUE(kills(Verdict::fail, wrong));
  EXPECT_TRUE(kills(Verdict::unstable, wrong));
  for (const Verdict verdict : reports::all_verdicts) {
    if (verdict == Verdict::fail || verdict == Verdict::unstable) continue;
    EXPECT_FALSE(kills(verdict, wrong)) << static_cast<int>(verdict);
  }
}

TEST(MutantRow, UnsupportedKillsWhereTheOperationIsMissing) {
  const faults::Bug missing = bug(true);
  EXPECT_TRUE(kills(Verdict::unsupported, missing));
  EXPECT_TRUE(kills(Verdict::fail, missing));
  for (const Verdict verdict :
       {Verdict::pass, Verdict::error, Verdict::indeterminate, Verdict::skipped, Verdict::known}) {
    EXPECT_FALSE(kills(verdict, missing)) << static_cast<int>(verdict);
  }
}

TEST(MutantRow, IsCompleteOnceEachClauseIsCitedByACaseThatKills) {
  const faults::Bug wrong = bug();
  MutantRow row(wrong, "throttr-7.1", "u16");
  EXPECT_THAT(row.violates(), ElementsAre("publish.code", "publish.delivers"));
  row.add(result_of(Verdict::fail));
  EXPECT_THAT(row.not_proved(), ElementsAre("publish.delivers"));
  row.add(result_of(Verdict::error, {"publish.delivers"}));
  EXPECT_FALSE(row.complete());
  row.add(result_of(Verdict::fail, {"publish.delivers"}));
  EXPECT_THAT(row.not_proved(), IsEmpty());
  EXPECT_TRUE(row.complete());
}

TEST(MutantRow, ViolatesTheClausesOfItsDialect) {
  const faults::Bug wrong = bug();
  EXPECT_THAT(MutantRow(wrong, "throttr-7.3", "u16").violates(), ElementsAre("publish.status"));
}

TEST(KillMatrix, JudgesNothingThatAnInterruptionLeft) {
  faults::Bug killed = bug();
  killed.id = "publish.killed";
  faults::Bug survived = bug();
  survived.id = "publish.survived";
  faults::Bug unplayed = bug();
  unplayed.id = "publish.unplayed";
  std::vector<MutantRow> wanted;
  for (const faults::Bug* const mutant : {&killed, &survived, &unplayed})
    wanted.emplace_back(*mutant, "throttr-7.3", "u16");
  KillMatrix matrix("1");
  matrix.add(wanted[0]);
  matrix.rows()[0].add(result_of(Verdict::fail, {"publish.status"}));
  matrix.add(wanted[1]);
  matrix.interrupt(wanted);
  EXPECT_FALSE(matrix.complete());
  EXPECT_TRUE(matrix.interrupted());
  ASSERT_EQ(matrix.rows().size(), 1U);
  EXPECT_EQ(matrix.rows()[0].mutant().id, "publish.killed");
  EXPECT_THAT(matrix.page(), HasSubstr("| publish.survived | PUBLISH is not there | the run was "));
  EXPECT_THAT(matrix.page(), HasSubstr("| publish.unplayed | PUBLISH is not there | the run was "));
}

TEST(KillMatrix, AnInterruptionAfterTheLastMutantChangesNothing) {
  const faults::Bug wrong = bug();
  KillMatrix matrix("1");
  matrix.add(MutantRow(wrong, "throttr-7.3", "u16"));
  matrix.rows()[0].add(result_of(Verdict::fail, {"publish.status"}));
  const std::vector<MutantRow> wanted(matrix.rows());
  matrix.interrupt(wanted);
  EXPECT_TRUE(matrix.complete());
  EXPECT_FALSE(matrix.interrupted());
}

TEST(KillMatrix, ACaseThatKillsNothingIsIdle) {
  const faults::Bug wrong = bug();
  KillMatrix matrix("1");
  EXPECT_EQ(matrix.add_baseline("throttr-7.1", result_of(Verdict::pass)), "");
  MutantRow row(wrong, "throttr-7.1", "u16");
  row.add(result_of(Verdict::error));
  matrix.add(row);
  EXPECT_THAT(matrix.idle_cases().front().ids, ElementsAre("throttr-7.1/u16/publish/typical"));
}

}  // namespace
}  // namespace hallmark::cli
