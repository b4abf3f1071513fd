#include "loadgen/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loadgen/tests/replies.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::Bytes;
using protocol::ByteView;

constexpr std::int64_t planned_at = 1'000;
constexpr std::int64_t sent_at = 1'400;
constexpr std::int64_t replied_at = 2'000;

std::uint64_t failures(const Tally& tally, Failure failure) {
  return tally.failures[static_cast<std::size_t>(failure)];
}

/// A connection with the requests of one mix, and what it counted.
struct Bench {
  explicit Bench(const std::string& mix, bool open_loop = true)
      : workload(workload_of(mix)),
        requests(Requests::make(workload).value()),
        connection(requests, open_loop),
        tally(requests.parts().size()) {}

  const std::string& ask(std::uint64_t index, bool counted = true) {
    EXPECT_TRUE(connection.request({index, planned_at, counted}, tally));
    connection.stamp(sent_at, tally);
    connection.sent(connection.unsent().size());
    return requests.parts()[requests.part_of(index)].name;
  }

  /// As new, without touching the megabytes of a new tally.
  void restart(std::uint64_t asked) {
    connection = Connection{requests, true};
    tally.reset();
    for (std::uint64_t i = 0; i < asked; ++i) ask(i);
  }

  bool receive(ByteView bytes) { return connection.receive(bytes, replied_at, tally); }

  Workload workload;
  Requests requests;
  Connection connection;
  Tally tally;
};

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Received bytes on the heap in a piece of just their size: reading beyond them is seen.
bool receive_piece(Bench& bench, ByteView piece) {
  return bench.receive(Bytes(piece.begin(), piece.end()));
}

TEST(Connection, a_reply_completes_its_request_and_is_timed_from_plan_and_send) {
  Bench bench{"query=1"};
  bench.ask(0);
  EXPECT_EQ(bench.connection.waiting(), 1U);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  EXPECT_TRUE(bench.connection.idle());
  const PartTally& part = bench.tally.parts[0];
  EXPECT_EQ(part.counts, (reports::LoadCounts{1, 1, 0, 0, 0}));
  EXPECT_EQ(part.corrected.max(), 1'000U);
  EXPECT_EQ(part.uncorrected.max(), 600U);
  EXPECT_EQ(bench.tally.send_lag.max(), 400U);
  EXPECT_EQ(bench.tally.sent, 1U);
}

TEST(Connection, a_closed_loop_has_no_planned_send) {
  Bench bench{"query=1", false};
  bench.ask(0);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  EXPECT_EQ(bench.tally.parts[0].uncorrected.max(), 1'000U);
  EXPECT_TRUE(bench.tally.parts[0].corrected.empty());
}

constexpr const char* every_operation =
    "insert=1,query=1,update=1,purge=1,set=1,get=1,list=1,info=1,stat=1,stats=1,unsubscribe=1,"
    "connections=1,connection=1,channels=1,channel=1,whoami=1";

TEST(Connection, replies_of_every_operation_cut_at_every_byte) {
  Bench bench{every_operation};
  Bytes replies;
  for (std::uint64_t i = 0; i < 40; ++i) replies = replies + reply_to(bench.ask(i), bench.workload);
  for (std::size_t cut = 0; cut <= replies.size(); ++cut) {
    bench.restart(40);
    ASSERT_TRUE(receive_piece(bench, ByteView{replies}.first(cut)));
    ASSERT_TRUE(receive_piece(bench, ByteView{replies}.subspan(cut)));
    ASSERT_EQ(bench.tally.total(), (reports::LoadCounts{40, 40, 0, 0, 0})) << "cut at " << cut;
    ASSERT_TRUE(bench.connection.idle());
  }
}

TEST(Connection, replies_byte_by_byte) {
  Bench bench{every_operation};
  Bytes replies;
  for (std::uint64_t i = 0; i < 40; ++i) replies = replies + reply_to(bench.ask(i), bench.workload);
  for (const std::uint8_t& byte : replies) ASSERT_TRUE(receive_piece(bench, {&byte, 1}));
  EXPECT_EQ(bench.tally.total().completed, 40U);
}

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
                     "list: the reply says it has"}),
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
  bench.connection.lose(Failure::reset, "reset by peer", bench.tally);
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
  bench.connection.expire(planned_at - 1, bench.tally);
  EXPECT_EQ(bench.tally.total().timed_out, 0U);
  bench.connection.expire(planned_at, bench.tally);
  bench.connection.expire(planned_at, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 0, 1, 0, 0}));
  EXPECT_EQ(failures(bench.tally, Failure::timeout), 1U);
  bench.ask(1);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload) + reply_to("query", bench.workload)));
  EXPECT_EQ(bench.tally.late_replies, 1U);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{2, 1, 1, 0, 0}));
  EXPECT_EQ(bench.tally.parts[0].uncorrected.count(), 1U);
}

