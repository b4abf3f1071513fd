#include <gtest/gtest.h>

#include <array>

#include "loadgen/tests/connection_bench.hpp"

namespace hallmark::loadgen {
namespace {

using base::Bytes;
using base::ByteView;

TEST(RequestIds, a_wrong_one_fails_its_request_and_no_other) {
  Bench bench{of_2_0("request-order", "query=1")};
  for (std::uint64_t i = 0; i < 3; ++i) bench.ask(i);
  const Bytes wrong = reply_to("query", bench.workload, true, {{"request_id", std::uint64_t{7}}});
  EXPECT_TRUE(bench.receive(reply_in(bench, 0) + wrong + reply_in(bench, 2)));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{3, 2, 0, 0, 1}));
  EXPECT_EQ(failures(bench.tally, Failure::wrong_id), 1U);
  EXPECT_EQ(name_of(Failure::wrong_id), "reply to another request");
  EXPECT_EQ(bench.tally.examples[static_cast<std::size_t>(Failure::wrong_id)],
            "query: id 7 where 1 was due");
}

TEST(RequestIds, a_wrong_one_in_a_batch_fails_its_request_and_no_other) {
  for (const std::uint64_t wrong : {0U, 1U, 5U, 9U}) {
    Bench bench{of_2_0("request-order", "query=1"), false};
    ASSERT_EQ(bench.connection.fill({7, planned_at}, 2, 10, bench.tally), 10U);
    Bytes replies;
    for (std::uint64_t i = 0; i < 10; ++i) {
      const std::uint64_t id = 7 + 2 * i + (i == wrong ? 1 : 0);
      replies = replies + reply_to("query", bench.workload, true, {{"request_id", id}});
    }
    EXPECT_TRUE(bench.receive(replies));
    EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{10, 9, 0, 0, 1})) << wrong;
    EXPECT_EQ(failures(bench.tally, Failure::wrong_id), 1U) << wrong;
  }
}

TEST(RequestIds, all_their_bytes_count) {
  for (const std::uint64_t wrong : {1U << 8, 1U << 16, 1U << 24}) {
    Bench bench{of_2_0("request-order", "query=1")};
    bench.ask(0);
    EXPECT_TRUE(bench.receive(reply_to("query", bench.workload, true, {{"request_id", wrong}})));
    EXPECT_EQ(failures(bench.tally, Failure::wrong_id), 1U) << wrong;
  }
}

TEST(RequestIds, replies_out_of_order_are_wrong_where_order_is_promised) {
  Bench bench{of_2_0("request-order", "query=1")};
  for (std::uint64_t i = 0; i < 2; ++i) bench.ask(i);
  EXPECT_TRUE(bench.receive(reply_in(bench, 1) + reply_in(bench, 0)));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{2, 0, 0, 0, 2}));
  EXPECT_EQ(failures(bench.tally, Failure::wrong_id), 2U);
}

TEST(AnyOrder, replies_of_all_orders_find_their_requests_at_every_cut) {
  Bench bench{of_2_0("any-order")};
  for (const auto& order : {std::array{3, 2, 1, 0}, std::array{0, 2, 1, 3}, std::array{1, 0, 3, 2},
                            std::array{2, 3, 0, 1}}) {
    Bytes replies;
    for (const int index : order) {
      replies = replies + reply_in(bench, static_cast<std::uint64_t>(index));
    }
    for (std::size_t cut = 0; cut <= replies.size(); ++cut) {
      bench.restart(4);
      ASSERT_TRUE(receive_piece(bench, ByteView{replies}.first(cut)));
      ASSERT_TRUE(receive_piece(bench, ByteView{replies}.subspan(cut)));
      ASSERT_EQ(bench.tally.total(), (reports::LoadCounts{4, 4, 0, 0, 0})) << "cut at " << cut;
      ASSERT_TRUE(bench.connection.idle());
    }
  }
}

TEST(AnyOrder, each_reply_is_timed_from_its_own_request) {
  Bench bench{of_2_0("any-order", "query=1")};
  EXPECT_TRUE(bench.connection.request({0, 1'000, true}, bench.tally));
  EXPECT_TRUE(bench.connection.request({1, 1'500, true}, bench.tally));
  bench.connection.stamp(1'500, false, bench.tally);
  EXPECT_TRUE(bench.connection.receive(reply_in(bench, 1), {1'600}, bench.tally));
  EXPECT_EQ(bench.tally.parts[0].corrected().known().max(), 100U);
  EXPECT_EQ(bench.connection.waiting(), 1U);
  EXPECT_TRUE(bench.connection.receive(reply_in(bench, 0), {1'600}, bench.tally));
  EXPECT_EQ(bench.tally.parts[0].corrected().known().max(), 600U);
  EXPECT_EQ(bench.connection.waiting(), 0U);
}

TEST(AnyOrder, an_id_under_which_no_request_waits_gives_the_connection_up) {
  Bench bench{of_2_0("any-order")};
  for (std::uint64_t i = 0; i < 3; ++i) bench.ask(i);
  EXPECT_FALSE(bench.receive(reply_in(bench, 1) + reply_in(bench, 1)));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{3, 1, 0, 0, 2}));
  EXPECT_EQ(failures(bench.tally, Failure::wrong_id), 1U);
  EXPECT_EQ(failures(bench.tally, Failure::abandoned), 2U);
  EXPECT_EQ(bench.tally.examples[static_cast<std::size_t>(Failure::wrong_id)],
            "id 1, under which no request waits");
  EXPECT_TRUE(bench.connection.idle());
}

TEST(AnyOrder, a_malformed_reply_fails_the_request_it_names) {
  Bench bench{of_2_0("any-order", "query=1")};
  for (std::uint64_t i = 0; i < 2; ++i) bench.ask(i);
  EXPECT_FALSE(bench.receive(Bytes{1, 0, 0, 0, 9}));
  EXPECT_EQ(failures(bench.tally, Failure::malformed), 1U);
  EXPECT_EQ(failures(bench.tally, Failure::abandoned), 1U);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{2, 0, 0, 0, 2}));
}

TEST(AnyOrder, what_was_overtaken_times_out_alone) {
  Bench bench{of_2_0("any-order", "query=1")};
  for (std::uint64_t i = 0; i < 3; ++i) bench.ask(i);
  EXPECT_TRUE(bench.receive(reply_in(bench, 1)));
  bench.connection.expire(planned_at + timeout_ns, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{3, 1, 2, 0, 0}));
  EXPECT_TRUE(bench.receive(reply_in(bench, 2) + reply_in(bench, 0)));
  EXPECT_EQ(bench.tally.late_replies, 2U);
  EXPECT_TRUE(bench.connection.idle());
  bench.ask(3);
  bench.connection.expire(planned_at + timeout_ns, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{4, 1, 3, 0, 0}));
}

TEST(AnyOrder, what_has_ended_does_not_fail_again_when_the_connection_is_lost) {
  Bench bench{of_2_0("any-order", "query=1")};
  for (std::uint64_t i = 0; i < 3; ++i) bench.ask(i);
  EXPECT_TRUE(bench.receive(reply_in(bench, 1)));
  bench.connection.lose(Failure::closed, {}, replied_at, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{3, 1, 0, 0, 2}));
  EXPECT_EQ(bench.connection.waiting(), 0U);
}

}  // namespace
}  // namespace hallmark::loadgen
