#include "loadgen/drivers/store/admissions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/nanoseconds.hpp"

namespace hallmark::loadgen::store {
namespace {

using base::second_ns;

constexpr std::int64_t start = 1'000;

AdmissionJudge judge_of(double burst, std::size_t lanes = 2) {
  return {{{"bucket", oracle::RateBound{burst, 1}}}, 4, lanes, start};
}

TEST(AdmissionJudge, WaitsForWhatMayStillBeToldEarlier) {
  auto judge = judge_of(2);
  judge.lane(0).nothing_before(start);
  judge.lane(1).nothing_before(start);
  judge.lane(0).admitted({1, start + 2 * second_ns});
  judge.judge();
  EXPECT_EQ(judge.checks("").judged, 0U);
  judge.lane(1).admitted({1, start + 1});
  judge.lane(0).nothing_before(start + 3 * second_ns);
  judge.lane(1).nothing_before(start + second_ns);
  judge.judge();
  EXPECT_EQ(judge.checks("").judged, 1U);
  judge.finish();
  EXPECT_EQ(judge.checks("").judged, 2U);
}

/// Judged in the order in which lanes tell them, the admissions would look like too many, or too
/// few.
TEST(AdmissionJudge, JudgesInTheOrderOfTime) {
  auto judge = judge_of(2);
  for (int i = 9; i >= 0; --i) judge.lane(0).admitted({1, start + i * second_ns});
  for (int i = 0; i < 10; ++i) judge.lane(1).admitted({2, start + i * second_ns});
  judge.lane(1).admitted({2, start + 5 * second_ns});
  judge.finish();
  EXPECT_EQ(judge.checks("").exceeded, 0U);
  EXPECT_EQ(judge.checks("").judged, 21U);
}

TEST(AdmissionJudge, TooMuchOfAllLanesTogetherIsFound) {
  auto judge = judge_of(2);
  judge.lane(0).admitted({3, start + 10});
  judge.lane(1).admitted({3, start + 20});
  judge.lane(0).admitted({3, start + 30});
  judge.lane(1).admitted({2, start + 30});
  judge.finish();
  const auto checks = judge.checks("prefix:");
  EXPECT_EQ(checks.exceeded, 1U);
  ASSERT_EQ(checks.findings.size(), 1U);
  EXPECT_EQ(checks.findings[0],
            (reports::AdmissionFinding{"prefix:3", 10, 30, 3, 2,
                                       "bucket: at most 2 at once, and 1 a second"}));
}

TEST(AdmissionJudge, ManyFindingsAreCountedAndSomeDescribed) {
  auto judge = judge_of(1, 1);
  for (int i = 0; i < 1000; ++i) judge.lane(0).admitted({0, start});
  judge.finish();
  EXPECT_EQ(judge.checks("").exceeded, 500U) << "after each, the count begins anew";
  EXPECT_EQ(judge.checks("").findings.size(), 8U);
}

TEST(AdmissionJudge, WhatNobodyComesToJudgeIsCountedNotKept) {
  auto judge = judge_of(1e9, 1);
  for (int i = 0; i < (1 << 20) + 5; ++i) judge.lane(0).admitted({0, start + i});
  judge.finish();
  EXPECT_EQ(judge.checks("").judged, std::uint64_t{1} << 20);
  EXPECT_EQ(judge.checks("").not_judged, 5U);
}

}  // namespace
}  // namespace hallmark::loadgen::store
