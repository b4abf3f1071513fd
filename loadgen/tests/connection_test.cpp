#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "loadgen/tests/connection_bench.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::loadgen {
namespace {

using base::Bytes;
using base::ByteView;

TEST(Connection, a_reply_completes_its_request_and_is_timed_from_plan_and_send) {
  Bench bench{"query=1"};
  bench.ask(0);
  EXPECT_EQ(bench.connection.waiting(), 1U);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  EXPECT_TRUE(bench.connection.idle());
  const Ledger& part = bench.tally.parts[0];
  EXPECT_EQ(part.counts(), (reports::LoadCounts{1, 1, 0, 0, 0}));
  EXPECT_EQ(part.corrected().known().max(), 1'000U);
  EXPECT_EQ(part.uncorrected().known().max(), 600U);
  EXPECT_EQ(bench.tally.send_lag.max(), 400U);
  EXPECT_EQ(bench.tally.sent, 1U);
}

TEST(Connection, a_closed_loop_has_no_planned_send) {
  Bench bench{"query=1", false};
  bench.ask(0);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  EXPECT_EQ(bench.tally.parts[0].uncorrected().known().max(), 1'000U);
  EXPECT_EQ(&bench.tally.parts[0].corrected(), &bench.tally.parts[0].uncorrected());
}

Workload every_operation_of(const Format& format) {
  const auto& dialect = format.readings.dialect();
  auto workload =
      workload_of(format.readings, format.width, mix_without(dialect, {"subscribe", "publish"}));
  workload.value_sizes = 10;
  return workload;
}

class ConnectionInEveryFormat : public testing::TestWithParam<Format> {};

TEST_P(ConnectionInEveryFormat, replies_of_every_operation_cut_at_every_byte) {
  Bench bench{every_operation_of(GetParam())};
  Bytes replies;
  for (std::uint64_t i = 0; i < 40; ++i) replies = replies + reply_in(bench, i);
  for (std::size_t cut = 0; cut <= replies.size(); ++cut) {
    bench.restart(40);
    ASSERT_TRUE(receive_piece(bench, ByteView{replies}.first(cut)));
    ASSERT_TRUE(receive_piece(bench, ByteView{replies}.subspan(cut)));
    ASSERT_EQ(bench.tally.total(), (reports::LoadCounts{40, 40, 0, 0, 0})) << "cut at " << cut;
    ASSERT_TRUE(bench.connection.idle());
  }
}

TEST_P(ConnectionInEveryFormat, replies_byte_by_byte) {
  Bench bench{every_operation_of(GetParam())};
  Bytes replies;
  bench.restart(40);
  for (std::uint64_t i = 0; i < 40; ++i) replies = replies + reply_in(bench, i);
  for (const std::uint8_t& byte : replies) ASSERT_TRUE(receive_piece(bench, {&byte, 1}));
  EXPECT_EQ(bench.tally.total().completed, 40U);
}

// The batch of a closed loop is kept as one row: however its replies are cut, and whichever of
// them is another one, they find their requests.
TEST_P(ConnectionInEveryFormat, replies_to_a_batch_cut_at_every_byte_with_any_of_them_a_failure) {
  const Format& format = GetParam();
  constexpr std::uint64_t batch = 12;
  constexpr std::uint64_t stride = 3;
  Bench bench{workload_of(format.readings, format.width, "query=1"), false};
  const auto row = [&](std::uint64_t failing) {
    Bytes replies;
    for (std::uint64_t i = 0; i < batch; ++i)
      replies =
          replies + reply_to("query", bench.workload, i != failing, {{"request_id", stride * i}});
    return replies;
  };
  for (std::uint64_t failing = 0; failing <= batch; ++failing) {
    const Bytes replies = row(failing);
    for (std::size_t cut = 0; cut <= replies.size(); ++cut) {
      bench.connection = Connection{bench.plan(false)};
      bench.tally.reset();
      ASSERT_EQ(bench.connection.fill({0, planned_at}, stride, batch, bench.tally), batch);
      bench.connection.sent(bench.connection.unsent().size());
      ASSERT_TRUE(receive_piece(bench, ByteView{replies}.first(cut)));
      ASSERT_TRUE(receive_piece(bench, ByteView{replies}.subspan(cut)));
      const std::uint64_t failed = failing < batch ? 1 : 0;
      ASSERT_EQ(bench.tally.total(), (reports::LoadCounts{batch, batch - failed, 0, 0, failed}))
          << failing << " fails, cut at " << cut;
      ASSERT_TRUE(bench.connection.idle());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, ConnectionInEveryFormat, testing::ValuesIn(every_format()),
                         [](const auto& row) { return name_of(row.param); });

TEST(Connection, a_failure_where_the_key_is_there_is_a_wrong_status) {
  Bench bench{"query=1"};
  bench.ask(0);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload, false)));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 0, 0, 0, 1}));
  EXPECT_EQ(failures(bench.tally, Failure::wrong_status), 1U);
}

