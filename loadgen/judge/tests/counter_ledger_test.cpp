#include "loadgen/judge/counter_ledger.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace hallmark::loadgen {
namespace {

TEST(CounterLedger, AddsUpWhatSeveralThreadsMoved) {
  CounterLedger ledger(10);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (std::uint32_t i = 0; i < 10'000; ++i) ledger.moved(i % 10, i % 3 == 0 ? -1 : 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::int64_t sum = 0;
  for (std::uint32_t key = 0; key < 10; ++key) {
    const auto range = ledger.range_of(key, 0);
    EXPECT_EQ(range.least, range.most);
    sum += range.least;
  }
  EXPECT_EQ(sum, 4 * (10'000 - 2 * 3'334));
}

TEST(CounterLedger, TakesWhatAnotherOneMoved) {
  CounterLedger other(3);
  other.moved(1, 5);
  other.moved(1, -2);
  other.lost(2, 1);
  other.lost(2, -3);
  CounterLedger ledger(3);
  ledger.moved(1, 1);
  ASSERT_EQ(other.entries().size(), 2U);
  for (const auto& entry : other.entries()) EXPECT_TRUE(ledger.add(entry));
  EXPECT_EQ(ledger.range_of(1, 0).least, 4);
  EXPECT_EQ(ledger.range_of(1, 0).most, 4);
  EXPECT_EQ(ledger.range_of(2, 0).least, -3);
  EXPECT_EQ(ledger.range_of(2, 0).most, 1);
  EXPECT_FALSE(ledger.add({.key = 3, .up = 1}));
}

/// It may have taken effect or not.
TEST(CounterLedger, LeavesOpenWhatBecameOfLostRequests) {
  CounterLedger ledger(2);
  ledger.moved(1, 5);
  ledger.lost(1, 1);
  ledger.lost(1, 1);
  ledger.lost(1, -1);
  const auto range = ledger.range_of(1, 100);
  EXPECT_EQ(range.least, 104);
  EXPECT_EQ(range.most, 107);
  EXPECT_EQ(ledger.range_of(0, 100).most, 100);
}

/// The order in which the moves came is not known.
TEST(CounterLedger, TellsWhetherAnEndOfTheRangeMayHaveBeenMet) {
  CounterLedger ledger(1);
  for (int i = 0; i < 5; ++i) {
    ledger.moved(0, 1);
    ledger.moved(0, -1);
  }
  EXPECT_EQ(ledger.range_of(0, 10).most, 10);
  EXPECT_FALSE(ledger.may_have_met_an_end(0, 5, 10));
  EXPECT_TRUE(ledger.may_have_met_an_end(0, 4, 10));
  EXPECT_TRUE(ledger.may_have_met_an_end(0, 6, 10));
  ledger.lost(0, -1);
  EXPECT_TRUE(ledger.may_have_met_an_end(0, 5, 10));
}

}  // namespace
}  // namespace hallmark::loadgen
