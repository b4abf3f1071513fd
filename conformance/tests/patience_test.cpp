#include "conformance/engine/patience.hpp"

#include <gtest/gtest.h>

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
  EXPECT_LE(waited, Patience::budget(1'000) + 100 * patience.floor());
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

TEST(Patience, IsLongEnoughForTheWayToATargetThatIsFarAway) {
  Patience patience(1'000'000);
  for (const Patience::For what : Patience::all) patience.spend(3'000'000, what);
  const Time nearby = patience.allowance();
  patience.connected_in(50'000);
  patience.connected_in(30'000);
  patience.connected_in(40'000);
  EXPECT_LT(nearby, 90'000U);
  EXPECT_EQ(patience.allowance(), 90'000U) << "thrice the shortest";
  EXPECT_EQ(patience.allowance(Patience::For::farewells), 90'000U);

  Patience of_the_moon(1'000'000);
  of_the_moon.spend(3'000'000);
  of_the_moon.connected_in(500'000);
  EXPECT_EQ(of_the_moon.allowance(), 200'000U) << "a fifth of the deadline";
}

TEST(Patience, CurtailedKeepsOneDeadline) {
  Patience patience(1'000);
  patience.curtail();
  EXPECT_EQ(patience.allowance(), 500U);
}

}  // namespace
}  // namespace hallmark::conformance