TEST(Connection, a_failure_that_is_legal_completes) {
  Bench bench{"insert=1"};
  bench.ask(0);
  EXPECT_TRUE(bench.receive(reply_to("insert", bench.workload, false)));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 1, 0, 0, 0}));
}

class RowOfReplies : public testing::TestWithParam<std::size_t> {};

// Replies that came together are taken together: the odd one must not hide among them.
TEST_P(RowOfReplies, with_a_failure_among_them) {
  Bench bench{"query=1", false};
  const Bytes good = reply_to("query", bench.workload);
  const Bytes bad = reply_to("query", bench.workload, false);
  ASSERT_EQ(bench.connection.fill({0, planned_at}, 1, 100, bench.tally), 100U);
  Bytes replies;
  for (std::size_t i = 0; i < 100; ++i) replies = replies + (i == GetParam() ? bad : good);
  EXPECT_TRUE(receive_piece(bench, replies));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{100, 99, 0, 0, 1}));
  EXPECT_EQ(bench.tally.parts[0].uncorrected().known().count(), 99U);
  EXPECT_EQ(bench.connection.waiting(), 0U);
}

TEST_P(RowOfReplies, with_a_request_of_the_warm_up_among_them) {
  Bench bench{"query=1"};
  Bytes replies;
  for (std::size_t i = 0; i < 100; ++i) {
    bench.ask(i, i != GetParam());
    replies = replies + reply_to("query", bench.workload);
  }
  EXPECT_TRUE(receive_piece(bench, replies));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{99, 99, 0, 0, 0}));
  EXPECT_EQ(bench.tally.parts[0].corrected().known().count(), 99U);
}

TEST_P(RowOfReplies, to_requests_of_which_some_have_timed_out) {
  Bench bench{"query=1"};
  Bytes replies;
  for (std::size_t i = 0; i < 100; ++i) {
    const auto planned = static_cast<std::int64_t>(i);
    ASSERT_TRUE(bench.connection.request({i, planned, true}, bench.tally));
    replies = replies + reply_to("query", bench.workload);
  }
  bench.connection.expire(static_cast<std::int64_t>(GetParam()) + timeout_ns, bench.tally);
  EXPECT_TRUE(receive_piece(bench, replies));
  const std::uint64_t late = GetParam() + 1;
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{100, 100 - late, late, 0, 0}));
  EXPECT_EQ(bench.tally.late_replies, late);
}

TEST_P(RowOfReplies, with_a_malformed_one_among_them) {
  Bench bench{"query=1", false};
  const Bytes good = reply_to("query", bench.workload);
  const Bytes bad = reply_to("query", bench.workload, true, {{"ttl_type", 99U}});
  bench.connection.fill({0, planned_at}, 1, 100, bench.tally);
  Bytes replies;
  for (std::size_t i = 0; i < 100; ++i) replies = replies + (i == GetParam() ? bad : good);
  EXPECT_FALSE(receive_piece(bench, replies));
  const std::uint64_t before = GetParam();
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{100, before, 0, 0, 100 - before}));
  EXPECT_EQ(failures(bench.tally, Failure::malformed), 1U);
}

