#include "distributed/shared_judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/dialects.hpp"

namespace hallmark::distributed {
namespace {

using loadgen::Observation;

/// Two ranks that move and read one counter.
class SharedJudgeTest : public testing::Test {
 protected:
  static constexpr std::uint32_t ranks = 2;
  static constexpr std::uint64_t first_quota = 0x7fff;  ///< with room on both sides

  SharedJudgeTest()
      : requests_(*loadgen::Requests::make(
            {.readings = protocol::Readings{protocol::throttr_7_1, protocol::Profile::deployed},
             .mix = "query=1,increase=1",
             .keys = 1})) {}

  Observation asked(const std::string& part, std::int64_t sent_ns, std::int64_t received_ns,
                    std::uint32_t client, std::uint64_t told = 0) {
    Observation one;
    while (requests_.parts()[requests_.part_of(next_)].name != part) ++next_;
    one.index = next_++;
    one.part = requests_.part_of(one.index);
    one.client = client;
    one.sent_ns = sent_ns;
    one.received_ns = received_ns;
    one.success = true;
    one.told = told;
    one.reply = {1};
    return one;
  }

  /// The observations as a rank tells them to the owner of the first key.
  Observed told(const std::vector<Observation>& observations, std::int64_t complete_ns,
                std::int64_t bound_ns = 0) {
    ObservationSender sender(requests_, watched_, ranks, 1);
    sender.set_bound(bound_ns);
    return sender.sorted(0, observations, complete_ns).at(owner_of(0, ranks));
  }

  loadgen::Requests requests_;
  loadgen::WatchedKeys watched_{1, 1};
  std::uint64_t next_ = 0;
};

TEST_F(SharedJudgeTest, WhatOneRankWroteTheOtherHasToRead) {
  SharedJudge judge(requests_, 1, ranks);
  const Observation moved = asked("increase", 0, 5, 0);
  const Observation stale = asked("query", 20, 25, 1, first_quota);
  ASSERT_TRUE(judge.take(0, told({moved}, INT64_MAX)));
  EXPECT_FALSE(judge.complete());
  ASSERT_TRUE(judge.take(1, told({stale}, INT64_MAX)));
  EXPECT_TRUE(judge.complete());
  const auto checks = judge.finish();
  EXPECT_EQ(checks.requests, 1U) << "the other has no place in any order";
  EXPECT_EQ(checks.violated, 1U);
  ASSERT_EQ(checks.violations.size(), 1U);
  EXPECT_EQ(checks.violations[0].exchanges.size(), 2U);
}

TEST_F(SharedJudgeTest, NobodyIsAccusedOfWhatClocksMayHide) {
  SharedJudge judge(requests_, 1, ranks);
  ASSERT_TRUE(judge.take(0, told({asked("increase", 0, 5, 0)}, INT64_MAX)));
  const Observation stale = asked("query", 20, 25, 1, first_quota);
  ASSERT_TRUE(judge.take(1, told({stale}, INT64_MAX, 16)));
  EXPECT_EQ(judge.finish().violated, 0U);
}

TEST_F(SharedJudgeTest, WhatARankThatDiedMayHaveDoneIsLeftOpen) {
  SharedJudge judge(requests_, 1, ranks);
  ASSERT_TRUE(judge.take(0, told({}, 10)));
  const Observation moved_by_nobody = asked("query", 20, 25, 1, first_quota + 1);
  ASSERT_TRUE(judge.take(1, told({moved_by_nobody}, INT64_MAX)));
  EXPECT_FALSE(judge.complete());
  EXPECT_EQ(judge.finish().violated, 0U);
}

TEST_F(SharedJudgeTest, ObservationsOfAnotherRunAreRefused) {
  SharedJudge judge(requests_, 1, ranks);
  Observation other = asked("query", 20, 25, 1);
  Observed observed = told({other}, 30);
  observed.observations.pop_back();
  EXPECT_FALSE(judge.take(0, observed));
}

TEST_F(SharedJudgeTest, EachRankTellsTheOwnerOfAKey) {
  loadgen::WatchedKeys many(8, 8);
  loadgen::Workload workload = requests_.workload();
  workload.keys = 8;
  const auto requests = loadgen::Requests::make(workload);
  ObservationSender sender(*requests, many, ranks, 2);
  std::vector<Observation> observations;
  for (std::uint32_t key = 0; key < 8; ++key) {
    observations.push_back(asked("query", 0, 5, 0));
    observations.back().key = key;
  }
  const auto sorted = sender.sorted(0, observations, 40);
  ASSERT_EQ(sorted.size(), ranks);
  EXPECT_EQ(sorted[0].observations.size(), sorted[1].observations.size());
  EXPECT_EQ(sorted[0].complete_ns, INT64_MIN) << "the other loop has not said anything";
  EXPECT_EQ(sender.sorted(1, {}, 30)[0].complete_ns, 30);
}

}  // namespace
}  // namespace hallmark::distributed
