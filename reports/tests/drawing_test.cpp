#include <gmock/gmock.h>

#include "reports/github_report.hpp"
#include "reports/json_report.hpp"
#include "reports/junit_report.hpp"
#include "reports/saved_result.hpp"
#include "reports/tap_report.hpp"
#include "reports/terminal_report.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CertifyResult drawn() {
  CertifyResult result = samples::all_passed();
  CaseResult failed = samples::wrong_width();
  failed.drawing = {"c1  ├INSERT 1 → ok┤", "c2   ├INSERT 2 → ok┤", "                    ▲"};
  result.cases = {failed};
  return result;
}

TEST(Drawing, StandsAboveTheBytesWhereverAFailureIsShown) {
  const CertifyResult result = drawn();
  const std::string shown = render_case(result.cases.front(), TerminalStyle{}, 40);
  const std::string lines =
      "      c1  ├INSERT 1 → ok┤\n      c2   ├INSERT 2 → ok┤\n                          ▲\n";
  EXPECT_THAT(shown, HasSubstr(lines));
  EXPECT_LT(shown.find("├INSERT"), shown.find("c1 sent"));
  EXPECT_THAT(render_github_summary(result), HasSubstr(lines));
  EXPECT_THAT(render_junit(result), HasSubstr("├INSERT 2 → ok┤"));
  EXPECT_THAT(render_tap(result), HasSubstr("  drawing:\n    - \"c1  ├INSERT 1 → ok┤\"\n"));
}

TEST(Drawing, IsSavedAndReadBack) {
  const auto read = parse_result(render_json(drawn()), "drawn.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(std::get<CertifyResult>(*read), drawn());
}

TEST(Drawing, IsNotThereWhereThereIsNone) {
  EXPECT_THAT(render_json(samples::mixed()), Not(HasSubstr("drawing")));
  EXPECT_THAT(render_tap(samples::mixed()), Not(HasSubstr("drawing")));
}

}  // namespace
}  // namespace hallmark::reports
