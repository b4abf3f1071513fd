#include "cli/mutants/localization.hpp"

#include <gmock/gmock.h>

namespace hallmark::cli {
namespace {

using reports::CaseResult;
using reports::CertifyResult;
using reports::Verdict;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

const std::vector<SoughtBug> two_bugs{{"crash", {"c1", "c2", "shared"}},
                                      {"leak", {"l1", "shared"}}};

Finding finding(std::string id, std::vector<std::string> cases) {
  Finding made;
  made.id = std::move(id);
  made.cases = std::move(cases);
  return made;
}

TEST(Localization, MatchesAFindingByOneOfItsCases) {
  const auto made = localize_bugs(two_bugs, {finding("F", {"other", "l1"})}, {"other", "l1"});
  ASSERT_EQ(made.findings.size(), 1U);
  EXPECT_EQ(made.findings[0].finding.id, "F");
  EXPECT_THAT(made.findings[0].bugs, ElementsAre("leak"));
}

TEST(Localization, AFindingMayMatchSeveralBugs) {
  const auto made = localize_bugs(two_bugs, {finding("F", {"shared"})}, {"shared"});
  EXPECT_THAT(made.findings[0].bugs, ElementsAre("crash", "leak"));
  EXPECT_THAT(made.missed, IsEmpty());
}

TEST(Localization, AFindingWithoutSuchACaseIsSurplus) {
  const auto made = localize_bugs(two_bugs, {finding("F", {"other"}), finding("G", {})}, {"other"});
  EXPECT_THAT(made.findings[0].bugs, IsEmpty());
  EXPECT_THAT(made.findings[1].bugs, IsEmpty());
}

TEST(Localization, AMissedBugIsHiddenIfNoneOfItsCasesFailed) {
  const auto made = localize_bugs(two_bugs, {}, {"l1", "other"});
  EXPECT_THAT(made.missed, ElementsAre(MissedBug{"crash", true}, MissedBug{"leak", false}));
}

TEST(Localization, AnOperationThatIsMissingIsAFindingOfTheCasesThatNeedIt) {
  CertifyResult result;
  result.missing_operations = {"STATS", "PUBLISH"};
  const auto add = [&](std::string id, std::string operation, Verdict verdict, std::string reason) {
    CaseResult& one = result.cases.emplace_back();
    one.id = std::move(id);
    one.operation = std::move(operation);
    one.verdict = verdict;
    one.reason = std::move(reason);
  };
  add("stats", "STATS", Verdict::unsupported, "the target never answered STATS");
  add("info", "INFO", Verdict::unsupported, "needs STATS: the target never answered STATS");
  add("list", "LIST", Verdict::unsupported, "needs LIST: the target never answered LIST");
  add("skipped", "STATS", Verdict::skipped, "not played");
  const auto missing = missing_operations_in(result);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].id, "missing-STATS");
  EXPECT_THAT(missing[0].cases, ElementsAre("stats", "info"));
}

TEST(LocalizationTotals, AreCountedOverSets) {
  LocalizationTotals totals;
  totals.add(2, localize_bugs(two_bugs, {finding("F", {"c1"}), finding("G", {"other"})}, {"c1"}),
             0);
  totals.add(2, localize_bugs(two_bugs, {finding("F", {"c1"}), finding("G", {"l1"})}, {}), 0);
  EXPECT_EQ(totals.bugs, 4U);
  EXPECT_EQ(totals.missed, 1U);
  EXPECT_EQ(totals.hidden, 1U);
  EXPECT_EQ(totals.findings, 4U);
  EXPECT_EQ(totals.surplus, 1U);
  EXPECT_DOUBLE_EQ(totals.recall(), 0.75);
  EXPECT_DOUBLE_EQ(totals.precision(), 0.75);
  EXPECT_DOUBLE_EQ(totals.findings_per_bug(), 1.0);
}

TEST(LocalizationTotals, OfNothingMissNothing) {
  const LocalizationTotals none;
  EXPECT_EQ(none.recall(), 1.0);
  EXPECT_EQ(none.precision(), 1.0);
  EXPECT_EQ(none.findings_per_bug(), 0.0);
}

struct Counted {
  std::string_view name;
  LocalizationTotals totals;
  bool good;
};
void PrintTo(const Counted& row, std::ostream* out) { *out << row.name; }

class GoodTotals : public ::testing::TestWithParam<Counted> {};

TEST_P(GoodTotals, AreThoseWithinAllBounds) {
  EXPECT_EQ(GetParam().totals.good(), GetParam().good);
}

INSTANTIATE_TEST_SUITE_P(
    , GoodTotals,
    ::testing::Values(
        Counted{"perfect", {.bugs = 100, .findings = 100}, true},
        Counted{"at_every_bound", {.bugs = 100, .missed = 5, .findings = 100, .surplus = 5}, true},
        Counted{"too_few_bugs_named", {.bugs = 100, .missed = 6, .findings = 100}, false},
        Counted{"too_many_surplus", {.bugs = 100, .findings = 100, .surplus = 6}, false},
        Counted{"most_findings", {.bugs = 100, .findings = 130}, true},
        Counted{"too_many_findings", {.bugs = 100, .findings = 131}, false},
        Counted{"unsteady", {.bugs = 100, .findings = 100, .unsteady = 1}, false}),
    [](const auto& row) { return std::string(row.param.name); });

CertifyResult result_of(std::vector<std::pair<std::string, CaseOutcome>> cases) {
  CertifyResult result;
  for (auto& [id, outcome] : cases) {
    CaseResult& one = result.cases.emplace_back();
    one.id = id;
    one.verdict = outcome.verdict;
    one.code = reports::parse_code(outcome.code);
  }
  return result;
}

TEST(UnsteadyCases, AreThoseWhoseVerdictOrCodeDiffers) {
  const CaseOutcome passed{Verdict::pass, ""};
  const CaseOutcome closed{Verdict::fail, "closed INSERT"};
  const CaseOutcome silent{Verdict::fail, "silent INSERT"};
  const std::vector<CaseOutcomes> runs{
      outcomes_of(result_of({{"same", closed}, {"verdict", passed}, {"code", closed}})),
      outcomes_of(result_of({{"same", closed}, {"verdict", closed}, {"code", silent}}))};
  const auto unsteady = unsteady_cases(runs);
  ASSERT_EQ(unsteady.size(), 2U);
  EXPECT_EQ(unsteady[0].id, "code");
  EXPECT_THAT(unsteady[0].runs, ElementsAre(Optional(closed), Optional(silent)));
  EXPECT_EQ(unsteady[1].id, "verdict");
}

TEST(UnsteadyCases, IncludeThoseThatOneRunLacks) {
  const CaseOutcome passed{Verdict::pass, ""};
  const std::vector<CaseOutcomes> runs{outcomes_of(result_of({{"a", passed}})), {}};
  const auto unsteady = unsteady_cases(runs);
  ASSERT_EQ(unsteady.size(), 1U);
  EXPECT_THAT(unsteady[0].runs, ElementsAre(Optional(passed), std::nullopt));
}

TEST(UnsteadyCases, AreNoneOfASingleRun) {
  const std::vector<CaseOutcomes> runs{outcomes_of(result_of({{"a", {Verdict::fail, ""}}}))};
  EXPECT_THAT(unsteady_cases(runs), IsEmpty());
}

}  // namespace
}  // namespace hallmark::cli
