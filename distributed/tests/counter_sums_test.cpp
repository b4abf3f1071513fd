#include "distributed/counter_sums.hpp"

#include <gtest/gtest.h>

#include "base/byte_stream.hpp"

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

TEST(CounterSums, RefusesNumbersThatNoRunHas) {
  const auto added = [](std::uint64_t key, std::uint64_t up, std::int64_t least,
                        std::int64_t most) {
    base::ByteWriter out;
    for (const std::uint64_t number : {key, up, std::uint64_t{0}}) out.number(number);
    out.signed_number(least);
    out.signed_number(most);
    const base::Bytes once = std::move(out).take();
    base::Bytes twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    loadgen::CounterLedger sum(4);
    return add_encoded(twice, sum).has_value();
  };
  constexpr std::int64_t half = loadgen::CounterLedger::most_lost / 2;
  EXPECT_TRUE(added(1, 7, -half, half));
  EXPECT_FALSE(added(1, 7, -half - 1, 0));
  EXPECT_FALSE(added(1, 7, 0, half + 1));
  EXPECT_FALSE(added(1, 7, INT64_MIN, 0));
  EXPECT_FALSE(added(1, 7, 1, 0));
  EXPECT_FALSE(added(1, 7, 0, -1));
  EXPECT_FALSE(added((std::uint64_t{1} << 32) + 1, 7, 0, 0)) << "is not key 1";
  EXPECT_FALSE(added(1, std::uint64_t{1} << 32, 0, 0));
}

}  // namespace
}  // namespace hallmark::distributed
