#include "reference/model/rates/rate_table.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

#include "base/nanoseconds.hpp"
#include "reference/model/tests/start.hpp"

namespace hallmark::model {
namespace {

using base::second_ns;

std::string key(std::uint64_t number) { return "ws ip=" + std::to_string(number); }

TEST(RateTable, FindsWhatWasAddedAndNothingElse) {
  RateTable table(100'000);
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    table.add(key(i), start)->stored.rate = static_cast<double>(i);
  }
  EXPECT_EQ(table.size(), 50'000U);
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    ASSERT_NE(table.find(key(i)), nullptr);
    ASSERT_EQ(table.find(key(i))->stored.rate, static_cast<double>(i));
  }
  EXPECT_EQ(table.find(key(50'000)), nullptr);
  EXPECT_EQ(table.find(""), nullptr);
}

TEST(RateTable, KeysStayWhereTheyAre) {
  RateTable table(10'000);
  const RatedKey* const first = table.add("first", start);
  for (std::uint64_t i = 0; i < 9'999; ++i) table.add(key(i), start);
  EXPECT_EQ(table.find("first"), first);
}

TEST(RateTable, RefusesANewKeyWhileAllAreInUse) {
  RateTable table(2);
  table.add("a", start);
  table.add("b", start);
  EXPECT_EQ(table.add("c", start + 64 * second_ns - 1), nullptr);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_NE(table.find("a"), nullptr);
  EXPECT_NE(table.find("b"), nullptr);
}

TEST(RateTable, ForgetsAKeyThatNobodyUsedFor64PeriodsToMakePlace) {
  RateTable table(2);
  table.add("a", start)->period_seconds = 10;
  table.add("b", start)->period_seconds = 1;
  ASSERT_NE(table.add("c", start + 64 * second_ns), nullptr);
  EXPECT_EQ(table.find("b"), nullptr);
  EXPECT_NE(table.find("a"), nullptr);
  EXPECT_EQ(table.find("c")->stored.rate, 0);
  EXPECT_EQ(table.find("c")->stored.at, start + 64 * second_ns);
  EXPECT_EQ(table.size(), 2U);
}

TEST(RateTable, NeverForgetsStatistics) {
  RateTable table(1);
  table.add("a", start)->statistics = std::make_unique<UseStatistics>();
  EXPECT_EQ(table.add("b", start + 1'000'000 * second_ns), nullptr);
  EXPECT_NE(table.find("a"), nullptr);
}

TEST(RateTable, ATableOfNoKeysTakesNone) {
  RateTable table(0);
  EXPECT_EQ(table.add("a", start), nullptr);
  EXPECT_EQ(table.size(), 0U);
}

TEST(RateTable, StaysRightWhileKeysComeAndGo) {
  std::mt19937_64 random(1);
  constexpr std::size_t most = 100;
  RateTable table(most);
  std::unordered_map<std::string, double> last;
  Time now = start;
  std::size_t forgotten = 0;
  for (int i = 0; i < 100'000; ++i) {
    now += second_ns;
    const std::string name = key(random() % 300);
    RatedKey* known = table.find(name);
    if (known == nullptr) {
      known = table.add(name, now);
      if (known == nullptr) continue;
      forgotten += last.contains(name) ? 1U : 0U;
    } else {
      ASSERT_EQ(known->stored.rate, last.at(name));
    }
    known->stored = {static_cast<double>(i), now};
    last[name] = i;
    ASSERT_EQ(known->key, name);
    ASSERT_LE(table.size(), most);
  }
  EXPECT_GT(forgotten, 100U);
}

}  // namespace
}  // namespace hallmark::model
