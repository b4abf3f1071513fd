#include "captures/reassembly.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "captures/tests/told.hpp"

namespace hallmark::captures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Reassembled : public testing::Test {
 protected:
  /// A segment whose first byte has that place.
  void add(std::uint64_t offset, std::string_view text, std::size_t cut = 0,
           std::uint8_t flags = 0) {
    Segment segment;
    segment.sequence = first_ + static_cast<std::uint32_t>(offset);
    segment.payload = ByteView(base::as_bytes(text)).first(text.size() - cut);
    segment.length = text.size();
    segment.fin = flags != 0;
    stream_.add(segment, Time(offset), 0);
  }

  std::uint32_t first_ = 0xfffffffa;  // wraps around after six bytes
  std::vector<std::string> delivered_, remarks_;
  Reassembly stream_{[this](const Piece& piece) {
                       delivered_.push_back(piece.missing > 0
                                                ? fmt::format("({} missing)", piece.missing)
                                                : std::string(base::as_text(piece.bytes)));
                     },
                     [this](const Irregularity& one) {
                       remarks_.push_back(fmt::format("{} {}+{}", name_of(one.kind),
                                                      one.where.offset, one.where.length));
                     }};

  void SetUp() override { stream_.start(first_); }
};

TEST_F(Reassembled, InOrder) {
  add(0, "abcd");
  add(4, "efgh");
  add(8, "ij");
  EXPECT_THAT(delivered_, ElementsAre("abcd", "efgh", "ij"));
  EXPECT_THAT(remarks_, IsEmpty());
  EXPECT_EQ(stream_.next(), 10U);
}

TEST_F(Reassembled, OutOfOrder) {
  add(8, "ij");
  add(4, "efgh");
  add(0, "abcd");
  EXPECT_THAT(delivered_, ElementsAre("abcd", "efgh", "ij"));
  EXPECT_THAT(remarks_, ElementsAre("reordered 8+2", "reordered 4+4"));
}

TEST_F(Reassembled, RetransmittedAfterDelivery) {
  add(0, "abcd");
  add(0, "abcd");
  add(2, "cdef");
  EXPECT_THAT(delivered_, ElementsAre("abcd", "ef"));
  EXPECT_THAT(remarks_, ElementsAre("retransmitted 0+4", "retransmitted 2+2"));
}

TEST_F(Reassembled, WhatCameFirstStands) {
  add(4, "efgh");
  add(2, "CDEF");
  add(4, "efgh");
  add(0, "ab");
  EXPECT_THAT(delivered_, ElementsAre("ab", "CD", "efgh"));
  EXPECT_THAT(remarks_, ElementsAre("reordered 4+4", "reordered 2+4", "conflicting 4+2",
                                    "reordered 4+4", "retransmitted 4+4"));
}

TEST_F(Reassembled, ASegmentThatSpansHeldOnesFillsTheGaps) {
  add(2, "c");
  add(4, "e");
  add(0, "abcdef");
  EXPECT_THAT(delivered_, ElementsAre("ab", "c", "d", "e", "f"));
}

TEST_F(Reassembled, CutByTheCaptureIsMissing) {
  add(0, "abcd", 2);
  add(4, "ef");
  EXPECT_THAT(delivered_, ElementsAre("ab", "(2 missing)", "ef"));
}

TEST_F(Reassembled, HeldAndCutByTheCapture) {
  add(2, "cdef", 3);
  add(0, "ab");
  EXPECT_THAT(delivered_, ElementsAre("ab", "c", "(3 missing)"));
  EXPECT_EQ(stream_.next(), 6U);
}

TEST_F(Reassembled, GivenUpUntilWhatIsHeld) {
  add(4, "ef");
  stream_.give_up(100, Time(0));
  EXPECT_THAT(delivered_, ElementsAre("(4 missing)", "ef"));
  stream_.give_up(8, Time(0));
  EXPECT_THAT(delivered_, ElementsAre("(4 missing)", "ef", "(2 missing)"));
}

TEST_F(Reassembled, FinishDeliversEverything) {
  add(2, "c");
  add(5, "f");
  stream_.finish(8, Time(0));
  EXPECT_THAT(delivered_, ElementsAre("(2 missing)", "c", "(2 missing)", "f", "(2 missing)"));
}

TEST_F(Reassembled, TheEndIsNoByte) {
  add(0, "ab", 0, 1);
  EXPECT_TRUE(stream_.finished());
  stream_.finish(3, Time(0));
  EXPECT_THAT(delivered_, ElementsAre("ab"));
}

TEST_F(Reassembled, BytesFromBeforeTheCaptureArePassedOver) {
  Segment segment;
  segment.sequence = first_ - 2;
  segment.payload = base::as_bytes("yzab");
  segment.length = 4;
  stream_.add(segment, Time(0), 0);
  EXPECT_THAT(delivered_, ElementsAre("ab"));
}

TEST_F(Reassembled, FarAheadIsNoneOfThisConnection) {
  add(Reassembly::farthest_ahead + 1, "zz");
  add(0, "ab");
  EXPECT_THAT(delivered_, ElementsAre("ab"));
  EXPECT_THAT(remarks_, ElementsAre(HasSubstr("reordered 1073741825+2")));
}

TEST_F(Reassembled, NoMoreIsHeldThanTheBound) {
  const std::string block(65'536, 'x');
  for (std::uint64_t i = 0; i <= Reassembly::most_held_bytes / block.size(); ++i) {
    add(1 + i * block.size(), block);
  }
  ASSERT_FALSE(delivered_.empty());
  EXPECT_EQ(delivered_.front(), "(1 missing)");
}

}  // namespace
}  // namespace hallmark::captures
