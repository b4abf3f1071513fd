#include "observe/tap.hpp"

#include <gmock/gmock.h>

namespace hallmark::observe {
namespace {

using base::Bytes;
using testing::ElementsAre;

class TapTest : public testing::Test {
 protected:
  void fill() {
    for (const std::size_t size : {RecordRing::most_bytes, std::size_t{1}}) {
      const Bytes bytes(size);
      Line line;
      tap_.open(line, {});
      while (!line.lost_some) tap_.bytes(line, Side::client, bytes);
    }
  }

  std::vector<Record::Kind> taken_of(std::uint64_t connection) {
    std::vector<Record::Kind> kinds;
    while (const auto record = ring_.front()) {
      if (record->connection == connection) kinds.push_back(record->kind);
      if (record->kind == Record::Kind::missed) missed_ += record->number;
      ring_.drop();
    }
    return kinds;
  }

  RecordRing ring_{1};
  RelayCounts counts_;
  Tap tap_{ring_, counts_};
  std::uint64_t missed_ = 0;
};

TEST_F(TapTest, AConnectionIsToldFromItsBeginningToItsEnd) {
  Line line;
  tap_.open(line, {});
  tap_.bytes(line, Side::client, Bytes{1, 2});
  tap_.finish(line, Side::client);
  tap_.close(line);
  EXPECT_THAT(taken_of(1), ElementsAre(Record::Kind::opened, Record::Kind::bytes,
                                       Record::Kind::finished, Record::Kind::closed));
  EXPECT_EQ(counts_.opened, 1U);
  EXPECT_EQ(counts_.open, 0U);
  EXPECT_EQ(counts_.missed_bytes, 0U);
}

TEST_F(TapTest, WhatHasNoRoomIsCountedAndToldAsAGap) {
  Line line;
  tap_.open(line, {});
  fill();
  tap_.bytes(line, Side::client, Bytes(100));
  EXPECT_THAT(taken_of(1), ElementsAre(Record::Kind::opened));
  const auto missed = counts_.missed_bytes.load();
  EXPECT_GE(missed, 100U);
  tap_.bytes(line, Side::server, Bytes(1));
  EXPECT_THAT(taken_of(1), ElementsAre(Record::Kind::missed, Record::Kind::bytes));
  EXPECT_EQ(missed_, 100U);
  EXPECT_EQ(counts_.missed_bytes, missed);
}

TEST_F(TapTest, TheEndOfAConnectionIsToldLaterWhereItHasNoRoom) {
  Line line;
  tap_.open(line, {});
  fill();
  while (ring_.put({Record::Kind::reset, Side::client, 99, Time(0), 0, {}})) {
  }
  tap_.close(line);
  EXPECT_FALSE(tap_.settle());
  EXPECT_THAT(taken_of(1), ElementsAre(Record::Kind::opened));
  EXPECT_TRUE(tap_.settle());
  EXPECT_THAT(taken_of(1), ElementsAre(Record::Kind::closed));
}

}  // namespace
}  // namespace hallmark::observe
