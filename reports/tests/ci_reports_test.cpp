#include <gmock/gmock.h>

#include <pugixml.hpp>
#include <regex>

#include "reports/badge.hpp"
#include "reports/github_report.hpp"
#include "reports/tap_report.hpp"
#include "reports/tests/golden.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::size_t lines_that(const std::string& text, const char* pattern) {
  const std::regex regex(pattern, std::regex::multiline);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {}));
}

TEST(Tap, IsAsTheGoldenFile) { expect_golden("certify_mixed.tap", render_tap(samples::mixed())); }

TEST(Tap, PlansAndNumbersEveryCase) {
  const CertifyResult result = samples::many_failures(7);
  const std::string text = render_tap(result);
  EXPECT_THAT(text, StartsWith("TAP version 14\n1.." + std::to_string(result.cases.size()) + "\n"));
  EXPECT_EQ(lines_that(text, "^(not )?ok [0-9]+ - "), result.cases.size());
  EXPECT_EQ(lines_that(text, "^not ok "), 7U);
  EXPECT_EQ(lines_that(text, "^  ---$"), 7U);
}

TEST(Tap, FindingsComeBeforeTheCases) {
  const std::string text = render_tap(samples::mixed());
  EXPECT_LT(text.find("# finding: medium wrong-field-00beef: "), text.find("ok 1 - "));
}

TEST(Tap, BailsOutWithoutATarget) {
  EXPECT_THAT(render_tap(samples::unreachable()), HasSubstr("\nBail out! "));
}

TEST(GitHub, AnnotatesTheFirstFailuresAndCountsTheOthers) {
  const std::string text = render_github_annotations(samples::many_failures(30));
  EXPECT_EQ(lines_that(text, "^::error "), 10U);
  EXPECT_THAT(text, HasSubstr("::21 more cases failed\n"));
  EXPECT_EQ(render_github_annotations(samples::all_passed()), "");
}

TEST(GitHub, AnnotatesFindingsRatherThanTheirCases) {
  CertifyResult result = samples::many_failures(30);
  result.findings = {samples::finding_of(result.cases.front())};
  const std::string text = render_github_annotations(result);
  EXPECT_EQ(lines_that(text, "^::error "), 1U);
  EXPECT_THAT(text, StartsWith("::error title=medium wrong-field-00beef::"));
}

TEST(GitHub, NothingOfATargetEndsALineOrStartsACommand) {
  const std::string text = render_github_annotations(samples::mixed());
  EXPECT_EQ(lines_that(text, "^::"), lines_that(text, "^."));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(GitHub, SummaryIsAsTheGoldenFile) {
  expect_golden("certify_mixed.md", render_github_summary(samples::mixed()));
}

TEST(GitHub, SummarySaysWhatWasCertified) {
  EXPECT_THAT(render_github_summary(samples::all_passed()), HasSubstr(": certified\n"));
  EXPECT_THAT(render_github_summary(samples::unreachable()), HasSubstr("not certified"));
}

TEST(Badge, IsWellFormedAndSaysTheResult) {
  const auto title = [](const CertifyResult& result) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(render_badge(result).c_str()));
    return std::string(document.child("svg").child("title").text().get());
  };
  EXPECT_THAT(title(samples::all_passed()), HasSubstr(": certified, 180 cases"));
  EXPECT_THAT(title(samples::many_failures(3)), HasSubstr(": 3 failed"));
  EXPECT_THAT(title(samples::unreachable()), HasSubstr(": undecided"));
}

}  // namespace
}  // namespace hallmark::reports
