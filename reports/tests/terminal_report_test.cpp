#include "reports/terminal_report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/tests/golden.hpp"
#include "reports/tests/samples.hpp"

namespace hallmark::reports {
namespace {

using testing::HasSubstr;

struct CertifyRow {
  const char* name;
  CertifyResult (*sample)();
  TerminalStyle style;
};

void PrintTo(const CertifyRow& row, std::ostream* out) { *out << row.name; }

CertifyResult interrupted() {
  auto result = samples::all_passed();
  result.interrupted = true;
  return result;
}
CertifyResult only_skipped() {
  auto result = samples::unreachable();
  result.run_error.clear();
  result.cases = {samples::passed("list/empty", "LIST")};
  result.cases[0].verdict = Verdict::skipped;
  return result;
}
CertifyResult seven_failures() { return samples::many_failures(7); }

class CertifyOnTerminal : public testing::TestWithParam<CertifyRow> {};

TEST_P(CertifyOnTerminal, IsAsTheGoldenFile) {
  expect_golden(std::string("certify_") + GetParam().name + ".txt",
                render_terminal(GetParam().sample(), GetParam().style));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, CertifyOnTerminal,
    testing::Values(CertifyRow{"mixed", &samples::mixed, {}},
                    CertifyRow{"mixed_colour", &samples::mixed, {.colour = true}},
                    CertifyRow{"mixed_30_rows", &samples::mixed, {.width = 80, .height = 30}},
                    CertifyRow{"all_passed", &samples::all_passed, {}},
                    CertifyRow{"lacking_operations", &samples::lacking_operations, {}},
                    CertifyRow{"untested_rules", &samples::untested_rules, {}},
                    CertifyRow{"untested_rules_24_rows", &samples::untested_rules, {.height = 24}},
                    CertifyRow{"unreachable", &samples::unreachable, {}},
                    CertifyRow{"interrupted", &interrupted, {}},
                    CertifyRow{"only_skipped", &only_skipped, {}},
                    CertifyRow{"seven_failures", &seven_failures, {}},
                    CertifyRow{"seven_failures_24_rows", &seven_failures, {.height = 24}}),
    [](const auto& row) { return std::string(row.param.name); });

struct HeightRow {
  std::size_t failures;
  std::size_t height;
};

void PrintTo(const HeightRow& row, std::ostream* out) {
  *out << row.failures << " failures, " << row.height << " rows";
}

class FirstFailure : public testing::TestWithParam<HeightRow> {};

TEST_P(FirstFailure, IsReadableWithoutScrolling) {
  const auto text = render_terminal(samples::many_failures(GetParam().failures),
                                    {.width = 100, .height = GetParam().height});
  EXPECT_LT(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), GetParam().height)
      << text;
  EXPECT_THAT(text, HasSubstr("FAIL  case/0"));
  EXPECT_THAT(text, HasSubstr("reproduce with"));
}

INSTANTIATE_TEST_SUITE_P(Rows, FirstFailure,
                         testing::Values(HeightRow{1, 24}, HeightRow{1, 40}, HeightRow{2, 24},
                                         HeightRow{18, 30}, HeightRow{180, 24}, HeightRow{180, 60}),
                         [](const auto& row) {
                           return fmt::format("{}Failures{}Rows", row.param.failures,
                                              row.param.height);
                         });

TEST(LoadOnTerminal, OpenLoop) {
  expect_golden("load_open.txt", render_terminal(samples::open_loop(), {}));
  expect_golden("load_explained.txt", render_terminal(samples::explained(), {}));
}

TEST(LoadOnTerminal, ClosedLoopWithErrors) {
  expect_golden("load_closed.txt", render_terminal(samples::closed_loop_with_errors(), {}));
}

TEST(LoadOnTerminal, Datagrams) {
  expect_golden("load_datagrams.txt", render_terminal(samples::datagrams(), {}));
}

TEST(LoadOnTerminal, Store) {
  expect_golden("load_store.txt", render_terminal(samples::store(), {}));
}

TEST(LoadOnTerminal, Objectives) {
  expect_golden("load_objectives.txt", render_terminal(samples::with_objectives(), {}));
}

TEST(LoadOnTerminal, Colour) {
  expect_golden("load_closed_colour.txt",
                render_terminal(samples::closed_loop_with_errors(), {.colour = true}));
}

struct LoadVerdictRow {
  const char* name;
  void (*change)(LoadResult&);
  const char* line;
};

void PrintTo(const LoadVerdictRow& row, std::ostream* out) { *out << row.name; }

class LoadVerdict : public testing::TestWithParam<LoadVerdictRow> {};

TEST_P(LoadVerdict, IsTheLastLine) {
  auto result = samples::open_loop();
  GetParam().change(result);
  EXPECT_THAT(render_terminal(result, {}), testing::EndsWith(GetParam().line));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, LoadVerdict,
    testing::Values(LoadVerdictRow{"Inconclusive",
                                   [](LoadResult& r) { r.inconclusive = "no CPU left"; },
                                   "INCONCLUSIVE  no CPU left, after 1.23 s\n"},
                    LoadVerdictRow{"Interrupted", [](LoadResult& r) { r.interrupted = true; },
                                   "INTERRUPTED  the results up to there in 1.23 s\n"},
                    LoadVerdictRow{"Unreachable",
                                   [](LoadResult& r) { r.run_error = "Connection refused"; },
                                   "ERROR  Connection refused, after 1.23 s\n"},
                    LoadVerdictRow{"Nothing", [](LoadResult& r) { r.counts = {}; },
                                   "ERROR  no request was completed, after 1.23 s\n"},
                    LoadVerdictRow{"Unbalanced", [](LoadResult& r) { ++r.counts.planned; },
                                   "these numbers are wrong, after 1.23 s\n"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::reports
