#include "loadgen/drivers/stream/in_flight.hpp"

#include <gtest/gtest.h>

namespace hallmark::loadgen {
namespace {

InFlight holding(std::initializer_list<std::uint32_t> ids) {
  InFlight in_flight;
  for (const std::uint32_t id : ids) in_flight.push({.request_id = id});
  return in_flight;
}

TEST(InFlight, finds_by_id) {
  auto in_flight = holding({3, 4, 9, 1'000'000});
  for (const std::uint32_t id : {3U, 4U, 9U, 1'000'000U}) {
    ASSERT_NE(in_flight.find(id), nullptr) << id;
    EXPECT_EQ(in_flight.find(id)->request_id, id);
  }
  for (const std::uint32_t id : {0U, 2U, 5U, 999'999U, 1'000'001U, UINT32_MAX}) {
    EXPECT_EQ(in_flight.find(id), nullptr) << id;
  }
}

TEST(InFlight, finds_none_in_an_empty_queue) { EXPECT_EQ(InFlight{}.find(0), nullptr); }

TEST(InFlight, finds_ids_that_began_anew_at_0) {
  auto in_flight = holding({UINT32_MAX - 1, UINT32_MAX, 0, 1});
  for (const std::uint32_t id : {UINT32_MAX - 1, UINT32_MAX, 0U, 1U}) {
    ASSERT_NE(in_flight.find(id), nullptr) << id;
    EXPECT_EQ(in_flight.find(id)->request_id, id);
  }
  EXPECT_EQ(in_flight.find(2), nullptr);
}

TEST(InFlight, does_not_find_what_has_ended) {
  auto in_flight = holding({1, 2, 3});
  in_flight.find(2)->ended = true;
  EXPECT_EQ(in_flight.find(2), nullptr);
  EXPECT_NE(in_flight.find(3), nullptr);
}

TEST(InFlight, finds_across_the_end_of_its_memory) {
  InFlight in_flight;
  std::uint32_t sent = 0;
  for (std::uint32_t popped = 0; popped < 300; ++popped, in_flight.pop()) {
    for (; sent < popped + 50; ++sent) in_flight.push({.request_id = sent});
    for (std::uint32_t id = popped; id < sent; ++id) {
      ASSERT_NE(in_flight.find(id), nullptr) << id;
      ASSERT_EQ(in_flight.find(id)->request_id, id);
    }
  }
}

TEST(InFlight, what_is_prepared_is_in_it_once_committed) {
  auto in_flight = holding({1, 2});
  in_flight.pop();
  Pending* const room = in_flight.prepare(1'000);
  for (std::uint32_t i = 0; i < 1'000; ++i) room[i] = {.request_id = 3 + i};
  EXPECT_EQ(in_flight.size(), 1U);
  in_flight.commit(900);
  EXPECT_EQ(in_flight.size(), 901U);
  for (std::uint32_t i = 0; i < 901; ++i) ASSERT_EQ(in_flight.at(i).request_id, 2 + i);
  EXPECT_EQ(in_flight.position_of(in_flight.at(7)), 7U);
  in_flight.pop(901);
  EXPECT_TRUE(in_flight.empty());
}

}  // namespace
}  // namespace hallmark::loadgen
