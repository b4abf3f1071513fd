#include "conformance/judgement/unsupported.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/engine/certify.hpp"
#include "conformance/identify/tests/fake_throttr.hpp"
#include "conformance/judgement/basis.hpp"
#include "conformance/suites/throttr/cases.hpp"
#include "protocol/dialects.hpp"
#include "reports/certify/run_verdict.hpp"

namespace hallmark::conformance::testing {
namespace {

using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using reports::CertifyResult;
using reports::ExitCode;
using reports::Verdict;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Names = std::vector<std::string>;

/// The readings and the behaviours of those sections.
SuiteMaker suite_of(std::vector<std::string> sections) {
  return [sections](const WireFormat& format) -> base::Expected<Suite, std::string> {
    const std::string prefix = id_prefix(&format.dialect(), format.width());
    Suite suite = suite_of_readings(format.dialect(), prefix);
    for (Unit& unit : suite_of_behaviours(behaviour_cases(format), prefix)) {
      const std::string section = unit.name.substr(0, unit.name.find('/'));
      if (std::ranges::find(sections, section) != sections.end()) suite.push_back(std::move(unit));
    }
    return suite;
  };
}

CertifyResult certified_without(std::set<std::string_view> operations, const SuiteMaker& suite) {
  FakeThrottr target(Width::u16, Readings(protocol::throttr_7_1, Profile::deployed));
  target.without = std::move(operations);
  TestNetwork network(target);
  CertifyOptions options;
  options.target_text = "simulated";
  options.asked = {.dialect = &protocol::throttr_7_1, .width = Width::u16};
  options.schedule.jobs = 1;
  return *certify_over(network, suite, options);
}

/// Describes the cases that did not pass, for the message of a test that fails.
std::string not_passed(const CertifyResult& result) {
  std::string text;
  for (const reports::CaseResult& one : result.cases) {
    if (one.verdict != Verdict::pass)
      text += fmt::format("{} {}: {}\n", one.id, name_of(one.verdict), one.reason);
  }
  return text;
}

struct LackingRow {
  const char* name;
  std::set<std::string_view> without;
  Names sections;
  std::string verdict;
};

void PrintTo(const LackingRow& row, std::ostream* out) { *out << row.name; }

class Lacking : public ::testing::TestWithParam<LackingRow> {};

/// Cases of other operations that need it are unsupported, too, and nothing fails.
TEST_P(Lacking, IsNamedInTheVerdict) {
  const CertifyResult result = certified_without(GetParam().without, suite_of(GetParam().sections));
  EXPECT_EQ(run_verdict(result), GetParam().verdict) << not_passed(result);
  EXPECT_EQ(exit_code(result), ExitCode::as_expected);
}

INSTANTIATE_TEST_SUITE_P(
    Operations, Lacking,
    ::testing::Values(LackingRow{"nothing", {}, {"insert", "whoami", "publish"}, "CERTIFIED"},
                      LackingRow{
                          "WHOAMI", {"WHOAMI"}, {"insert", "whoami"}, "CERTIFIED WITHOUT WHOAMI"},
                      LackingRow{"PUBLISH",
                                 {"PUBLISH"},
                                 {"insert", "subscribe", "unsubscribe", "publish"},
                                 "CERTIFIED WITHOUT PUBLISH"},
                      LackingRow{"those_in_the_documents_order",
                                 {"WHOAMI", "STAT", "PUBLISH"},
                                 {"whoami", "publish", "stat"},
                                 "CERTIFIED WITHOUT STAT, PUBLISH, WHOAMI"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Unsupported, SaysWhatACaseOfAnotherOperationNeeds) {
  const CertifyResult result = certified_without({"PUBLISH"}, suite_of({"insert", "subscribe"}));
  const auto one = std::ranges::find_if(
      result.cases, [](const auto& that) { return that.id.ends_with("/subscribe/starts"); });
  ASSERT_NE(one, result.cases.end());
  EXPECT_EQ(one->verdict, Verdict::unsupported);
  EXPECT_EQ(one->reason,
            "needs PUBLISH: the target never answered PUBLISH and ends the connection, as it does "
            "for an undefined opcode");
}

}  // namespace
}  // namespace hallmark::conformance::testing
