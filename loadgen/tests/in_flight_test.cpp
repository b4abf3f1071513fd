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

PendingRow row_of(std::uint32_t first_id, std::uint32_t stride, std::size_t count) {
  return {Pending{.planned_ns = first_id, .request_id = first_id, .place = 4}, stride, count};
}

TEST(InFlight, holds_rows_until_one_of_their_requests_is_asked_for) {
  InFlight in_flight;
  in_flight.push(row_of(UINT32_MAX - 1, 2, 3));
  in_flight.push(row_of(10, 1, 2));
  EXPECT_EQ(in_flight.size(), 5U);
  EXPECT_EQ(in_flight.oldest_planned_ns(), std::int64_t{UINT32_MAX} - 1);
  in_flight.pop();
  ASSERT_NE(in_flight.row(), nullptr);
  EXPECT_EQ(in_flight.row()->first.request_id, 0U);
  EXPECT_EQ(in_flight.row()->first.place, 5);
  EXPECT_EQ(in_flight.row()->count, 2U);
  EXPECT_EQ(in_flight.at(1).request_id, 2U);
  EXPECT_EQ(in_flight.row(), nullptr);
  EXPECT_EQ(in_flight.size(), 4U);
  const std::uint32_t ids[] = {0, 2, 10, 11};
  const std::uint16_t places[] = {5, 6, 4, 5};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(in_flight.at(i).request_id, ids[i]);
    EXPECT_EQ(in_flight.at(i).place, places[i]);
  }
  in_flight.pop(4);
  EXPECT_TRUE(in_flight.empty());
}

TEST(InFlight, rows_are_dropped_across_their_ends) {
  InFlight in_flight;
  for (std::uint32_t i = 0; i < 3; ++i) in_flight.push(row_of(10 * i, 1, 4));
  in_flight.pop(9);
  ASSERT_NE(in_flight.row(), nullptr);
  EXPECT_EQ(in_flight.row()->first.request_id, 21U);
  in_flight.pop(3);
  EXPECT_TRUE(in_flight.empty());
  EXPECT_EQ(in_flight.row(), nullptr);
}

TEST(InFlight, a_row_behind_single_requests_is_broken_up_and_so_is_one_before_them) {
  auto in_flight = holding({1, 2});
  in_flight.push(row_of(3, 1, 100));
  EXPECT_EQ(in_flight.row(), nullptr);
  for (std::uint32_t i = 0; i < 102; ++i) ASSERT_EQ(in_flight.at(i).request_id, 1 + i);
  in_flight.pop(102);
  in_flight.push(row_of(200, 1, 2));
  in_flight.push(Pending{.request_id = 202});
  EXPECT_EQ(in_flight.row(), nullptr);
  for (std::uint32_t i = 0; i < 3; ++i) ASSERT_EQ(in_flight.at(i).request_id, 200 + i);
}

// A queue that is never empty must not keep what it has dropped.
TEST(InFlight, rows_without_end_take_no_memory_without_end) {
  InFlight in_flight;
  in_flight.push(row_of(0, 1, 4));
  for (std::uint32_t i = 1; i < 100'000; ++i) {
    in_flight.push(row_of(4 * i, 1, 4));
    in_flight.pop(4);
    ASSERT_EQ(in_flight.row()->first.request_id, 4 * i);
  }
  EXPECT_LE(in_flight.row_capacity(), 16U);
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
