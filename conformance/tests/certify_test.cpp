#include "conformance/engine/certify.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;
using ::testing::HasSubstr;

Suite some_cases() {
  return {unit_of_vector(sample_vector()), unit_of_behaviour("insert/adds-a-counter"),
          unit_of_behaviour("whoami/stable"), unit_of_behaviour("whoami/different")};
}

reports::CertifyResult run(SimulatedNetwork& network, const Suite& suite) {
  CertifyOptions options;
  options.target_text = "simulated";
  options.schedule.jobs = 1;
  return certify_over(network, format_u16(), suite, options);
}

TEST(Certify, StartsAndEndsWithASanityCase) {
  Simulation simulation;
  const auto result = run(simulation.network, some_cases());
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::as_expected);
  EXPECT_EQ(result.cases.front().id, "throttr-7.1/u16/sanity/before");
  EXPECT_EQ(result.cases.back().id, "throttr-7.1/u16/sanity/after");
  EXPECT_EQ(result.header.dialect, "throttr-7.1");
  EXPECT_EQ(result.header.width, "u16");
}

class WrongWidth : public ::testing::TestWithParam<protocol::Width> {};

TEST_P(WrongWidth, IsNamedInEveryFailure) {
  const WireFormat served(GetParam(), format_u16().readings());
  Simulation simulation(Bug::none, served);
  const auto result = run(simulation.network, some_cases());
  const std::string cause =
      fmt::format("the target serves width {}", protocol::name_of(GetParam()));
  EXPECT_EQ(result.cases.front().verdict, Verdict::fail);
  EXPECT_EQ(result.cases.front().likely_cause, cause);
  EXPECT_FALSE(result.cases.front().evidence.empty());
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

INSTANTIATE_TEST_SUITE_P(Widths, WrongWidth,
                         ::testing::Values(protocol::Width::u8, protocol::Width::u32,
                                           protocol::Width::u64),
                         [](const auto& row) { return std::string(protocol::name_of(row.param)); });

TEST(Certify, OfASilentTargetTakesABoundedTime) {
  Simulation simulation;
  simulation.network.inject({FaultKind::stall, 8});
  Suite suite;
  for (int i = 0; i < 200; ++i) suite.push_back(unit_of_behaviour("insert/adds-a-counter"));
  const auto result = run(simulation.network, suite);
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
  EXPECT_LE(static_cast<Time>(result.header.duration.count()),
            Patience::budget(test_deadline) + test_deadline);
  EXPECT_EQ(result.cases.size(), 202U);
}

TEST(Certify, OfATargetThatIsNotThereSaysSo) {
  Simulation simulation;
  simulation.network.inject({FaultKind::refuse, 0});
  const auto result = run(simulation.network, some_cases());
  EXPECT_TRUE(result.cases.empty());
  EXPECT_THAT(result.run_error, HasSubstr("refused"));
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::unreachable_or_harness_error);
}

TEST(Certify, CallsAnOperationUnsupportedThatIsRefusedAsUndefinedOnesAre) {
  Simulation simulation(Bug::closes_on_whoami);
  const auto result = run(simulation.network, {unit_of_behaviour("insert/adds-a-counter"),
                                               unit_of_behaviour("whoami/stable")});
  EXPECT_EQ(result.cases[1].verdict, Verdict::pass);
  EXPECT_EQ(result.cases[2].verdict, Verdict::unsupported);
  EXPECT_THAT(result.cases[2].reason, HasSubstr("never answered WHOAMI"));
}

TEST(Certify, CallsAnOperationThatIsOnlyWrongFailed) {
  Simulation simulation(Bug::changing_id);
  const auto result = run(simulation.network, {unit_of_behaviour("whoami/stable")});
  EXPECT_EQ(result.cases[1].verdict, Verdict::fail);
}

}  // namespace
}  // namespace hallmark::conformance::testing
