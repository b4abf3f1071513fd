#include "proxy/datagram_random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace hallmark::proxy {
namespace {

using enum Direction;

TEST(DatagramRandom, every_part_of_the_name_and_every_use_gives_other_numbers) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    for (const auto direction : {requests, replies}) {
      for (std::uint64_t flow = 0; flow < 10; ++flow) {
        for (std::uint64_t number = 0; number < 100; ++number) {
          const DatagramRandom random(seed, {direction, flow, number});
          for (const auto draw : {Draw::drop, Draw::duplicate, Draw::mask}) {
            seen.insert({random.at(draw, 0), random.at(draw, 1)});
          }
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), 3U * 2 * 10 * 100 * 3 * 2);
}

TEST(DatagramRandom, a_chance_of_nothing_never_comes_and_one_of_all_always) {
  for (std::uint64_t number = 0; number < 10'000; ++number) {
    const DatagramRandom random(1, {requests, 0, number});
    ASSERT_FALSE(random.chance(0, Draw::drop));
    ASSERT_TRUE(random.chance(1, Draw::drop));
  }
}

TEST(DatagramRandom, below_reaches_every_value_evenly) {
  std::array<int, 10> seen{};
  for (std::uint64_t number = 0; number < 100'000; ++number) {
    ++seen.at(DatagramRandom(5, {replies, 3, number}).below(10, Draw::length));
  }
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 475);  // five standard deviations
}

// Written down once: a log of faults is of use only as long as its seed still means the same.
TEST(DatagramRandom, seeds_mean_the_same_for_ever) {
  EXPECT_EQ(DatagramRandom(7, {requests, 0, 0}).at(Draw::drop), 14174421432528349295U);
  EXPECT_EQ(DatagramRandom(7, {replies, 2, 5}).at(Draw::mask, 1), 15009095205055057694U);
}

}  // namespace
}  // namespace hallmark::proxy
