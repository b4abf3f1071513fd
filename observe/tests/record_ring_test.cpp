#include "observe/record_ring.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace hallmark::observe {
namespace {

using base::Bytes;

Record record_of(const Bytes& bytes, std::uint64_t connection = 1) {
  Record record;
  record.connection = connection;
  record.bytes = bytes;
  return record;
}

TEST(RecordRing, WhatWasPutIsTakenInOrder) {
  RecordRing ring(1);
  ASSERT_TRUE(ring.put({Record::Kind::finished, Side::server, 7, Time(12), 34, {}}));
  ASSERT_TRUE(ring.put(record_of({1, 2, 3}, 8)));
  const auto first = ring.front();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->kind, Record::Kind::finished);
  EXPECT_EQ(first->side, Side::server);
  EXPECT_EQ(first->connection, 7U);
  EXPECT_EQ(first->at, Time(12));
  EXPECT_EQ(first->number, 34U);
  ring.drop();
  const auto second = ring.front();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->connection, 8U);
  EXPECT_EQ(Bytes(second->bytes.begin(), second->bytes.end()), (Bytes{1, 2, 3}));
  ring.drop();
  EXPECT_FALSE(ring.front());
}

TEST(RecordRing, AFullRingRefusesBytesAndStillTakesOtherRecords) {
  RecordRing ring(1);
  const Bytes bytes(RecordRing::most_bytes);
  while (ring.put(record_of(bytes))) {
  }
  EXPECT_TRUE(ring.put({Record::Kind::closed, Side::client, 1, Time(0), 0, {}}));
  std::size_t taken = 0;
  for (; ring.front(); ++taken) ring.drop();
  EXPECT_GE(taken, (ring.capacity() - RecordRing::reserve) / (RecordRing::most_bytes + 64));
  EXPECT_TRUE(ring.put(record_of(bytes)));
}

TEST(RecordRing, RecordsOfAllLengthsPassBetweenTwoThreads) {
  RecordRing ring(1);
  constexpr std::uint64_t count = 20'000;
  std::thread putting([&] {
    for (std::uint64_t i = 0; i < count; ++i) {
      const Bytes bytes(i * 37 % 4099, static_cast<std::uint8_t>(i));
      while (!ring.put(record_of(bytes, i))) std::this_thread::yield();
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < count;) {
    const auto record = ring.front();
    if (!record) {
      std::this_thread::yield();
      continue;
    }
    const bool right =
        record->connection == i && record->bytes.size() == i * 37 % 4099 &&
        (record->bytes.empty() || record->bytes.back() == static_cast<std::uint8_t>(i));
    if (!right) ++wrong;
    ring.drop();
    ++i;
  }
  putting.join();
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace hallmark::observe
