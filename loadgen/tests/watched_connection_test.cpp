#include <cstring>

#include "loadgen/tests/connection_bench.hpp"

namespace hallmark::loadgen {
namespace {

/// A bench whose only key is watched, and whose counters are accounted for.
struct WatchedBench : Bench {
  explicit WatchedBench(const std::string& mix) : Bench(of_one_key(mix)) {
    ConnectionPlan watching = plan(true);
    watching.watched = &watched;
    watching.counters = &ledger;
    connection = Connection(watching, 0, false, 7);
  }
  static Workload of_one_key(const std::string& mix) {
    Workload workload = workload_of(mix);
    workload.keys = 1;
    return workload;
  }

  WatchedKeys watched{1, 1};
  CounterLedger ledger{1};
};

TEST(WatchedConnection, what_is_asked_and_answered_is_observed) {
  WatchedBench bench{"query=1"};
  bench.ask(4, false);
  EXPECT_EQ(bench.connection.unobserved_since(), sent_at);
  const Bytes reply = reply_to("query", bench.workload, true, {{"quota", std::uint64_t{40}}});
  bench.receive(reply);
  EXPECT_EQ(bench.connection.unobserved_since(), INT64_MAX);
  ASSERT_EQ(bench.tally.observed.size(), 1U) << "of the warm-up, too";
  const Observation& observed = bench.tally.observed.front();
  EXPECT_EQ(observed.index, 4U);
  EXPECT_EQ(observed.client, 7U);
  EXPECT_EQ(observed.sent_ns, sent_at);
  EXPECT_EQ(observed.received_ns, replied_at);
  EXPECT_TRUE(observed.success);
  EXPECT_EQ(observed.told, 40U);
  EXPECT_EQ(observed.reply, reply);
}

TEST(WatchedConnection, a_request_without_a_reply_in_time_is_observed_once_as_lost) {
  WatchedBench bench{"increase=1"};
  bench.ask(0);
  bench.ask(1);
  bench.connection.expire(planned_at + timeout_ns, bench.tally);
  bench.receive(reply_to("increase", bench.workload));
  bench.connection.lose(Failure::closed, {}, replied_at, bench.tally);
  ASSERT_EQ(bench.tally.observed.size(), 2U);
  for (const Observation& one : bench.tally.observed) EXPECT_EQ(one.received_ns, oracle::never_ns);
  const auto range = bench.ledger.range_of(0, 10);
  EXPECT_EQ(range.least, 10);
  EXPECT_EQ(range.most, 12);
}

TEST(WatchedConnection, what_moves_a_counter_is_accounted_for_where_it_succeeded) {
  WatchedBench bench{"increase=1,decrease=1"};
  std::int64_t moved = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::string part = bench.ask(i);
    const bool success = i % 3 != 0;
    bench.receive(reply_to(part, bench.workload, success));
    if (success) moved += part == "increase" ? 1 : -1;
  }
  EXPECT_EQ(bench.ledger.range_of(0, 0).least, moved);
  EXPECT_EQ(bench.tally.total().completed, 20U) << "a refusal at the end of the range is none";
}

TEST(Connection, inserts_that_win_are_held_against_each_other) {
  Bench bench{WatchedBench::of_one_key("insert=1,purge=1")};
  ASSERT_TRUE(bench.requests.tells_winners());
  InsertLedger inserts(1, Requests::passing_ttl_ns());
  ConnectionPlan plan = bench.plan(true);
  plan.inserts = &inserts;
  bench.connection = Connection(plan);
  std::uint64_t index = 0;
  const auto play = [&](const std::string& part, bool success) {
    while (bench.requests.parts()[bench.requests.part_of(index)].name != part) ++index;
    bench.ask(index++);
    bench.receive(reply_to(part, bench.workload, success));
  };
  play("insert", true);
  play("insert", false);
  EXPECT_EQ(inserts.findings().won, 1U);
  play("insert", true);
  EXPECT_EQ(inserts.findings().twice, 1U);
  play("purge", true);
  play("insert", true);
  EXPECT_EQ(inserts.findings().won, 3U);
  EXPECT_EQ(inserts.findings().twice, 1U) << "all at the same time: the purge may lie between";
}

TEST(Connection, a_value_that_nobody_wrote_is_told) {
  Bench bench{"get=1,set=1"};
  std::uint64_t get = 0;
  while (bench.requests.parts()[bench.requests.part_of(get)].name != "get") ++get;
  const std::uint32_t key = bench.requests.key_of(get);
  std::uint64_t set = 0;
  while (bench.requests.parts()[bench.requests.part_of(set)].name != "set" ||
         bench.requests.key_of(set) != key)
    ++set;
  const auto value_of = [&](std::uint64_t writer) {
    Bytes value(bench.workload.value_sizes.bytes_of(0), filler);
    std::memcpy(value.data(), &writer, sizeof writer);
    return value;
  };
  const auto answered = [&](const Bytes& value) {
    bench.ask(get);
    bench.receive(reply_to("get", bench.workload, true, {{"value", value}}));
    return bench.tally.total().completed;
  };
  EXPECT_EQ(answered(value_of(0)), 1U) << "of the setup";
  EXPECT_EQ(answered(value_of(Requests::writer_of(set))), 2U);
  EXPECT_EQ(answered(value_of(Requests::writer_of(get))), 2U) << "a GET writes nothing";
  EXPECT_EQ(failures(bench.tally, Failure::foreign_value), 1U);
  Bytes torn = value_of(Requests::writer_of(set));
  torn.back() = 'w';
  EXPECT_EQ(answered(torn), 2U);
  EXPECT_EQ(failures(bench.tally, Failure::wrong_content), 1U);
}

}  // namespace
}  // namespace hallmark::loadgen
