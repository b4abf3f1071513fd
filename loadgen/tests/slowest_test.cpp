#include "loadgen/histogram/slowest.hpp"

#include <gmock/gmock.h>

#include "loadgen/arrivals/random_stream.hpp"

namespace hallmark::loadgen {
namespace {

SlowRequest of(std::uint64_t latency_ns) { return {.latency_ns = latency_ns}; }

TEST(Slowest, AreTheSlowestOfAllSlowestFirst) {
  const base::CounterRandom random(1, RandomStream::value);
  std::vector<std::uint64_t> all;
  Slowest whole;
  Slowest halves[2];
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const std::uint64_t latency = random.below_at(i, 1'000'000);
    all.push_back(latency);
    if (latency > whole.least()) whole.add(of(latency));
    if (latency > halves[i % 2].least()) halves[i % 2].add(of(latency));
  }
  std::ranges::sort(all, std::greater<>{});
  halves[0].add(halves[1]);
  for (const Slowest* found : {&whole, &halves[0]}) {
    const auto ranked = found->ranked();
    ASSERT_EQ(ranked.size(), Slowest::most);
    for (std::size_t i = 0; i < ranked.size(); ++i) EXPECT_EQ(ranked[i].latency_ns, all[i]);
  }
}

TEST(Slowest, AStateExplainsThoseJustAdded) {
  Slowest slowest;
  slowest.add(of(5));
  ASSERT_TRUE(slowest.any_fresh());
  slowest.explain(reports::TcpFacts{.round_trip_us = 40});
  EXPECT_FALSE(slowest.any_fresh());
  slowest.add(of(4));
  slowest.explain(reports::TcpFacts{.round_trip_us = 90});
  EXPECT_EQ(slowest.ranked()[0].tcp->round_trip_us, 40U);
  EXPECT_EQ(slowest.ranked()[1].tcp->round_trip_us, 90U);
  slowest.reset();
  EXPECT_TRUE(slowest.ranked().empty());
  EXPECT_EQ(slowest.least(), 0U);
}

}  // namespace
}  // namespace hallmark::loadgen
