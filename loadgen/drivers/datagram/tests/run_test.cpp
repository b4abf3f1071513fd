#include "loadgen/engine/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>

#include "loadgen/drivers/datagram/tests/responder.hpp"
#include "loadgen/drivers/datagram/tests/rules.hpp"
#include "loadgen/tests/closed_until.hpp"

namespace hallmark::loadgen::datagram {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

LoadOptions options_for(const std::string& target) {
  LoadOptions options{.target_text = target,
                      .target = base::parse_endpoint<Target>(target).value(),
                      .workload = {.readings = deployed,
                                   .width = protocol::Width::none,
                                   .mix = "over_limit=97,get_stats=1,get_size=1,ping=1",
                                   .keys = 100}};
  options.rate = 2'000;
  options.connections = 4;
  options.threads = 2;
  options.duration = milliseconds(250);
  options.timeout = seconds(10);
  options.handle_signals = false;
  return options;
}

reports::LoadResult run(const LoadOptions& options) {
  auto result = loadgen::run_load(options, {}).value();
  EXPECT_EQ(result.datagram ? result.datagram->accounting_error : "", "");
  return result;
}

TEST(DatagramRun, everything_planned_is_sent_answered_and_measured) {
  const Responder responder{usual};
  const auto result = run(options_for(responder.target()));
  EXPECT_EQ(result.run_error, "");
  EXPECT_EQ(result.counts, (reports::LoadCounts{500, 500, 0, 0, 0}));
  EXPECT_EQ(
      result.datagram->counts,
      (reports::DatagramCounts{.planned = 500, .sent = 500, .received = 500, .datagrams = 500}));
  EXPECT_EQ(result.corrected.quantiles.count, 500U);
  EXPECT_FALSE(result.corrected.quantiles.p9999.at_least);
  EXPECT_GT(result.datagram->receive_buffer, 0U);
  EXPECT_EQ(responder.received("over_limit"), result.operations[0].counts.completed);
  // A busy machine taints what the client measures.
  EXPECT_THAT(reports::exit_code(result),
              testing::AnyOf(reports::ExitCode::as_expected, reports::ExitCode::indeterminate));
}

TEST(DatagramRun, a_closed_loop_keeps_its_window) {
  std::stop_source ending;
  const Responder responder{[&](const Asked& asked) {
    if (asked.operation == "over_limit" && asked.nth == 200) ending.request_stop();
    return usual(asked);
  }};
  auto options = closed_until(ending, options_for(responder.target()));
  options.depth = 8;
  const auto result = run(options);
  EXPECT_GT(result.counts.completed, 100U);
  EXPECT_EQ(result.counts.completed, result.counts.planned);
  EXPECT_FALSE(result.rate_asked.has_value());
}

TEST(DatagramRun, the_warm_up_is_accounted_for_but_not_measured) {
  const Responder responder{usual};
  auto options = options_for(responder.target());
  options.warmup = milliseconds(100);
  const auto result = run(options);
  EXPECT_EQ(result.counts.planned, 500U);
  EXPECT_EQ(result.datagram->counts.planned, 700U);
}

TEST(DatagramRun, what_is_dropped_is_lost_and_hides_quantiles) {
  const Responder responder{[](const Asked& asked) {
    return asked.operation == "over_limit" && asked.nth % 50 == 7 ? std::vector<Reply>{}
                                                                  : usual(asked);
  }};
  auto options = options_for(responder.target());
  options.workload.mix = "over_limit=1";
  options.timeout = seconds(2);
  const auto result = run(options);
  EXPECT_EQ(result.datagram->counts.lost, 10U);
  EXPECT_EQ(result.counts.timed_out, 10U);
  EXPECT_FALSE(result.corrected.quantiles.p90.at_least);
  EXPECT_TRUE(result.corrected.quantiles.p99.at_least);
  EXPECT_TRUE(result.corrected.quantiles.max.at_least);
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

TEST(DatagramRun, in_a_closed_loop_what_is_lost_makes_room_after_its_timeout) {
  std::stop_source ending;
  const Responder responder{[&](const Asked& asked) {
    if (asked.operation == "over_limit" && asked.nth == 100) ending.request_stop();
    return asked.operation == "over_limit" && asked.nth < 8 ? std::vector<Reply>{} : usual(asked);
  }};
  auto options = closed_until(ending, options_for(responder.target()));
  options.workload.mix = "over_limit=1";
  options.depth = 2;
  options.timeout = milliseconds(500);
  const auto result = run(options);
  EXPECT_GT(result.counts.completed, 8U);
  EXPECT_GE(result.datagram->counts.lost, 8U);
}

TEST(DatagramRun, what_comes_twice_late_or_from_nowhere_is_told_apart) {
  const Responder responder{[](const Asked& asked) -> std::vector<Reply> {
    const std::string good = good_reply(asked);
    if (asked.operation != "over_limit") return {{good, {}}};
    switch (asked.nth) {
      case 3: return {{good, {}}, {good, {}}};
      case 5: return {{good, seconds(3)}};
      case 7: return {{good, {}}, {"999999999999" + good.substr(12), {}}};
      case 9: return {{good, {}}, {"hello", {}}};
      case 11: return {{asked.id + " ok", {}}};
      default: return {{good, {}}};
    }
  }};
  auto options = options_for(responder.target());
  options.workload.mix = "over_limit=1";
  // A machine that is slower than the timeout makes other replies late, too.
  options.timeout = seconds(2);
  const auto result = run(options);
  EXPECT_EQ(result.datagram->counts, (reports::DatagramCounts{.planned = 500,
                                                              .sent = 500,
                                                              .received = 498,
                                                              .malformed = 1,
                                                              .late = 1,
                                                              .datagrams = 503,
                                                              .duplicate = 1,
                                                              .unmatched = 1,
                                                              .unreadable = 1}));
}

TEST(DatagramRun, nobody_there_is_told_at_once) {
  std::string target;
  {
    const Responder gone{usual};
    target = gone.target();
  }
  const auto result = run(options_for(target));
  EXPECT_EQ(result.run_error, target + ": no reply to ping: Connection refused");
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::unreachable_or_harness_error);
}

TEST(DatagramRun, silence_is_told_after_a_few_tries) {
  const Responder responder{[](const Asked&) { return std::vector<Reply>{}; }};
  auto options = options_for(responder.target());
  options.timeout = milliseconds(20);
  EXPECT_THAT(run(options).run_error, HasSubstr("no reply to ping: asked 5 times, 20.0 ms apart"));
  EXPECT_EQ(responder.received("ping"), 5U);
}

TEST(DatagramRun, a_target_that_never_refuses_is_shown_with_the_window_that_proves_it) {
  const Responder responder{usual};
  auto options = options_for(responder.target());
  options.workload.mix = "over_limit=1";
  options.workload.keys = 4;
  options.datagram.rules = rules("22/20 strict stats \"ws ip=*\"");
  // Uses that are under way at the same time prove nothing, so the rate leaves a slow machine the
  // time to answer.
  options.rate = 250;
  options.duration = seconds(2);
  const auto result = run(options);
  ASSERT_TRUE(result.datagram->limits);
  EXPECT_EQ(result.datagram->limits->uses, 500U);
  EXPECT_GT(result.datagram->limits->over_admissions, 100U);
  ASSERT_FALSE(result.datagram->limits->findings.empty());
  // It also says that statistics are kept, and has none.
  ASSERT_TRUE(result.datagram->server);
  EXPECT_EQ(result.datagram->server->disagreeing, 4U);
  EXPECT_THAT(result.datagram->server->example, HasSubstr("n_req 0"));
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

TEST(DatagramRun, a_target_with_another_limit_is_seen) {
  const Responder responder{usual};
  auto options = options_for(responder.target());
  options.workload.mix = "over_limit=1";
  options.workload.keys = 500;
  options.datagram.rules = rules("23/20 strict \"ws ip=*\"");
  const auto result = run(options);
  EXPECT_EQ(result.datagram->limits->wrong_limits, 500U);
  EXPECT_EQ(result.datagram->limits->findings.front().kind, "limit");
  EXPECT_FALSE(result.datagram->server);
}

TEST(DatagramRun, another_dialect_or_transport_is_refused_with_what_is_allowed) {
  auto options = options_for("tcp://127.0.0.1:1");
  const auto over_tcp = loadgen::run_load(options, {});
  ASSERT_FALSE(over_tcp);
  EXPECT_THAT(over_tcp.error().message, HasSubstr("udp://HOST:PORT"));
  options = options_for("udp://127.0.0.1:1");
  options.workload.mix = "query=1";
  const auto mixed = loadgen::run_load(options, {});
  ASSERT_FALSE(mixed);
  EXPECT_THAT(mixed.error().message, HasSubstr("allowed: over_limit, get_stats, get_size, ping"));
}

}  // namespace
}  // namespace hallmark::loadgen::datagram
