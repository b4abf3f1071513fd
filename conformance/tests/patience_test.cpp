#include "conformance/engine/patience.hpp"

#include <gtest/gtest.h>

namespace hallmark::conformance {
namespace {

void use_up(Patience& patience, Patience::For what = Patience::For::replies) {
  for (int i = 0; i < 100; ++i) patience.spend(patience.allowance(what), what);
}

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
  EXPECT_LE(waited, Patience::budget(1'000) + 100 * patience.floor());
}

TEST(Patience, OfDeliveriesIsApart) {
  Patience patience(1'000);
  use_up(patience, Patience::For::deliveries);
  EXPECT_EQ(patience.allowance(Patience::For::deliveries), patience.floor());
  EXPECT_EQ(patience.allowance(), 1'000U);
  EXPECT_FALSE(patience.exhausted());
}

TEST(Patience, OfFarewellsIsApartAndNeverRaised) {
  Patience patience(1'000);
  patience.never_below(100);
  use_up(patience, Patience::For::farewells);
  EXPECT_EQ(patience.allowance(Patience::For::farewells), 1U);
  EXPECT_EQ(patience.allowance(), 1'000U);
  EXPECT_EQ(patience.floor(), 100U);
}

TEST(Patience, IsLongEnoughForTheWayToATargetThatIsFarAway) {
  Patience patience(1'000'000);
  for (const Patience::For what : Patience::all) use_up(patience, what);
  const Time nearby = patience.allowance();
  patience.connected_in(50'000);
  patience.connected_in(30'000);
  patience.connected_in(40'000);
  EXPECT_LT(nearby, 90'000U);
  EXPECT_EQ(patience.allowance(), 90'000U) << "thrice the shortest";
  EXPECT_EQ(patience.allowance(Patience::For::farewells), 90'000U);

  Patience of_the_moon(1'000'000);
  use_up(of_the_moon);
  of_the_moon.connected_in(500'000);
  EXPECT_EQ(of_the_moon.allowance(), 200'000U) << "a fifth of the deadline";
}

/// How many waits in vain there are, each `longer` times as long as it should be.
int waits_until_exhausted(Patience& patience, Time longer = 1) {
  int waits = 0;
  for (; !patience.exhausted() && waits < 100; ++waits)
    patience.spend(longer * patience.allowance());
  return waits;
}

TEST(Patience, IsUsedUpByEquallyManyWaitsOnABusyMachine) {
  Patience calm(1'000'000);
  Patience kept_waiting(1'000'000);
  Patience far_away(1'000'000);
  far_away.connected_in(100'000);
  const int waits = waits_until_exhausted(calm);
  EXPECT_EQ(waits, 8);
  EXPECT_EQ(waits_until_exhausted(kept_waiting, 4), waits);
  EXPECT_EQ(waits_until_exhausted(far_away), waits);
}

TEST(Patience, CurtailedKeepsOneDeadline) {
  Patience patience(1'000);
  patience.curtail();
  EXPECT_EQ(patience.allowance(), 500U);
}

}  // namespace
}  // namespace hallmark::conformance
