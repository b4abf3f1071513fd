#include "captures/causal_order.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "captures/tests/told.hpp"

namespace hallmark::captures {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Ordered : public testing::Test {
 protected:
  void add(std::size_t direction, std::string_view text, std::uint64_t seen, int at = 0) {
    order_.add(direction, {base::as_bytes(text), 0, Time(at), seen});
  }

  std::vector<std::string> order_of_;
  CausalOrder order_{[this](std::size_t direction, const Piece& piece) {
    order_of_.push_back(fmt::format("{}:{}", direction, base::as_text(piece.bytes)));
  }};
};

TEST_F(Ordered, WhatCameInOrderPasses) {
  add(0, "ask", 0);
  add(1, "answer", 3);
  add(0, "again", 6);
  EXPECT_THAT(order_of_, ElementsAre("0:ask", "1:answer", "0:again"));
}

TEST_F(Ordered, AnAnswerWaitsForItsQuestion) {
  add(1, "answer", 3);
  add(1, "more", 3);
  EXPECT_THAT(order_of_, IsEmpty());
  add(0, "ask", 0);
  EXPECT_THAT(order_of_, ElementsAre("0:ask", "1:answer", "1:more"));
}

TEST_F(Ordered, MissingBytesCountAsWell) {
  add(1, "answer", 3);
  order_.add(0, {{}, 3, Time(0), 0});
  EXPECT_THAT(order_of_, ElementsAre("0:", "1:answer"));
}

TEST_F(Ordered, SidesThatWaitForOneAnotherGoByTime) {
  add(0, "ask", 6, 2);
  add(1, "answer", 3, 1);
  EXPECT_THAT(order_of_, ElementsAre("1:answer", "0:ask"));
}

TEST_F(Ordered, NobodyWaitsForASideThatIsNotCaptured) {
  add(0, "ask", 0);
  add(0, "again", 6);
  EXPECT_THAT(order_of_, ElementsAre("0:ask"));
  order_.expect_nothing_of(1);
  add(0, "and again", 12);
  EXPECT_THAT(order_of_, ElementsAre("0:ask", "0:again", "0:and again"));
}

TEST_F(Ordered, FinishLetsEverythingThrough) {
  add(0, "again", 6, 1);
  add(0, "last", 9, 2);
  order_.finish();
  EXPECT_THAT(order_of_, ElementsAre("0:again", "0:last"));
}

TEST_F(Ordered, NoMoreIsHeldThanTheBound) {
  const std::string block(1 << 20, 'x');
  for (std::size_t i = 0; i <= CausalOrder::most_held_bytes / block.size(); ++i) add(0, block, 1);
  EXPECT_EQ(order_of_.size(), 1U);
}

}  // namespace
}  // namespace hallmark::captures
