#include "audit/key_set.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hallmark::audit {
namespace {

std::string key(int number) { return "rl:" + std::to_string(number); }

TEST(KeySet, KnowsWhatWasInserted) {
  KeySet set(100'000);
  for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(set.insert(key(i))) << i;
  for (int i = 0; i < 100'000; ++i) ASSERT_FALSE(set.insert(key(i))) << i;
  EXPECT_EQ(set.size(), 100'000U);
  EXPECT_FALSE(set.overflowed());
}

TEST(KeySet, WithRoomMadeBefore) {
  KeySet set(1'000'000);
  set.expect(5'000);
  set.expect(~std::uint64_t{0} >> 60);
  for (int i = 0; i < 20'000; ++i) ASSERT_TRUE(set.insert(key(i))) << i;
  EXPECT_FALSE(set.insert(key(7)));
}

TEST(KeySet, BeyondItsSizeKeysPassAsNew) {
  KeySet set(10);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(set.insert(key(i)));
  EXPECT_FALSE(set.overflowed());
  EXPECT_TRUE(set.insert(key(10)));
  EXPECT_TRUE(set.overflowed());
  EXPECT_TRUE(set.insert(key(10)));
  EXPECT_FALSE(set.insert(key(9)));
  EXPECT_EQ(set.size(), 10U);
}

TEST(KeySet, TheEmptyKeyIsAKey) {
  KeySet set(10);
  EXPECT_TRUE(set.insert(""));
  EXPECT_FALSE(set.insert(""));
}

}  // namespace
}  // namespace hallmark::audit
