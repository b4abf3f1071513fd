#include "reports/certify/joined.hpp"

#include <gmock/gmock.h>

#include <array>

#include "reports/badge.hpp"
#include "reports/tap_report.hpp"
#include "reports/tests/golden.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

CertifyResult of(std::string dialect, std::string width, CertifyResult result) {
  result.header.dialect = std::move(dialect);
  result.header.width = std::move(width);
  return result;
}

CertifyResult only(Verdict verdict) {
  CertifyResult result = samples::all_passed();
  result.cases.resize(1);
  result.cases.front().verdict = verdict;
  return result;
}

std::array<CertifyResult, 3> three() {
  return {of("throttr-7.3", "u8", samples::all_passed()),
          of("throttr-7.3", "u16", samples::many_failures(2)),
          of("throttr-7.1", "u16", samples::all_passed())};
}

TEST(Joined, NamesDialectsWithTheirWidths) {
  EXPECT_EQ(joined(three()).header.dialect, "throttr-7.3 u8 u16, throttr-7.1 u16");
  EXPECT_EQ(joined(three()).header.width, "");
}

TEST(Joined, HasAllCasesAndTheTimeOfAll) {
  const auto results = three();
  std::size_t cases = 0;
  std::chrono::nanoseconds duration{};
  for (const CertifyResult& one : results) {
    cases += one.cases.size();
    duration += one.header.duration;
  }
  EXPECT_EQ(joined(results).cases.size(), cases);
  EXPECT_EQ(joined(results).header.duration, duration);
}

TEST(Joined, AFindingOfSeveralWidthsIsOne) {
  auto results = three();
  for (CertifyResult& one : results) {
    one.findings = {samples::finding_of(one.cases.front())};
    one.findings.front().repeated = {.failed = 1, .played = 1};
  }
  results[2].findings.front().id = "crash-00beef";
  results[2].findings.front().severity = Severity::critical;
  const CertifyResult all = joined(results);
  ASSERT_EQ(all.findings.size(), 2U);
  EXPECT_EQ(all.findings[0].id, "crash-00beef") << "the most serious comes first";
  EXPECT_THAT(all.findings[0].seen_in, ElementsAre("throttr-7.1 u16"));
  EXPECT_THAT(all.findings[1].seen_in, ElementsAre("throttr-7.3 u8", "throttr-7.3 u16"));
  EXPECT_EQ(all.findings[1].cases.size(), 2U);
  EXPECT_EQ(all.findings[1].repeated, (Repetitions{.failed = 2, .played = 2}));
}

TEST(Joined, OneStaysAsItIs) {
  const CertifyResult result = samples::mixed();
  EXPECT_EQ(joined({&result, 1}), result);
}

/// Every pair of ways in which a run can end.
TEST(Joined, ExitCodeIsTheWorst) {
  CertifyResult interrupted = samples::all_passed();
  interrupted.interrupted = true;
  const CertifyResult ends[] = {samples::all_passed(),        samples::many_failures(1),
                                samples::unreachable(),       interrupted,
                                only(Verdict::indeterminate), only(Verdict::error),
                                only(Verdict::skipped),       samples::lacking_operations()};
  for (const CertifyResult& a : ends) {
    for (const CertifyResult& b : ends) {
      const std::array pair{of("a", "u8", a), of("b", "u8", b)};
      EXPECT_EQ(exit_code(joined(pair)), worst(exit_code(a), exit_code(b)));
    }
  }
}

TEST(Joined, ARunThatCertifiedNothingIsNamed) {
  const std::array pair{of("throttr-7.3", "u8", samples::all_passed()),
                        of("throttr-7.3", "u16", only(Verdict::skipped))};
  EXPECT_EQ(joined(pair).run_error, "throttr-7.3 u16: no case passed");
}

TEST(Joined, LackedOperationsAreNamedOnce) {
  const std::array pair{samples::lacking_operations(), samples::lacking_operations()};
  EXPECT_EQ(joined(pair).missing_operations, samples::lacking_operations().missing_operations);
}

TEST(Joined, TerminalIsAsTheGoldenFile) {
  expect_golden("certify_joined.txt", render_terminal(three(), TerminalStyle{}));
}

TEST(Joined, TerminalFitsOnTheScreen) {
  const TerminalStyle style{.height = 40};
  const std::string text = render_terminal(three(), style);
  EXPECT_LT(std::ranges::count(text, '\n'), 40);
  EXPECT_THAT(text, HasSubstr("FAILED  "));
}

TEST(Joined, GitHubSummaryHasARowForEach) {
  const std::string text = render_github_summary(three());
  EXPECT_THAT(text, HasSubstr("### ❌ throttr-7.3 u8 u16, throttr-7.1 u16: not certified"));
  EXPECT_THAT(text, HasSubstr("\n| throttr-7.3 u8 | "));
  EXPECT_THAT(text, EndsWith("CERTIFIED |\n"));
}

TEST(Joined, OtherRenderingsTellOfAll) {
  const auto results = three();
  EXPECT_THAT(render_badge(joined(results)),
              HasSubstr("throttr-7.3 u8 u16, throttr-7.1 u16: 2 failed"));
  EXPECT_THAT(render_tap(joined(results)),
              HasSubstr("\n1.." + std::to_string(joined(results).cases.size()) + "\n"));
}

}  // namespace
}  // namespace hallmark::reports
