#include "loadgen/judge/watched_keys.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace hallmark::loadgen {
namespace {

std::uint32_t watched_of(const WatchedKeys& watched, std::uint32_t keys) {
  std::uint32_t count = 0;
  for (std::uint32_t key = 0; key < keys; ++key) count += watched.may_be(key) ? 1U : 0U;
  return count;
}

TEST(WatchedKeys, AreAsManyAsWantedOrSomewhatFewer) {
  for (const std::uint32_t keys : {1U, 2U, 15U, 16U, 17U, 100U, 10'000U, 10'000'000U}) {
    for (const std::uint32_t wanted : {1U, 16U, 1000U}) {
      const WatchedKeys watched(keys, wanted);
      const std::uint32_t count = watched_of(watched, keys);
      EXPECT_LE(count, wanted) << keys;
      EXPECT_GE(count, std::min(keys, (wanted + 1) / 2)) << keys << " of which " << wanted;
      EXPECT_EQ(watched.size(), count * std::size(key_spaces));
    }
  }
}

TEST(WatchedKeys, HaveASlotEach) {
  const WatchedKeys watched(100, 16);
  for (std::size_t slot = 0; slot < watched.size(); ++slot) {
    EXPECT_TRUE(watched.may_be(watched.key_of(slot)));
    EXPECT_EQ(watched.slot_of(watched.kind_of(slot), watched.key_of(slot)), slot);
  }
}

TEST(WatchedKeys, AreNoneWhereNobodyAsks) {
  WatchedKeys watched(100, 0);
  EXPECT_EQ(watched.size(), 0U);
  EXPECT_FALSE(watched.watch(KeySpace::counters, 0, 5));
}

/// The number of requests that wait is bounded. From the first request that is not observed, the
/// key is given up.
TEST(WatchedKeys, AreGivenUpWhenTooMuchWaits) {
  WatchedKeys watched(100, 16);
  const std::size_t slot = watched.slot_of(KeySpace::buffers, 0);
  for (std::int64_t i = 0; i < WatchedKeys::most_waiting; ++i)
    ASSERT_TRUE(watched.watch(KeySpace::buffers, 0, i));
  EXPECT_EQ(watched.watched_until_ns(slot), INT64_MAX);
  EXPECT_FALSE(watched.watch(KeySpace::buffers, 0, 70'000));
  EXPECT_FALSE(watched.watch(KeySpace::buffers, 0, 60'000));
  EXPECT_FALSE(watched.watch(KeySpace::buffers, 0, 80'000));
  EXPECT_EQ(watched.watched_until_ns(slot), 60'000);
  watched.judged(slot, 10'000);
  EXPECT_FALSE(watched.watch(KeySpace::buffers, 0, 90'000)) << "something is missing already";
  EXPECT_TRUE(watched.watch(KeySpace::counters, 0, 90'000));
}

TEST(WatchedKeys, GoOnWhereWhatWaitsIsJudged) {
  WatchedKeys watched(100, 16);
  const std::size_t slot = watched.slot_of(KeySpace::counters, 0);
  for (int round = 0; round < 5; ++round) {
    for (std::int64_t i = 0; i < 5'000; ++i) ASSERT_TRUE(watched.watch(KeySpace::counters, 0, i));
    watched.judged(slot, 5'000);
  }
}

TEST(WatchedKeys, AreGivenUpOnceWhateverThreadComesFirst) {
  WatchedKeys watched(100, 16);
  std::vector<std::thread> threads;
  std::atomic<std::int64_t> observed = 0;
  for (std::int64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::int64_t i = 0; i < 5'000; ++i)
        observed += watched.watch(KeySpace::counters, 0, 4 * i + thread) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(observed, WatchedKeys::most_waiting);
  EXPECT_GT(observed, 0);
  EXPECT_LT(watched.watched_until_ns(watched.slot_of(KeySpace::counters, 0)), 20'000);
}

}  // namespace
}  // namespace hallmark::loadgen
