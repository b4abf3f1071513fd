#include "cli/mutants/localization_report.hpp"

#include <gmock/gmock.h>

#include "base/tests/parsed.hpp"

namespace hallmark::cli {
namespace {

using reports::Verdict;

LocalizedSet faulty_set() {
  LocalizedSet set;
  set.seed = 8;
  set.dialect = "throttr-7.1";
  set.width = "u16";
  set.bugs = {"crash", "leak", "cut"};
  set.duration = std::chrono::seconds(12);
  Finding right;
  right.id = "F1";
  right.cases = {"c1"};
  Finding surplus;
  surplus.id = "F2";
  surplus.cases = {"x1", "x2", "x3"};
  set.localization.findings = {{right, {"crash"}}, {surplus, {}}};
  set.localization.missed = {{"leak", false}, {"cut", true}};
  set.outcomes = {{"c1", {Verdict::fail, "closed"}}, {"c2", {Verdict::pass, ""}}};
  set.runs = 3;
  set.unsteady = {{"c1",
                   {CaseOutcome{Verdict::fail, "closed"}, CaseOutcome{Verdict::pass, ""},
                    CaseOutcome{Verdict::pass, ""}}}};
  return set;
}

LocalizedSet perfect_set() {
  LocalizedSet set;
  set.seed = 7;
  set.dialect = "ratelimit-udp";
  set.width = "none";
  set.bugs = {"over.inverted"};
  set.duration = std::chrono::seconds(3);
  Finding right;
  right.id = "F1";
  right.cases = {"c1"};
  set.localization.findings = {{right, {"over.inverted"}}};
  return set;
}

LocalizationRun run_of(std::vector<LocalizedSet> sets) {
  LocalizationRun run;
  run.version = "1";
  run.seed = 7;
  run.wanted = 2;
  run.most_bugs = 12;
  run.duration = std::chrono::seconds(20);
  run.sets = std::move(sets);
  return run;
}

TEST(LocalizationReport, TellsWhatIsWrongWithEachSet) {
  EXPECT_EQ(render_localization(run_of({perfect_set(), faulty_set()})),
            "8  throttr-7.1/u16  missed leak\n"
            "8  throttr-7.1/u16  missed (hidden) cut\n"
            "8  throttr-7.1/u16  surplus finding F2: x1 and 2 more\n"
            "8  throttr-7.1/u16  unsteady c1: fail (closed) once, pass 2 times\n"
            "recall 50.0 %: findings name 2 of 4 bugs; 2 missed, 1 of them hidden\n"
            "precision 66.7 %: 2 of 3 findings match a bug\n"
            "0.75 findings per bug\n"
            "1 case ends differently from run to run\n"
            "NOT LOCALIZED  2 of 2 sets in 20.0 s; the slowest took 12.0 s (seed 8)\n");
}

TEST(LocalizationReport, OfPerfectSetsIsShort) {
  LocalizationRun run = run_of({perfect_set()});
  run.interrupted = true;
  EXPECT_EQ(render_localization(run),
            "recall 100.0 %: findings name 1 of 1 bugs; 0 missed, 0 of them hidden\n"
            "precision 100.0 %: 1 of 1 findings match a bug\n"
            "1.00 findings per bug\n"
            "LOCALIZED  1 of 2 sets in 20.0 s; the slowest took 3.00 s (seed 7); interrupted\n");
}

TEST(LocalizationReport, TellsWhyARunCouldNotBeDone) {
  LocalizedSet set = perfect_set();
  set.run_error = "connection refused";
  EXPECT_THAT(render_localization(run_of({set})),
              ::testing::StartsWith("7  ratelimit-udp  run error: connection refused\n"));
}

TEST(LocalizationReport, IsWrittenAsJson) {
  const base::Json all =
      base::test::parsed(localization_json(run_of({faulty_set()}), base::Json::array()));
  EXPECT_FALSE(all["good"].boolean());
  EXPECT_EQ(all["totals"]["missed"].natural(), 2U);
  const base::Json& set = all["sets"][0];
  EXPECT_EQ(set["seed"].natural(), 8U);
  EXPECT_EQ(set["findings"][0]["matches"][0].string(), "crash");
  EXPECT_TRUE(set["findings"][1]["matches"].empty());
  EXPECT_EQ(set["missed"][1].dump(), R"({"bug":"cut","hidden":true})");
  EXPECT_EQ(set["verdicts"].dump(), R"({"c1":"fail","c2":"pass"})");
  EXPECT_EQ(set["codes"].dump(), R"({"c1":"closed"})");
  EXPECT_EQ(set["unsteady"][0]["runs"][0].dump(), R"({"verdict":"fail","code":"closed"})");
}

}  // namespace
}  // namespace hallmark::cli
