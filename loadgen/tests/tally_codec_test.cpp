#include "loadgen/results/tally_codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

/// Two parts, with a reply, a loss and what the sockets did.
Tally counted(std::uint64_t latency_ns) {
  Tally tally(2);
  const auto planned = std::int64_t{1'000};
  const auto read = planned + static_cast<std::int64_t>(latency_ns);
  for (Ledger& part : tally.parts) part.plan(2);
  // Half of each latency was the client's own.
  const RequestTimes times{.planned_ns = planned, .sent_ns = planned + 5};
  for (Ledger& part : tally.parts) {
    part.complete(times, read);
    part.blame_client(times, read, {.lag_ns = latency_ns / 2});
  }
  for (std::size_t i = 0; i < 2; ++i)
    tally.lose(i, Failure::timeout, "no reply", {.planned_ns = planned}, read + 7);
  tally.send_lag.record(5, 2);
  tally.sent = 4;
  tally.bytes_out = 40;
  tally.writes = 3;
  tally.reconnects = 2;
  return tally;
}

reports::LoadResult told(const Tally& tally) {
  reports::LoadResult result;
  const std::vector<std::string> names{"query", "update"};
  summarise(tally, names, result);
  return result;
}

TEST(TallyCodec, WhatIsAddedFromAnotherProcessIsAddedWithoutLoss) {
  const Tally first = counted(12'345'678'901);
  const Tally second = counted(987);
  Tally here(2);
  here.add(first);
  here.add(second);
  Tally from_elsewhere(2);
  for (const Tally* const one : {&first, &second})
    ASSERT_TRUE(add_encoded(encode(*one), from_elsewhere));
  EXPECT_EQ(told(from_elsewhere), told(here));
  const auto* const blamed = from_elsewhere.parts[0].corrected().blamed();
  ASSERT_NE(blamed, nullptr);
  EXPECT_EQ(blamed->without.exact(), here.parts[0].corrected().blamed()->without.exact());
  EXPECT_EQ(from_elsewhere.sent, 8U);
  EXPECT_EQ(from_elsewhere.reconnects, 4U);
  EXPECT_EQ(from_elsewhere.parts[0].corrected().known().exact(),
            here.parts[0].corrected().known().exact());
}

TEST(TallyCodec, AClosedLoopHasOneDistribution) {
  Tally tally(1, false, false);
  tally.parts[0].plan();
  tally.parts[0].complete({.planned_ns = 0, .sent_ns = 0}, 42);
  Tally sum(1, false, false);
  ASSERT_TRUE(add_encoded(encode(tally), sum));
  EXPECT_EQ(sum.parts[0].corrected().max().value, 42U);
  EXPECT_EQ(sum.parts[0].counts(), tally.parts[0].counts());
}

TEST(TallyCodec, RefusesEveryCut) {
  const base::Bytes whole = encode(counted(1'000));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const base::Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    Tally sum(2);
    EXPECT_FALSE(add_encoded(cut, sum)) << length << " of " << whole.size() << " bytes";
  }
  Tally of_another_mix(3);
  EXPECT_EQ(add_encoded(whole, of_another_mix).error().message, "a tally of another mix");
}

}  // namespace
}  // namespace hallmark::loadgen
