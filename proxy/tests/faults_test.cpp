#include "proxy/faults.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

namespace hallmark::proxy {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t many = 100'000;
constexpr std::size_t size = 40;

Faults faults_of(const FaultPlan& plan, std::uint64_t seed = 7) { return {seed, plan, plan}; }

DatagramId request(std::uint64_t number, std::uint64_t flow = 0) {
  return {Direction::requests, flow, number};
}

using Befallen = std::function<bool(const Fate&)>;

std::uint64_t count(const Faults& faults, const Befallen& befallen) {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < many; ++i) found += befallen(faults.fate_of(request(i), size));
  return found;
}

/// Five standard deviations of a binomial distribution: the seed is fixed, so this holds or not.
testing::Matcher<double> binomial(double trials, double rate) {
  return testing::DoubleNear(trials * rate, 5 * std::sqrt(trials * rate * (1 - rate)));
}

bool is_dropped(const Fate& fate) { return fate.empty(); }
bool is_duplicated(const Fate& fate) { return fate.size() == 2; }
bool is_held_back(const Fate& fate) { return !fate.empty() && fate[0].overtaken_by > 0; }
bool is_corrupted(const Fate& fate) { return !fate.empty() && fate[0].flip; }
bool is_truncated(const Fate& fate) { return !fate.empty() && fate[0].cut_to; }

struct RateRow {
  const char* name;
  double FaultPlan::*rate;
  bool (*befallen)(const Fate&);
};

constexpr RateRow rates[] = {{"drop", &FaultPlan::drop, is_dropped},
                             {"duplicate", &FaultPlan::duplicate, is_duplicated},
                             {"reorder", &FaultPlan::reorder, is_held_back},
                             {"corrupt", &FaultPlan::corrupt, is_corrupted},
                             {"truncate", &FaultPlan::truncate, is_truncated}};

TEST(Faults, without_a_plan_every_datagram_arrives_once_at_once_and_whole) {
  const Faults faults = faults_of({});
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_THAT(faults.fate_of(request(i), size), testing::ElementsAre(Copy{}));
  }
}

TEST(Faults, each_befalls_as_many_as_its_rate_says) {
  for (const auto& [name, rate, befallen] : rates) {
    for (const double asked : {0.0, 0.001, 0.02, 0.5, 1.0}) {
      FaultPlan plan;
      plan.*rate = asked;
      EXPECT_THAT(static_cast<double>(count(faults_of(plan), befallen)), binomial(many, asked))
          << name << ' ' << asked;
    }
  }
}

TEST(Faults, each_is_drawn_apart_from_the_others) {
  for (const auto& one : rates) {
    FaultPlan alone;
    alone.*one.rate = 0.1;
    // This plan does not truncate: a datagram with nothing left cannot be corrupted.
    FaultPlan together{.duplicate = 0.3, .reorder = 0.3, .corrupt = 0.3, .delay = {1ms, 9ms}};
    together.*one.rate = 0.1;
    for (std::uint64_t i = 0; i < 5000; ++i) {
      ASSERT_EQ(one.befallen(faults_of(alone).fate_of(request(i), size)),
                one.befallen(faults_of(together).fate_of(request(i), size)))
          << one.name << ' ' << i;
    }
  }
}

TEST(Faults, two_of_them_meet_as_often_as_independent_ones_do) {
  const Faults faults = faults_of({.duplicate = 0.2, .corrupt = 0.2});
  const auto both =
      count(faults, [](const Fate& fate) { return is_duplicated(fate) && is_corrupted(fate); });
  EXPECT_THAT(static_cast<double>(both), binomial(many, 0.04));
}

TEST(Faults, neighbours_are_dropped_together_as_often_as_independent_ones_are) {
  const Faults faults = faults_of({.drop = 0.2});
  std::uint64_t in_a_row = 0, in_both_directions = 0, in_two_flows = 0;
  for (std::uint64_t i = 0; i < many; ++i) {
    if (!faults.fate_of(request(i), size).empty()) continue;
    in_a_row += faults.fate_of(request(i + 1), size).empty();
    in_both_directions += faults.fate_of({Direction::replies, 0, i}, size).empty();
    in_two_flows += faults.fate_of(request(i, 1), size).empty();
  }
  for (const auto found : {in_a_row, in_both_directions, in_two_flows}) {
    EXPECT_THAT(static_cast<double>(found), binomial(many, 0.04));
  }
}

