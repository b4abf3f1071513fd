#include "conformance/drivers/stream/player.hpp"

#include <gmock/gmock.h>

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

TEST(Player, CallsAnUnexpectedExceptionItsOwnError) {
  Simulation simulation;
  const auto results =
      simulation.play(unit_that("broken", [](Stage&) { throw std::runtime_error("a mistake"); }));
  EXPECT_EQ(results.front().verdict, Verdict::error);
  EXPECT_THAT(results.front().reason, ::testing::HasSubstr("a mistake"));
}

}  // namespace
}  // namespace hallmark::conformance::testing