INSTANTIATE_TEST_SUITE_P(Places, RowOfReplies, testing::Values(0, 1, 62, 63, 64, 65, 98, 99));

TEST(Connection, the_slowest_of_a_row_know_their_places) {
  Bench bench{"query=1", false};
  bench.connection.fill({0, planned_at}, 1, 100, bench.tally);
  Bytes replies;
  for (std::size_t i = 0; i < 100; ++i) replies = replies + reply_to("query", bench.workload);
  EXPECT_TRUE(receive_piece(bench, replies));
  const auto slowest = bench.tally.slowest.ranked();
  ASSERT_EQ(slowest.size(), Slowest::most);
  for (const SlowRequest& slow : slowest) {
    EXPECT_EQ(slow.place_in_write, slow.index);
    EXPECT_EQ(slow.place_in_read, slow.index);
  }
}

struct ContentRow {
  std::string name;
  std::string operation;
  protocol::Record changes;
};

class WrongContent : public testing::TestWithParam<ContentRow> {};

TEST_P(WrongContent, is_seen) {
  const auto& row = GetParam();
  Bench bench{row.operation + "=1"};
  bench.ask(0);
  EXPECT_TRUE(bench.receive(reply_to(row.operation, bench.workload, true, row.changes)));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 0, 0, 0, 1}));
  EXPECT_EQ(failures(bench.tally, Failure::wrong_content), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongContent,
    testing::Values(ContentRow{"ttl_longer_than_stored", "query", {{"ttl", std::uint64_t{25}}}},
                    ContentRow{"other_ttl_type", "query", {{"ttl_type", std::uint64_t{4}}}},
                    ContentRow{"value_of_another_size", "get", {{"value", Bytes(63, 'x')}}}),
    [](const auto& row) { return row.param.name; });

struct MalformedRow {
  std::string name;
  std::string operation;
  Bytes bytes;
  std::string example;
};

class MalformedReply : public testing::TestWithParam<MalformedRow> {};

TEST_P(MalformedReply, gives_the_connection_up_and_names_field_and_offset) {
  const auto& row = GetParam();
  Bench bench{row.operation + "=1"};
  for (std::uint64_t i = 0; i < 3; ++i) bench.ask(i);
  EXPECT_FALSE(receive_piece(bench, row.bytes));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{3, 0, 0, 0, 3}));
  EXPECT_EQ(failures(bench.tally, Failure::malformed), 1U);
  EXPECT_EQ(failures(bench.tally, Failure::abandoned), 2U);
  EXPECT_THAT(bench.tally.examples[static_cast<std::size_t>(Failure::malformed)],
              testing::HasSubstr(row.example));
  EXPECT_TRUE(bench.connection.idle());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, MalformedReply,
    testing::Values(
        MalformedRow{"status", "query", {2}, "query: field status at offset 0"},
        MalformedRow{"ttl_type", "query", {1, 0, 0, 9, 0, 0}, "query: field ttl_type at offset 3"},
        MalformedRow{"endless",
                     "list",
                     {1, 255, 255, 255, 255, 255, 255, 255, 255},
                     "list: says it has 18446744073709551615 bytes, allowed: 67108864"}),
    [](const auto& row) { return row.param.name; });

TEST(Connection, bytes_that_nobody_asked_for) {
  Bench bench{"query=1"};
  EXPECT_FALSE(bench.receive(Bytes{1}));
  EXPECT_EQ(failures(bench.tally, Failure::unexpected_bytes), 1U);
}

TEST(Connection, bytes_behind_the_last_reply) {
  Bench bench{"query=1"};
  bench.ask(0);
  EXPECT_FALSE(bench.receive(reply_to("query", bench.workload) + Bytes{0}));
  EXPECT_EQ(bench.tally.total().completed, 1U);
  EXPECT_EQ(failures(bench.tally, Failure::unexpected_bytes), 1U);
}