// A client that takes a new port for every request has a flow for each.
TEST(Faults, the_first_datagrams_of_flows_are_dropped_at_the_same_rate) {
  const Faults faults = faults_of({.drop = 0.02});
  std::uint64_t dropped = 0;
  for (std::uint64_t flow = 0; flow < many; ++flow) {
    dropped += faults.fate_of(request(0, flow), size).empty();
  }
  EXPECT_THAT(static_cast<double>(dropped), binomial(many, 0.02));
}

TEST(Faults, the_same_seed_gives_the_same_and_another_one_others) {
  const FaultPlan plan{.drop = 0.1,
                       .duplicate = 0.1,
                       .reorder = 0.1,
                       .corrupt = 0.1,
                       .truncate = 0.1,
                       .delay = {0ns, 5ms}};
  std::uint64_t different = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Fate fate = faults_of(plan).fate_of(request(i), size);
    ASSERT_EQ(fate, faults_of(plan).fate_of(request(i), size));
    different += fate != faults_of(plan, 8).fate_of(request(i), size);
  }
  EXPECT_GT(different, 900U);  // all but those that both drop
}

TEST(Faults, each_direction_has_its_plan) {
  const Faults faults(7, {.drop = 1}, {.duplicate = 1});
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_THAT(faults.fate_of({Direction::requests, 0, i}, size), IsEmpty());
    EXPECT_THAT(faults.fate_of({Direction::replies, 0, i}, size), SizeIs(2));
  }
}

TEST(Faults, delays_come_from_all_of_their_range) {
  const Faults faults = faults_of({.delay = {1ns, 5ns}});
  std::set<std::chrono::nanoseconds> seen;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    seen.insert(faults.fate_of(request(i), size)[0].delay);
  }
  EXPECT_THAT(seen, testing::ElementsAre(1ns, 2ns, 3ns, 4ns, 5ns));
}

TEST(Faults, the_mean_delay_is_the_middle_of_its_range) {
  const Faults faults = faults_of({.delay = {1ms, 5ms}});
  double sum = 0;
  for (std::uint64_t i = 0; i < many; ++i) {
    sum += static_cast<double>(faults.fate_of(request(i), size)[0].delay.count());
  }
  // Five standard errors of the mean of an even distribution 4 ms wide.
  EXPECT_NEAR(sum / many, 3e6, 5 * 4e6 / std::sqrt(12.0 * many));
}

TEST(Faults, the_copy_of_a_duplicate_has_a_delay_of_its_own) {
  const Faults faults = faults_of({.duplicate = 1, .delay = {0ms, 1h}});
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Fate fate = faults.fate_of(request(i), size);
    ASSERT_THAT(fate, SizeIs(2));
    EXPECT_NE(fate[0].delay, fate[1].delay);
  }
}

TEST(Faults, who_is_held_back_waits_for_one_to_the_most_that_is_asked_for) {
  const Faults faults = faults_of({.reorder = 1, .overtaken_by_at_most = 4});
  std::set<std::uint32_t> seen;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    seen.insert(faults.fate_of(request(i), size)[0].overtaken_by);
  }
  EXPECT_THAT(seen, testing::ElementsAre(1, 2, 3, 4));
}

TEST(Faults, damage_lies_within_what_is_left_and_changes_it) {
  const Faults faults = faults_of({.corrupt = 1, .truncate = 1});
  std::set<std::size_t> lengths, positions;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const Copy copy = faults.fate_of(request(i), 4)[0];
    ASSERT_TRUE(copy.cut_to);
    ASSERT_LT(*copy.cut_to, 4U);
    lengths.insert(*copy.cut_to);
    ASSERT_EQ(copy.flip.has_value(), *copy.cut_to > 0);
    if (!copy.flip) continue;
    ASSERT_LT(copy.flip->position, *copy.cut_to);
    ASSERT_NE(copy.flip->mask, 0);
    positions.insert(copy.flip->position);
  }
  EXPECT_THAT(lengths, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(positions, testing::ElementsAre(0, 1, 2));
}

TEST(Faults, an_empty_datagram_cannot_be_damaged) {
  const Faults faults = faults_of({.corrupt = 1, .truncate = 1});
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_THAT(faults.fate_of(request(i), 0), testing::ElementsAre(Copy{}));
  }
}

}  // namespace
}  // namespace hallmark::proxy
