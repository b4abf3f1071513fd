#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;

std::size_t operations_of(const Unit& unit, const WireFormat& format = format_u16()) {
  Simulation simulation(Bug::none, format, format);
  simulation.play(unit);
  return simulation.network.operations();
}

/// Something is wrong with the target, and that is what comes out: never a pass that saw nothing,
/// never an exception, never a wait without end.
void play_with_fault(const Unit& unit, Fault fault, const WireFormat& format = format_u16()) {
  Simulation simulation(Bug::none, format, format);
  simulation.network.inject(fault);
  const Time started = simulation.network.now();
  const auto results = simulation.play(unit);
  ASSERT_EQ(results.size(), unit.cases.size());
  for (const auto& result : results) {
    if (result.verdict == Verdict::pass) continue;
    EXPECT_FALSE(result.reason.empty()) << result.id;
  }
  const Time most = test_deadline * Patience::budget_deadlines;
  EXPECT_LE(simulation.network.now() - started, most + 1'000'000'000);
}

/// Where faults are injected into what has so many steps: at each where HALLMARK_EVERY_FAULT is
/// set, as in CI. Elsewhere at the first hundred and a sample of the later ones, which resemble
/// each other, and cost the more the later they are.
std::vector<std::size_t> places_among(std::size_t steps) {
  const std::size_t later = std::getenv("HALLMARK_EVERY_FAULT") != nullptr ? 1 : 7;
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < steps; at += at < 100 ? 1 : later) places.push_back(at);
  return places;
}

class FaultAtEveryStep : public ::testing::TestWithParam<FaultKind> {};

TEST_P(FaultAtEveryStep, OfAVectorGivesAVerdict) {
  Unit unit = unit_of_vector(sample_vector());
  unit.cases.resize(1);
  const std::size_t operations = operations_of(unit);
  ASSERT_GT(operations, 10U);
  for (const std::size_t at : places_among(operations)) {
    SCOPED_TRACE(at);
    play_with_fault(unit, {GetParam(), at});
  }
}

TEST_P(FaultAtEveryStep, OfASplitVectorGivesAVerdict) {
  const Unit unit = unit_of_vector(pipelinable_vector());
  const std::size_t operations = operations_of(unit);
  for (const std::size_t at : places_among(operations)) {
    SCOPED_TRACE(at);
    play_with_fault(unit, {GetParam(), at});
  }
}

TEST_P(FaultAtEveryStep, OfBehavioursGivesAVerdict) {
  for (const char* const name :
       {"insert/adds-a-counter", "publish/to-each-once-in-order", "ttl/milliseconds",
        "robustness/unknown-opcodes", "stream/half-a-request"}) {
    const Unit unit = unit_of_behaviour(name);
    const std::size_t operations = operations_of(unit);
    for (const std::size_t at : places_among(operations)) {
      SCOPED_TRACE(fmt::format("{} at {}", name, at));
      play_with_fault(unit, {GetParam(), at});
    }
  }
}

TEST_P(FaultAtEveryStep, OfOtherDialectsGivesAVerdict) {
  const std::pair<const WireFormat*, const char*> played[] = {
      {&format_2_0(), "request-id/doubled"},
      {&format_2_0(), "stream/pipelined"},
      {&format_2_0(), "robustness/unlisted-ttl-types"},
      {&format_7_3(), "publish/between-replies"}};
  for (const auto& [format, name] : played) {
    const Unit unit = unit_of_behaviour(name, *format);
    const std::size_t operations = operations_of(unit, *format);
    for (const std::size_t at : places_among(operations)) {
      SCOPED_TRACE(fmt::format("{} at {}", name, at));
      play_with_fault(unit, {GetParam(), at}, *format);
    }
  }
}

TEST_P(FaultAtEveryStep, OfAWholeRunGivesAReport) {
  const auto run = [](SimulatedNetwork& network) {
    CertifyOptions options;
    options.schedule.jobs = 1;
    return certify_over(network, format_u16(),
                        {unit_of_vector(sample_vector()), unit_of_behaviour("query/missing")},
                        options);
  };
  Simulation healthy;
  ASSERT_EQ(reports::exit_code(run(healthy.network)), reports::ExitCode::as_expected);
  const std::size_t operations = healthy.network.operations();
  for (const std::size_t at : places_among(operations)) {
    SCOPED_TRACE(at);
    Simulation simulation;
    simulation.network.inject({GetParam(), at});
    const auto result = run(simulation.network);
    EXPECT_TRUE(!result.cases.empty() || !result.run_error.empty());
    EXPECT_LE(result.header.duration.count(),
              static_cast<std::int64_t>(test_deadline * (Patience::budget_deadlines + 2)));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, FaultAtEveryStep, ::testing::ValuesIn(all_faults),
                         [](const auto& row) {
                           switch (row.param) {
                             case FaultKind::close: return "close";
                             case FaultKind::reset: return "reset";
                             case FaultKind::stall: return "stall";
                             case FaultKind::garbage: return "garbage";
                             case FaultKind::refuse: return "refuse";
                           }
                           return "";
                         });

TEST(FaultInjection, AfterTheLastStepChangesNothing) {
  Unit unit = unit_of_vector(sample_vector());
  unit.cases.resize(1);
  Simulation simulation;
  simulation.network.inject({FaultKind::reset, operations_of(unit)});
  EXPECT_EQ(simulation.play(unit).front().verdict, Verdict::pass);
}

}  // namespace
}  // namespace hallmark::conformance::testing
