#include "reports/certify/finding_report.hpp"

#include <gmock/gmock.h>

#include "base/text.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RunHeader header_of(std::string target) {
  RunHeader header = samples::header();
  header.target = std::move(target);
  return header;
}

TEST(FindingReport, SaysHowOftenItWasConfirmed) {
  CertifyFinding finding = samples::finding_of(samples::wrong_width());
  finding.repeated = {.failed = 2, .played = 3};
  EXPECT_EQ(repetitions_in_words(finding.repeated, header_of("exec:./server")),
            "confirmed 2 of 3 times on fresh processes");
}

TEST(FindingReport, SaysWhyItWasNotConfirmed) {
  const CertifyFinding finding = samples::finding_of(samples::wrong_width());
  EXPECT_EQ(repetitions_in_words(finding.repeated, header_of("tcp://127.0.0.1:9000")),
            "not confirmed: the target is not ours to start");
  EXPECT_EQ(repetitions_in_words(finding.repeated, header_of("exec:./server")),
            "not confirmed: it was not played again");
}

TEST(FindingReport, NamesWhereItWasSeen) {
  CertifyFinding finding = samples::finding_of(samples::wrong_width());
  EXPECT_EQ(extent_in_words(finding), "explains 1 case");
  finding.seen_in = {"throttr-7.1 u8", "throttr-7.1 u16"};
  EXPECT_EQ(extent_in_words(finding), "explains 1 case, throttr-7.1 u8, throttr-7.1 u16");
}

TEST(FindingReport, HasTheScriptAndAllCasesInFull) {
  const CertifyFinding finding = samples::finding_of(samples::wrong_width());
  const std::string text = finding_in_full(finding, samples::header());
  for (const std::string& request : finding.script) EXPECT_THAT(text, HasSubstr(request));
  EXPECT_THAT(text, HasSubstr("\n  " + finding.cases.front() + "\n"));
}

TEST(FindingReport, FitsANarrowTerminal) {
  CertifyResult result;
  result.header = header_of("exec:./server");
  result.findings = {samples::finding_of(samples::wrong_width())};
  result.findings[0].id = "wrong-field-db9f69";
  result.findings[0].repeated = {.failed = 6, .played = 6};
  const std::string text = render_findings(result, {.width = 60}, 1);
  for (const std::string_view line : base::split(text, '\n'))
    EXPECT_LE(base::display_width(line), 60U) << line;
}

TEST(FindingReport, NamesNoClauseWhereNoneIsViolated) {
  CertifyResult result;
  result.header = header_of("exec:./server");
  result.findings = {samples::finding_of(samples::wrong_width())};
  result.findings[0].clauses = {};
  const std::string text = render_findings(result, {.width = 100}, 1);
  EXPECT_THAT(text, HasSubstr("\n          shown by " + result.findings[0].shown_by + "\n"));
}

TEST(FindingReport, NothingOfATargetSteersATerminal) {
  CertifyFinding finding = samples::finding_of(samples::wrong_width());
  finding.script = {"c1: \"\x1b[2J\""};
  EXPECT_THAT(finding_in_full(finding, samples::header()), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace hallmark::reports
