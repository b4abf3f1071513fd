#include "reference/model/records/traffic.hpp"

#include <gtest/gtest.h>

namespace hallmark::model {
namespace {

TEST(Traffic, TotalsMoveAtOnceAndRatesOnTheMinute) {
  Traffic traffic;
  traffic.count_request(Operation::query, 5, 0);
  traffic.count_request(Operation::query, 6, 0);
  traffic.count_request(Operation::info, 1, 0);
  traffic.count_written(433, 0);
  EXPECT_EQ(traffic.requests(Operation::query, 0), (Rate{2, 0}));
  EXPECT_EQ(traffic.requests(0), (Rate{3, 0}));
  EXPECT_EQ(traffic.read_bytes(0), (Rate{12, 0}));
  EXPECT_EQ(traffic.written_bytes(0), (Rate{433, 0}));
  EXPECT_EQ(traffic.requests(Operation::query, 1), (Rate{2, 2}));
  EXPECT_EQ(traffic.requests(1), (Rate{3, 3}));
  EXPECT_EQ(traffic.read_bytes(2), (Rate{12, 0}));
}

}  // namespace
}  // namespace hallmark::model