TEST(Connection, a_lost_connection_fails_what_is_in_flight) {
  Bench bench{"query=1"};
  for (std::uint64_t i = 0; i < 5; ++i) bench.ask(i);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  EXPECT_TRUE(bench.receive(Bytes{1, 0}));
  bench.connection.lose(Failure::reset, "reset by peer", replied_at, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{5, 1, 0, 0, 4}));
  EXPECT_EQ(failures(bench.tally, Failure::reset), 4U);
  EXPECT_TRUE(bench.connection.idle());
  bench.ask(5);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  EXPECT_EQ(bench.tally.total().completed, 2U);
}

TEST(Connection, a_timeout_counts_once_and_its_late_reply_is_not_recorded) {
  Bench bench{"query=1"};
  bench.ask(0);
  bench.connection.expire(planned_at - 1 + timeout_ns, bench.tally);
  EXPECT_EQ(bench.tally.total().timed_out, 0U);
  bench.connection.expire(planned_at + timeout_ns, bench.tally);
  bench.connection.expire(planned_at + timeout_ns, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 0, 1, 0, 0}));
  EXPECT_EQ(failures(bench.tally, Failure::timeout), 1U);
  bench.ask(1);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload) + reply_to("query", bench.workload)));
  EXPECT_EQ(bench.tally.late_replies, 1U);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{2, 1, 1, 0, 0}));
  EXPECT_EQ(bench.tally.parts[0].uncorrected().known().count(), 1U);
}

TEST(Connection, a_request_after_a_late_reply_can_time_out_too) {
  Bench bench{"query=1"};
  bench.ask(0);
  bench.connection.expire(planned_at + timeout_ns, bench.tally);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  bench.ask(1);
  bench.connection.expire(planned_at + timeout_ns, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{2, 0, 2, 0, 0}));
}

TEST(Connection, a_timed_out_request_does_not_fail_again_when_the_connection_is_lost) {
  Bench bench{"query=1"};
  bench.ask(0);
  bench.connection.expire(planned_at + timeout_ns, bench.tally);
  bench.connection.lose(Failure::closed, {}, replied_at, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 0, 1, 0, 0}));
}

TEST(Connection, warm_up_is_sent_and_answered_but_not_counted) {
  Bench bench{"query=1"};
  for (std::uint64_t i = 0; i < 4; ++i) bench.ask(i, false);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload, false)));
  bench.connection.expire(planned_at + timeout_ns, bench.tally);
  bench.connection.not_sent({9, planned_at, false}, Failure::backlog, sent_at, bench.tally);
  bench.connection.lose(Failure::reset, {}, replied_at, bench.tally);
  EXPECT_EQ(bench.tally.total(), reports::LoadCounts{});
  EXPECT_EQ(bench.tally.failures, (std::array<std::uint64_t, failure_kinds>{}));
  EXPECT_TRUE(bench.tally.parts[0].uncorrected().known().empty());
}

TEST(Connection, a_request_that_is_not_sent_is_shed_or_failed_without_a_connection) {
  Bench bench{"query=1"};
  bench.connection.not_sent({0, planned_at, true}, Failure::no_connection, sent_at, bench.tally);
  bench.connection.not_sent({1, planned_at, true}, Failure::backlog, sent_at, bench.tally);
  bench.connection.not_sent({2, planned_at, true}, Failure::late, sent_at, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{3, 0, 0, 1, 2}));
  EXPECT_EQ(failures(bench.tally, Failure::no_connection), 1U);
  EXPECT_EQ(failures(bench.tally, Failure::backlog), 1U);
  EXPECT_EQ(failures(bench.tally, Failure::late), 1U);
}

