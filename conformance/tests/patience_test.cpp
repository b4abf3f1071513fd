#include "conformance/engine/patience.hpp"

#include <gtest/gtest.h>

#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance {
namespace {

TEST(Patience, SharesABudgetAndNeverWaitsLessThanItsFloor) {
  Patience patience(1'000);
  EXPECT_EQ(patience.allowance(), 1'000U);
  Time waited = 0;
  for (int i = 0; i < 100; ++i) {
    const Time wait = patience.allowance();
    patience.spend(wait);
    waited += wait;
  }
  EXPECT_EQ(patience.allowance(), patience.floor());
  EXPECT_TRUE(patience.exhausted());
  EXPECT_LE(waited, 1'000 * Patience::budget_deadlines + 100 * patience.floor());
}

TEST(Patience, OfDeliveriesIsApart) {
  Patience patience(1'000);
  for (int i = 0; i < 100; ++i)
    patience.spend(patience.allowance(Patience::For::deliveries), Patience::For::deliveries);
  EXPECT_EQ(patience.allowance(Patience::For::deliveries), patience.floor());
  EXPECT_EQ(patience.allowance(), 1'000U);
  EXPECT_FALSE(patience.exhausted());
}

TEST(Patience, OfFarewellsIsApartAndNeverRaised) {
  Patience patience(1'000);
  patience.never_below(100);
  for (int i = 0; i < 100; ++i)
    patience.spend(patience.allowance(Patience::For::farewells), Patience::For::farewells);
  EXPECT_EQ(patience.allowance(Patience::For::farewells), 1U);
  EXPECT_EQ(patience.allowance(), 1'000U);
  EXPECT_EQ(patience.floor(), 100U);
}

TEST(Patience, CurtailedKeepsOneDeadline) {
  Patience patience(1'000);
  patience.curtail();
  EXPECT_EQ(patience.allowance(), 500U);
}

constexpr Time millisecond = 1'000'000;

TEST(Allowance, IsNeverLessThanATargetUsuallyTakes) {
  testing::Simulation simulation;
  RunContext& context = simulation.context;
  for (const Patience::For what : Patience::all)
    context.patience.spend(Patience::budget_deadlines * testing::test_deadline, what);
  EXPECT_EQ(context.allowance(), context.patience.floor());
  for (int i = 0; i < 20; ++i) context.reply_times.note(2 * millisecond);
  EXPECT_GE(context.allowance(), 4 * 2 * millisecond) << "of a slow target, or one far away";
  EXPECT_GE(context.allowance(Patience::For::farewells), 2 * 2 * millisecond);
  for (int i = 0; i < 2'000; ++i) context.reply_times.note(10 * testing::test_deadline);
  EXPECT_EQ(context.allowance(), testing::test_deadline / 25) << "late answers have a bound, too";
}

}  // namespace
}  // namespace hallmark::conformance