TEST(Connection, a_request_after_a_late_reply_can_time_out_too) {
  Bench bench{"query=1"};
  bench.ask(0);
  bench.connection.expire(planned_at, bench.tally);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  bench.ask(1);
  bench.connection.expire(planned_at, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{2, 0, 2, 0, 0}));
}

TEST(Connection, a_timed_out_request_does_not_fail_again_when_the_connection_is_lost) {
  Bench bench{"query=1"};
  bench.ask(0);
  bench.connection.expire(planned_at, bench.tally);
  bench.connection.lose(Failure::closed, {}, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 0, 1, 0, 0}));
}

TEST(Connection, warm_up_is_sent_and_answered_but_not_counted) {
  Bench bench{"query=1"};
  for (std::uint64_t i = 0; i < 4; ++i) bench.ask(i, false);
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload)));
  EXPECT_TRUE(bench.receive(reply_to("query", bench.workload, false)));
  bench.connection.expire(planned_at, bench.tally);
  bench.connection.not_sent({9, planned_at, false}, Failure::backlog, bench.tally);
  bench.connection.lose(Failure::reset, {}, bench.tally);
  EXPECT_EQ(bench.tally.total(), reports::LoadCounts{});
  EXPECT_EQ(bench.tally.failures, (std::array<std::uint64_t, failure_kinds>{}));
  EXPECT_TRUE(bench.tally.parts[0].uncorrected.empty());
}

TEST(Connection, a_request_that_is_not_sent_is_shed_or_failed_without_a_connection) {
  Bench bench{"query=1"};
  bench.connection.not_sent({0, planned_at, true}, Failure::no_connection, bench.tally);
  bench.connection.not_sent({1, planned_at, true}, Failure::backlog, bench.tally);
  bench.connection.not_sent({2, planned_at, true}, Failure::late, bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{3, 0, 0, 2, 1}));
  EXPECT_EQ(failures(bench.tally, Failure::no_connection), 1U);
  EXPECT_EQ(failures(bench.tally, Failure::backlog), 1U);
  EXPECT_EQ(failures(bench.tally, Failure::late), 1U);
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
  for (std::uint64_t i = 0; i < 50; ++i) asked.push_back(bench.ask(i));
  ASSERT_THAT(asked, testing::AllOf(testing::Contains("publish"), testing::Contains("query")));
  for (const auto& operation : asked) {
    if (operation == "publish") continue;
    ASSERT_TRUE(bench.receive(reply_to("query", bench.workload)));
  }
  bench.connection.settle(bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{50, 50, 0, 0, 0}));
  EXPECT_TRUE(bench.connection.idle());
  EXPECT_TRUE(bench.tally.parts[0].uncorrected.empty());
}

TEST(Connection, a_request_without_reply_does_not_time_out) {
  Bench bench{"publish=1000000,query=1"};
  ASSERT_EQ(bench.ask(0), "publish");
  bench.connection.expire(replied_at, bench.tally);
  bench.connection.settle(bench.tally);
  EXPECT_EQ(bench.tally.total(), (reports::LoadCounts{1, 1, 0, 0, 0}));
}

TEST(Connection, deliveries_come_between_replies_and_are_no_replies) {
  Bench bench{"subscribe=1,query=1"};
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

TEST(Connection, without_a_subscription_a_delivery_is_malformed) {
  Bench bench{"query=1"};
  bench.ask(0);
  EXPECT_FALSE(bench.receive(delivery(bench.workload, "news")));
  EXPECT_EQ(failures(bench.tally, Failure::malformed), 1U);
}

TEST(Connection, any_bytes_leave_the_counts_balanced) {
  const CounterRandom random{21, RandomStream::value};
  Bench bench{every_operation};
  for (std::uint64_t round = 0; round < 5'000; ++round) {
    bench.restart(8);
    Bytes noise;
    for (std::uint64_t i = 0; i < 64; ++i) {
      const std::uint64_t drawn = random.at(round * 64 + i);
      noise.push_back(static_cast<std::uint8_t>((drawn & 0x100) != 0 ? drawn & 1 : drawn));
    }
    receive_piece(bench, noise);
    bench.connection.lose(Failure::closed, {}, bench.tally);
    ASSERT_TRUE(bench.tally.total().balanced()) << round;
    ASSERT_TRUE(bench.connection.idle());
  }
}

}  // namespace
}  // namespace hallmark::loadgen
