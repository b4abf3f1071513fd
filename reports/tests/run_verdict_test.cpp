#include "reports/certify/run_verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <pugixml.hpp>

#include "reports/badge.hpp"
#include "reports/github_report.hpp"
#include "reports/json_report.hpp"
#include "reports/junit_report.hpp"
#include "reports/tap_report.hpp"
#include "reports/terminal_report.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(RunVerdict, IsThatOfTheExitCode) {
  EXPECT_EQ(run_verdict(samples::all_passed()), "CERTIFIED");
  EXPECT_EQ(run_verdict(samples::lacking_operations()), "CERTIFIED WITHOUT STAT, PUBLISH");
  EXPECT_EQ(run_verdict(samples::mixed()), "FAILED");
  EXPECT_EQ(run_verdict(samples::unreachable()), "ERROR");
  EXPECT_EQ(run_verdict({}), "NOTHING CERTIFIED");
  CertifyResult interrupted = samples::lacking_operations();
  interrupted.interrupted = true;
  EXPECT_EQ(run_verdict(interrupted), "INDETERMINATE");
}

TEST(RunVerdict, OfASparedTargetIsNotThatOfAWholeRun) {
  CertifyResult result = samples::lacking_operations();
  CaseResult one = result.cases.front();
  one.verdict = Verdict::skipped;
  one.reason = spared;
  result.cases.insert(result.cases.end(), 2, one);
  EXPECT_EQ(run_verdict(result), "CERTIFIED WITHOUT STAT, PUBLISH, 2 cases (--polite)");
  result.missing_operations.clear();
  EXPECT_EQ(run_verdict(result), "CERTIFIED WITHOUT 2 cases (--polite)");
  EXPECT_THAT(render_badge(result),
              HasSubstr(": certified without 2 cases (--polite), 180 cases<"));
  EXPECT_THAT(render_terminal(result, {}),
              HasSubstr("\nCERTIFIED WITHOUT 2 cases (--polite)  180 passed, "));
}

struct ReportRow {
  const char* name;
  std::function<std::string(const CertifyResult&)> render;
  std::string says;
  std::string whole;  ///< the same for a target that lacks nothing
};

void PrintTo(const ReportRow& row, std::ostream* out) { *out << row.name; }

class EveryReport : public testing::TestWithParam<ReportRow> {};

TEST_P(EveryReport, NamesTheMissingOperations) {
  const ReportRow& row = GetParam();
  EXPECT_THAT(row.render(samples::lacking_operations()),
              AllOf(HasSubstr(row.says), Not(HasSubstr(row.whole))));
  EXPECT_THAT(row.render(samples::all_passed()),
              AllOf(HasSubstr(row.whole), Not(HasSubstr("PUBLISH"))));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, EveryReport,
    testing::Values(
        ReportRow{"Terminal", [](const auto& one) { return render_terminal(one, {}); },
                  "\nCERTIFIED WITHOUT STAT, PUBLISH  180 passed, 2 unsupported in ",
                  "\nCERTIFIED  "},
        ReportRow{"Json", [](const auto& one) { return render_json(one); },
                  "\"verdict\": \"CERTIFIED WITHOUT STAT, PUBLISH\"", "\"verdict\": \"CERTIFIED\""},
        ReportRow{"JUnit", [](const auto& one) { return render_junit(one); },
                  "name=\"verdict\" value=\"CERTIFIED WITHOUT STAT, PUBLISH\"",
                  "name=\"verdict\" value=\"CERTIFIED\""},
        ReportRow{"Tap", [](const auto& one) { return render_tap(one); },
                  "\n# CERTIFIED WITHOUT STAT, PUBLISH\n", "\n# CERTIFIED\n"},
        ReportRow{"GitHub", [](const auto& one) { return render_github_summary(one); },
                  "### ⚠️ throttr-7.1 u16: certified without STAT, PUBLISH\n", ": certified\n"},
        ReportRow{"Badge", [](const auto& one) { return render_badge(one); },
                  ": certified without STAT, PUBLISH, 180 cases<", ": certified, 180 cases<"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(GitHub, WarnsOfMissingOperations) {
  EXPECT_EQ(render_github_annotations(samples::lacking_operations()),
            "::warning title=hallmark certify::certified without STAT, PUBLISH\n");
}

TEST(Terminal, NamesMissingOperationsOfAFailedRun) {
  EXPECT_THAT(render_terminal(samples::mixed(), {}), HasSubstr(", the target lacks PUBLISH"));
}

TEST(RunVerdict, TheCauseOfTheOnlyFailureIsThatOfTheRun) {
  CertifyResult result = samples::mixed();
  result.cases = {samples::wrong_width()};
  EXPECT_EQ(sole_cause(result), samples::wrong_width().likely_cause);
  EXPECT_FALSE(sole_cause(result).empty());
  result.cases.push_back(samples::wrong_width());
  EXPECT_EQ(sole_cause(result), "");
  result.cases.back() = samples::passed("one", "QUERY");
  EXPECT_EQ(sole_cause(result), "");
}

TEST(RunVerdict, TheSubjectIsTheDialectWithItsWidth) {
  RunHeader header;
  header.dialect = "ratelimit-udp";
  EXPECT_EQ(subject_of(header), "ratelimit-udp");
  header.width = "u8";
  EXPECT_EQ(subject_of(header), "ratelimit-udp u8");
}

}  // namespace
}  // namespace hallmark::reports