TEST(Connection, no_more_than_the_most_wait_on_it_in_an_open_loop) {
  Bench bench{"query=1"};
  auto plan = bench.plan(true);
  plan.most_in_flight = 2;
  bench.connection = Connection{plan};
  EXPECT_TRUE(bench.connection.request({0, planned_at}, bench.tally));
  EXPECT_TRUE(bench.connection.request({1, planned_at}, bench.tally));
  EXPECT_FALSE(bench.connection.request({2, planned_at}, bench.tally));
  bench.connection.stamp(sent_at, false, bench.tally);
  bench.connection.sent(bench.connection.unsent().size());
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  EXPECT_TRUE(bench.connection.request({3, planned_at}, bench.tally));
}

TEST(Connection, what_the_client_delayed_is_marked) {
  struct Row {
    const char* name;
    bool held_up;
    std::int64_t kernel_ns;
    bool response;  ///< marked
    bool service;
  };
  // The latency is 1,000 ns from the plan and 600 ns from the send, so the lag is 400 ns.
  for (const Row& row : {Row{"lag", false, replied_at, true, false},
                         Row{"held up by the target", true, replied_at, false, false},
                         Row{"read late", true, replied_at - 300, true, true},
                         Row{"not told", true, -1, false, false}}) {
    SCOPED_TRACE(row.name);
    Bench bench{"query=1"};
    bench.held_up = row.held_up;
    bench.ask(0);
    EXPECT_TRUE(bench.connection.receive(reply_to("query", bench.workload),
                                         {replied_at, row.kernel_ns}, bench.tally));
    EXPECT_EQ(bench.tally.parts[0].corrected().max().by_client, row.response);
    EXPECT_EQ(bench.tally.parts[0].uncorrected().max().by_client, row.service);
  }
}

TEST(Connection, is_filled_up_to_its_depth_whatever_the_size_of_its_frames) {
  auto workload = workload_of("set=1,query=1");
  workload.value_sizes = 20'000;
  Bench bench{workload, false};
  Bench one_by_one{workload, false};
  for (std::uint64_t i = 0; i < 40; ++i)
    ASSERT_TRUE(one_by_one.connection.request({2 + 3 * i, planned_at}, one_by_one.tally));
  EXPECT_EQ(bench.connection.fill({2, planned_at}, 3, 40, bench.tally), 40U);
  EXPECT_EQ(bench.tally.total().planned, 40U);
  EXPECT_TRUE(std::ranges::equal(bench.connection.unsent(), one_by_one.connection.unsent()));
  EXPECT_EQ(bench.tally.parts[0].counts(), one_by_one.tally.parts[0].counts());
}

TEST(Connection, what_waits_is_bounded) {
  Bench bench{"query=1"};
  std::uint64_t taken = 0;
  while (taken < 1'000'000 && bench.connection.request({taken, planned_at, true}, bench.tally)) {
    ++taken;
    bench.connection.sent(bench.connection.unsent().size());
  }
  EXPECT_EQ(taken, 65'536U);
  EXPECT_EQ(bench.tally.total().planned, taken);
}

TEST(Connection, unsent_bytes_are_bounded) {
  Bench bench{"set=1"};
  std::uint64_t taken = 0;
  while (taken < 1'000'000 && bench.connection.request({taken, planned_at, true}, bench.tally)) {
    ++taken;
  }
  EXPECT_LT(taken, 65'536U);
  EXPECT_LT(bench.connection.unsent().size(), std::size_t{2} << 20);
}

TEST(Connection, a_request_without_reply_completes_when_a_later_one_is_answered) {
  Bench bench{"publish=1,query=1"};
  std::vector<std::string> asked;
  while (asked.size() < 50 || (asked.back() != "publish" && asked.size() < 1'000))
    asked.push_back(bench.ask(asked.size()));
  ASSERT_EQ(asked.back(), "publish");
  ASSERT_THAT(asked, testing::Contains("query"));
  for (const auto& operation : asked) {
    if (operation == "publish") continue;
    ASSERT_FALSE(bench.connection.idle());
    ASSERT_TRUE(bench.receive(reply_to("query", bench.workload)));
  }
  EXPECT_TRUE(bench.connection.idle()) << "what is behind the last reply is not waited for";
  const std::uint64_t all = asked.size();
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{all, all, 0, 0, 0}));
  EXPECT_TRUE(bench.tally.parts[0].uncorrected().known().empty());
}

TEST(Connection, a_request_without_reply_does_not_time_out) {
  Bench bench{"publish=1000000,query=1"};
  ASSERT_EQ(bench.ask(0), "publish");
  bench.connection.expire(replied_at + timeout_ns, bench.tally);
  bench.connection.settle(bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 1, 0, 0, 0}));
}

