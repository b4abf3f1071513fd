#include "conformance/engine/reply_times.hpp"

#include <gtest/gtest.h>

namespace hallmark::conformance {
namespace {

constexpr Time ms = 1'000'000;

TEST(ReplyTimes, AreUnknownBeforeTheFirstReply) { EXPECT_EQ(ReplyTimes().usual(), 0U); }

TEST(ReplyTimes, OfASlowTargetAreSlow) {
  ReplyTimes times;
  times.note(300 * ms);
  EXPECT_GT(times.usual(), 300 * ms);
  EXPECT_LE(times.usual(), 600 * ms);
}

TEST(ReplyTimes, DoNotChangeByAFewThatWereDelayed) {
  ReplyTimes times;
  for (int i = 0; i < 95; ++i) times.note(1 * ms);
  const Time before = times.usual();
  for (int i = 0; i < 5; ++i) times.note(4'000 * ms);
  EXPECT_EQ(times.usual(), before);
  times.note(4'000 * ms);
  EXPECT_GT(times.usual(), 4'000 * ms);
}

TEST(ReplyTimes, AreThoseThatSaySomethingOfTheTarget) {
  ReplyTimes times;
  times.note(1 * ms);
  const Time before = times.usual();
  for (int i = 0; i < 1000; ++i) times.note(std::nullopt);
  EXPECT_EQ(times.usual(), before);
  EXPECT_EQ(times.count(), 1001U);
}

}  // namespace
}  // namespace hallmark::conformance
