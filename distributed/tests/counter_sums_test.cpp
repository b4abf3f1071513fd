#include "distributed/counter_sums.hpp"

#include <gtest/gtest.h>

namespace hallmark::distributed {
namespace {

TEST(CounterSums, OfSeveralRanksAreAdded) {
  loadgen::CounterLedger first(4);
  loadgen::CounterLedger second(4);
  first.moved(1, 7);
  first.lost(3, -2);
  second.moved(1, -3);
  loadgen::CounterLedger sum(4);
  ASSERT_TRUE(add_encoded(encode(first), sum));
  ASSERT_TRUE(add_encoded(encode(second), sum));
  EXPECT_EQ(sum.range_of(1, 0).least, 4);
  EXPECT_EQ(sum.range_of(3, 0).least, -2);
  EXPECT_EQ(sum.range_of(3, 0).most, 0);
}

TEST(CounterSums, OfAnotherRunAndCutOnesAreRefused) {
  loadgen::CounterLedger larger(10);
  larger.moved(9, 1);
  loadgen::CounterLedger sum(9);
  const base::Bytes bytes = encode(larger);
  EXPECT_FALSE(add_encoded(bytes, sum));
  loadgen::CounterLedger same(10);
  for (std::size_t length = 1; length < bytes.size(); ++length)
    EXPECT_FALSE(add_encoded(base::ByteView(bytes).first(length), same)) << length;
}

}  // namespace
}  // namespace hallmark::distributed
