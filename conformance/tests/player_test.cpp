#include "conformance/drivers/stream/player.hpp"

#include <gmock/gmock.h>

#include "conformance/isolation/canary.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;

TEST(Player, PlaysIndeterminateCasesAgain) {
  Simulation simulation;
  int attempts = 0;
  const auto third_time = simulation.play(unit_that("late", [&](Stage& stage) {
    if (++attempts < 3) stage.indeterminate("too late to tell");
  }));
  EXPECT_EQ(third_time.front().verdict, Verdict::pass);
  const auto never = simulation.play(
      unit_that("never", [&](Stage& stage) { stage.indeterminate("too late to tell"); }));
  EXPECT_EQ(never.front().verdict, Verdict::indeterminate);
}

/// Twice, so that the second time shows that the first one left nothing behind.
void expect_passes_twice(Simulation& simulation, const Unit& unit) {
  for (int time = 0; time < 2; ++time) {
    for (const auto& result : simulation.play(unit))
      EXPECT_EQ(result.verdict, Verdict::pass) << result.id << ": " << result.reason;
  }
}

TEST(Player, LeavesATargetThatServesOneConnectionAtATimeTheOneOfTheCase) {
  Simulation simulation;
  simulation.network.serve_one_at_a_time();
  try_canary(simulation.context);
  EXPECT_FALSE(simulation.context.serves_several);
  EXPECT_TRUE(simulation.context.canary_sings);
  expect_passes_twice(simulation, unit_of_vector(pipelinable_vector()));
  expect_passes_twice(simulation, unit_that("two-keys", [](Stage& stage) {
                        for (const char* const name : {"one", "other"})
                          stage.connection().ask(insert(stage.key(name), 1), success());
                      }));
}

TEST(Player, CallsAnUnexpectedExceptionItsOwnError) {
  Simulation simulation;
  const auto results =
      simulation.play(unit_that("broken", [](Stage&) { throw std::runtime_error("a mistake"); }));
  EXPECT_EQ(results.front().verdict, Verdict::error);
  EXPECT_THAT(results.front().reason, ::testing::HasSubstr("a mistake"));
}

}  // namespace
}  // namespace hallmark::conformance::testing