class Subscriber : public testing::TestWithParam<const protocol::Dialect*> {};

TEST_P(Subscriber, takes_deliveries_between_replies_and_not_as_replies) {
  Bench bench{workload_of("subscribe=1,query=1", protocol::Width::u16, *GetParam())};
  const Bytes push = delivery(bench.workload, "news");
  Bytes bytes = push;
  for (std::uint64_t i = 0; i < 6; ++i) {
    bytes = bytes + reply_to(bench.ask(i), bench.workload) + push;
  }
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    bench.restart(6);
    ASSERT_TRUE(receive_piece(bench, ByteView{bytes}.first(cut)));
    ASSERT_TRUE(receive_piece(bench, ByteView{bytes}.subspan(cut)));
    ASSERT_EQ(bench.tally.deliveries, 7U) << "cut at " << cut;
    ASSERT_EQ(bench.tally.total().completed, 6U) << "cut at " << cut;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Dialects, Subscriber, testing::Values(&protocol::throttr_7_1, &protocol::throttr_7_3),
    [](const auto& row) {
      return name_of(Format{{*row.param, protocol::Profile::deployed}, protocol::Width::u16});
    });

TEST(Connection, a_delivery_comes_without_having_asked_where_connections_are_born_subscribed) {
  Bench bench{workload_of("query=1", protocol::Width::u16, protocol::throttr_7_3)};
  EXPECT_TRUE(bench.receive(delivery(bench.workload, "to all")));
  EXPECT_EQ(bench.tally.deliveries, 1U);
}

TEST(Connection, a_delivery_without_end_gives_the_connection_up) {
  Bench bench{workload_of("subscribe=1", protocol::Width::u64)};
  bench.ask(0);
  EXPECT_FALSE(receive_piece(bench, Bytes{3, 0, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 0, 0, 0, 1}));
  EXPECT_EQ(bench.tally.examples[static_cast<std::size_t>(Failure::malformed)],
            "delivery: says it has 4294967305 bytes, allowed: 67108864");
}

TEST(Connection, without_a_subscription_a_delivery_is_malformed) {
  Bench bench{"query=1"};
  bench.ask(0);
  EXPECT_FALSE(bench.receive(delivery(bench.workload, "news")));
  EXPECT_EQ(failures(bench.tally, Failure::malformed), 1U);
}

Bytes noise(std::uint64_t round) {
  const base::CounterRandom random{21, RandomStream::value};
  Bytes bytes;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const std::uint64_t drawn = random.at(round * 64 + i);
    bytes.push_back(static_cast<std::uint8_t>((drawn & 0x100) != 0 ? drawn & 1 : drawn));
  }
  return bytes;
}

void take_noise(const Workload& workload) {
  Bench bench{workload};
  for (std::uint64_t round = 0; round < 2'000; ++round) {
    bench.restart(8);
    receive_piece(bench, noise(round));
    bench.connection.lose(Failure::closed, {}, replied_at, bench.tally);
    ASSERT_TRUE(bench.tally.total().balanced()) << round;
    ASSERT_TRUE(bench.connection.idle());
    ASSERT_EQ(bench.connection.waiting(), 0U);
  }
}

TEST_P(ConnectionInEveryFormat, any_bytes_leave_the_counts_balanced) {
  take_noise(every_operation_of(GetParam()));
}

TEST(AnyOrder, any_bytes_leave_the_counts_balanced) { take_noise(of_2_0("any-order")); }

}  // namespace
}  // namespace hallmark::loadgen
