#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/json_report.hpp"
#include "reports/terminal_report.hpp"
#include "reports/tests/golden.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

struct Row {
  const char* name;
  IdentifyResult (*sample)();
  ExitCode code;
  TerminalStyle style = {};
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class IdentifyReport : public testing::TestWithParam<Row> {};

TEST_P(IdentifyReport, IsAsTheGoldenFile) {
  const auto& [name, sample, code, style] = GetParam();
  expect_golden(std::string("identify_") + name + ".txt", render_terminal(sample(), style));
  EXPECT_EQ(exit_code(sample()), code);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, IdentifyReport,
    testing::Values(
        Row{"identified", &samples::identified, ExitCode::as_expected},
        Row{"colour", &samples::identified, ExitCode::as_expected, {.colour = true, .width = 60}},
        Row{"between_profiles", &samples::identified_between_profiles, ExitCode::as_expected},
        Row{"stranger", &samples::stranger, ExitCode::failures},
        Row{"half", &samples::half_identified, ExitCode::indeterminate}),
    testing::PrintToStringParamName());

TEST(IdentifyReportText, SaysLastWhatItIs) {
  EXPECT_THAT(render_terminal(samples::identified(), {}),
              EndsWith("throttr-7.1 at u16, profile deployed (in 1.23 s)\n"));
}

TEST(IdentifyReportText, DoesNotLetATargetSteerTheTerminal) {
  EXPECT_THAT(render_terminal(samples::stranger(), {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(render_json(samples::stranger()), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace hallmark::reports
