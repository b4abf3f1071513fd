// Tests of what becomes of connections while a run lasts, and of what is told of single requests.
#include <gmock/gmock.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <utility>

#include "loadgen/engine/run.hpp"
#include "loadgen/tests/closed_until.hpp"
#include "loadgen/tests/replies.hpp"
#include "loadgen/tests/responder.hpp"

namespace hallmark::loadgen {
namespace {

using std::chrono::milliseconds;
using Then = Answer::Then;

const Workload mostly_queries = workload_of("query=90,update=10");

LoadOptions options_of_half_a_second(const Responder& responder) {
  auto options = loadgen::options_for(responder, mostly_queries);
  options.duration = milliseconds(500);
  return options;
}

Answer answer_well(const Asked& asked) { return {good_reply(asked, mostly_queries), Then::go_on}; }

TEST(Churn, AConnectionIsReplacedAfterSoManyRequestsAndNoneIsLost) {
  std::stop_source ending;
  const Responder responder{mostly_queries, [&](const Asked& asked) {
                              if (asked.operation == "query" && asked.nth == 2'500)
                                ending.request_stop();
                              return answer_well(asked);
                            }};
  for (const bool closed : {false, true}) {
    auto options = options_of_half_a_second(responder);
    // The open loop has asked some 900 queries; the closed one lasts until the target ends it.
    if (closed) options = closed_until(ending, options);
    options.churn.requests = 50;
    const auto result = measured(options);
    EXPECT_EQ(result.counts.planned, result.counts.completed);
    EXPECT_GT(result.counts.completed, 500U);
    // Each replacement takes a moment, in which more goes out on the old one.
    EXPECT_GE(result.connections->replaced, 4U);
    EXPECT_LE(result.connections->replaced, result.counts.completed / 50);
    EXPECT_EQ(result.connections->lost, 0U);
    EXPECT_EQ(result.connections->opened, 4 + result.connections->replaced);
    EXPECT_EQ(result.connections->connecting.quantiles.count, result.connections->opened);
  }
}

TEST(Churn, SoManyConnectionsASecondAreReplaced) {
  const Responder responder{mostly_queries, answer_well};
  auto options = options_of_half_a_second(responder);
  options.churn.per_second = 100;
  const auto result = measured(options);
  EXPECT_EQ(result.counts, (reports::LoadCounts{1'000, 1'000, 0, 0, 0}));
  // Fifty are due; on a slow machine, a connection whose replacement is still connecting is left
  // out.
  EXPECT_GE(result.connections->replaced, 4U);
  EXPECT_LE(result.connections->replaced, 50U);
}

TEST(Connections, LostOnesComeBackAndTheGapIsTold) {
  const Responder responder{mostly_queries, [](const Asked& asked) {
                              const bool last = asked.operation == "query" && asked.nth == 100;
                              return last ? Answer{{}, Then::close} : answer_well(asked);
                            }};
  // Two seconds leave a slow machine the time to come back.
  auto options = options_of_half_a_second(responder);
  options.duration = std::chrono::seconds(2);
  options.rate = 500;
  const auto result = measured(options);
  EXPECT_TRUE(result.counts.balanced());
  EXPECT_EQ(result.connections->lost, 1U);
  EXPECT_EQ(result.connections->regained, 1U);
  EXPECT_GT(result.connections->longest_gap_ns, 0U);
  std::uint64_t reconnects = 0;
  for (const reports::SecondSample& second : result.series) reconnects += second.reconnects;
  EXPECT_EQ(reconnects, 1U);
  EXPECT_GT(result.counts.failed, 0U);
  EXPECT_LT(result.counts.failed, 200U);
}

TEST(Connections, WhatTheSystemSaysOfTheirSocketsIsTold) {
  const Responder responder{mostly_queries, answer_well};
  const auto result = measured(options_of_half_a_second(responder));
  ASSERT_TRUE(result.client && result.client->sockets);
  EXPECT_EQ(result.client->sockets->count, 4U);
  EXPECT_TRUE(result.client->sockets->tcp);
  EXPECT_TRUE(result.client->sockets->no_delay);
  EXPECT_GT(result.client->sockets->send_buffer_bytes, 4'000U);
  EXPECT_GT(result.client->sockets->receive_buffer_bytes, 4'000U);
  EXPECT_EQ(result.client->threads.size(), 2U);
}

/// Answers one connection late: not before a request that is sent much later came on it.
class OneHeldBack {
 public:
  Answer answer(const Asked& asked) {
    Answer answer = answer_well(asked);
    const bool query = asked.operation == "query";
    if (query && asked.nth == first) connection_ = asked.connection, from_ = Clock::now();
    if (asked.connection != connection_) return answer;
    bytes_.insert(bytes_.end(), answer.bytes.begin(), answer.bytes.end());
    if (!query || asked.nth < last) return {};
    connection_.reset();
    to_ = Clock::now();
    return {std::exchange(bytes_, {}), Then::go_on};
  }

  /// The time for which the first of the replies was held back; 0 if it still is.
  std::uint64_t length_ns() const {
    const auto length = std::chrono::nanoseconds(to_ - from_).count();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(length, 0));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t first = 150;
  static constexpr std::uint64_t last = 300;

  std::optional<std::size_t> connection_;
  base::Bytes bytes_;
  Clock::time_point from_;
  Clock::time_point to_;
};

TEST(SlowestRequests, AreToldWithWhatMayExplainThem) {
  OneHeldBack held;
  const Responder responder{mostly_queries, [&](const Asked& asked) { return held.answer(asked); }};
  const auto result = measured(options_of_half_a_second(responder));
  ASSERT_EQ(result.slowest.size(), 16U);
  const auto& slowest = result.slowest.front();
  ASSERT_GT(held.length_ns(), 0U);
  EXPECT_GE(slowest.latency_ns, held.length_ns());
  EXPECT_EQ(slowest.latency_ns, result.corrected.quantiles.max.value);
  EXPECT_EQ(slowest.read_ns - slowest.planned_ns, slowest.latency_ns);
  EXPECT_GE(slowest.sent_ns, slowest.planned_ns);
  EXPECT_LT(slowest.connection, 4U);
  EXPECT_EQ(slowest.connection, slowest.index % 4);
  EXPECT_TRUE(slowest.key.starts_with(mostly_queries.key_prefix + "c")) << slowest.key;
  EXPECT_TRUE(slowest.tcp);
  for (std::size_t i = 1; i < result.slowest.size(); ++i)
    EXPECT_LE(result.slowest[i].latency_ns, result.slowest[i - 1].latency_ns);
}

TEST(Stages, AddUpToTheLatency) {
  const Responder responder{mostly_queries, answer_well};
  auto options = options_of_half_a_second(responder);
  options.staged = true;
  const auto result = measured(options);
  ASSERT_TRUE(result.stages);
  const auto& stages = *result.stages;
  EXPECT_EQ(stages.planned_to_written.quantiles.count, result.counts.completed);
  const auto told = stages.kernel_received_to_read.quantiles.count;
  EXPECT_EQ(told + stages.without_kernel_times, result.counts.completed);
  ASSERT_GT(told, result.counts.completed / 2);
  const double sum = stages.written_to_kernel_sent.quantiles.mean.value +
                     stages.kernel_sent_to_received.quantiles.mean.value +
                     stages.kernel_received_to_read.quantiles.mean.value;
  // Two clocks: what the system sets one of them by while the run lasts, and the few untold.
  EXPECT_NEAR(sum, result.uncorrected.quantiles.mean.value,
              50'000 + 0.2 * result.uncorrected.quantiles.mean.value);
}

TEST(Stages, OfAUnixSocketTheKernelTellsNothing) {
  const std::string path = testing::TempDir() + "/stages-" + std::to_string(getpid());
  const Responder responder{mostly_queries, answer_well, path};
  auto options = options_of_half_a_second(responder);
  options.staged = true;
  const auto result = measured(options);
  EXPECT_EQ(result.counts.planned, result.counts.completed);
  EXPECT_EQ(result.stages->without_kernel_times, 0U);
  EXPECT_EQ(result.stages->kernel_received_to_read.quantiles.count, 0U);
}

TEST(ValueSizes, OfAKeyAreTheSameWhenItIsReadBack) {
  auto sized = workload_of("get=50,set=50");
  sized.value_sizes = ValueSizes::parse("1..200").value();
  sized.keys = 100;
  std::map<std::string, std::size_t> stored;
  std::mutex mutex;
  const Responder responder{sized, [&](const Asked& asked) {
                              const auto text = [](const protocol::Value& value) {
                                const auto& bytes = std::get<base::Bytes>(value);
                                return std::string(bytes.begin(), bytes.end());
                              };
                              const std::lock_guard lock(mutex);
                              auto spoken = sized;
                              if (asked.operation == "set") {
                                const auto size = text(*asked.fields.find("value")).size();
                                const auto [found, is_new] =
                                    stored.emplace(text(*asked.fields.find("key")), size);
                                EXPECT_EQ(found->second, size) << "the size of a key has changed";
                              }
                              if (asked.operation == "get")
                                spoken.value_sizes = stored.at(text(*asked.fields.find("key")));
                              return Answer{good_reply(asked, spoken), Then::go_on};
                            }};
  auto options = options_of_half_a_second(responder);
  options.workload = sized;
  const auto result = measured(options);
  EXPECT_EQ(result.counts, (reports::LoadCounts{1'000, 1'000, 0, 0, 0}));
  std::set<std::size_t> seen;
  for (const auto& [key, size] : stored) seen.insert(size);
  EXPECT_GT(seen.size(), 20U);
}

TEST(NamedKeys, AreUsedInTheOrderOfTheirFile) {
  auto named = workload_of("query=1");
  named.named_keys = std::make_shared<const NamedKeys>(NamedKeys{{"a", "bb"}, {0, 1, 1}});
  named.keys = 2;
  std::map<std::string, int> asked_for;
  std::mutex mutex;
  const Responder responder{named, [&](const Asked& asked) {
                              const auto& key = std::get<base::Bytes>(*asked.fields.find("key"));
                              const std::lock_guard lock(mutex);
                              if (asked.operation == "query")
                                ++asked_for[std::string(key.begin(), key.end())];
                              return Answer{good_reply(asked, named), Then::go_on};
                            }};
  auto options = options_of_half_a_second(responder);
  options.workload = named;
  options.duration = milliseconds(150);
  const auto result = measured(options);
  EXPECT_EQ(result.counts.completed, 300U);
  EXPECT_EQ(asked_for, (std::map<std::string, int>{{"load:ca", 100}, {"load:cbb", 200}}));
}

}  // namespace
}  // namespace hallmark::loadgen
