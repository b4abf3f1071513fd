#include "loadgen/judge/insert_ledger.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace hallmark::loadgen {
namespace {

constexpr std::int64_t lasts = 1'000;

Observation insert(std::int64_t sent_ns, std::int64_t received_ns, std::uint32_t client = 1,
                   std::uint32_t key = 3) {
  return {.index = static_cast<std::uint64_t>(sent_ns),
          .key = key,
          .client = client,
          .sent_ns = sent_ns,
          .received_ns = received_ns,
          .success = true,
          .reply = {0x01}};
}

struct Inserted : testing::Test {
  std::uint64_t twice() const { return ledger.findings().twice; }
  InsertLedger ledger{10, lasts};
};

TEST_F(Inserted, TwiceAtATimeIsFoundWithBoth) {
  ledger.won(insert(100, 200, 1));
  ledger.won(insert(150, 180, 2));
  ledger.won(insert(150, 180, 2, 4));
  const auto found = ledger.findings();
  EXPECT_EQ(found.won, 3U);
  EXPECT_EQ(found.twice, 1U);
  ASSERT_EQ(found.examples.size(), 1U);
  EXPECT_EQ(found.examples[0].first.client, 1U);
  EXPECT_EQ(found.examples[0].first.index, 100U);
  EXPECT_EQ(found.examples[0].first.received_ns, 200);
  EXPECT_EQ(found.examples[0].first.reply, base::Bytes{0x01});
  EXPECT_EQ(found.examples[0].second.client, 2U);
}

TEST_F(Inserted, AgainIsRightWhereTheTimeToLiveMayBeOver) {
  ledger.won(insert(100, 200));
  ledger.won(insert(1'050, 1'100));  // the first may have been there from 100 to 1100
  EXPECT_EQ(twice(), 0U);
  ledger.won(insert(1'900, 2'049));  // the second was there until 2050 at least
  EXPECT_EQ(twice(), 1U);
}

TEST_F(Inserted, AgainIsRightWhereAPurgeMayLieBetween) {
  ledger.won(insert(100, 200));
  ledger.purging(3);
  ledger.won(insert(300, 350));
  EXPECT_EQ(twice(), 0U) << "the purge is in flight";
  ledger.purged(3, 400);
  ledger.won(insert(390, 450));
  EXPECT_EQ(twice(), 0U) << "the purge may have come after the one before";
  ledger.won(insert(460, 500));
  EXPECT_EQ(twice(), 0U) << "the INSERT before may have come before the purge";
  ledger.won(insert(510, 520));
  EXPECT_EQ(twice(), 1U) << "460 was after the purge";
}

TEST_F(Inserted, APurgeWithoutReplyMayComeAtAnyTime) {
  ledger.purging(3);
  ledger.won(insert(100, 200));
  ledger.won(insert(300, 350));
  EXPECT_EQ(twice(), 0U);
}

TEST_F(Inserted, ToldOfInAnyOrderIsTheSame) {
  ledger.won(insert(300, 350));
  ledger.won(insert(100, 200));
  EXPECT_EQ(twice(), 1U);
}

TEST_F(Inserted, OfKeysBeyondTheBoundNothingIsKept) {
  ledger.purging(10);
  ledger.won(insert(100, 200, 1, 10));
  EXPECT_EQ(ledger.findings().won, 0U);
}

TEST_F(Inserted, IsAddedUpOverThreads) {
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint32_t i = 0; i < 1'000; ++i) {
        ledger.purging(9);
        ledger.purged(9, i);
        ledger.won(insert(5, 6, thread, i % 8));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto found = ledger.findings();
  EXPECT_EQ(found.won, 4'000U);
  EXPECT_EQ(found.twice, 4'000U - 8U);
  EXPECT_EQ(found.examples.size(), 8U);
}

}  // namespace
}  // namespace hallmark::loadgen
