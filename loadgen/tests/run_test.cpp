#include "loadgen/engine/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <stop_token>

#include "base/tests/temporary_directory.hpp"
#include "loadgen/client/client_use.hpp"
#include "loadgen/histogram/hdr_codec.hpp"
#include "loadgen/histogram/hdr_log.hpp"
#include "loadgen/results/tally.hpp"
#include "loadgen/tests/closed_until.hpp"
#include "loadgen/tests/replies.hpp"
#include "loadgen/tests/responder.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::loadgen {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using Then = Answer::Then;

const Workload workload = workload_of("query=90,update=9,insert=1");

LoadOptions options_for(const Responder& responder) {
  return loadgen::options_for(responder, workload);
}

Answer usual(const Asked& asked) { return {good_reply(asked, workload), Then::go_on}; }

/// The reply to a request; empty if the readings say that it has none.
base::Bytes answered(const Asked& asked, const Workload& spoken) {
  const auto& operation =
      *protocol::find_operation_called(spoken.readings.dialect(), asked.operation);
  const auto layout = protocol::Layout::reply(operation, spoken.width, spoken.readings);
  return layout.sent() ? good_reply(asked, spoken) : base::Bytes{};
}

const reports::ErrorKind* error_of(const reports::LoadResult& result, std::string_view kind) {
  for (const auto& error : result.errors) {
    if (error.kind == kind) return &error;
  }
  return nullptr;
}

TEST(OpenLoop, everything_planned_is_sent_answered_and_measured) {
  const Responder responder{workload, usual};
  const auto result = measured(options_for(responder));
  EXPECT_EQ(result.counts, (reports::LoadCounts{500, 500, 0, 0, 0}));
  EXPECT_EQ(result.run_error, "");
  EXPECT_THAT(result.errors, testing::IsEmpty());
  EXPECT_EQ(result.corrected.quantiles.count, 500U);
  EXPECT_GE(result.corrected.quantiles.max.value, result.uncorrected.quantiles.max.value);
  EXPECT_LE(result.corrected.quantiles.p9999.value, result.corrected.quantiles.max.value);
  EXPECT_EQ(result.send_lag.quantiles.count, 500U);
  EXPECT_LE(result.send_lag.quantiles.max.value, result.corrected.quantiles.max.value);
  // A busy machine taints what the client measures.
  EXPECT_THAT(reports::exit_code(result),
              testing::AnyOf(reports::ExitCode::as_expected, reports::ExitCode::indeterminate));
  ASSERT_EQ(result.operations.size(), 3U);
  EXPECT_EQ(result.operations[0].operation, "query");
  EXPECT_EQ(responder.received("query"), result.operations[0].counts.completed);
}

TEST(OpenLoop, keys_are_stored_before_and_purged_after) {
  const Responder responder{workload, usual};
  const auto result = measured(options_for(responder));
  const auto inserted_by_the_run = result.operations[2].counts.planned;
  EXPECT_EQ(responder.received("insert"), workload.keys + inserted_by_the_run);
  // Counters before and after, and the keys that the run itself may have inserted.
  EXPECT_EQ(responder.received("purge"), 3 * workload.keys);
}

TEST(OpenLoop, requests_do_not_depend_on_the_number_of_threads) {
  std::map<base::Bytes, int> seen[2];
  for (const std::uint32_t threads : {1U, 2U}) {
    const Responder responder{workload, usual};
    auto options = options_for(responder);
    options.threads = threads;
    options.connections = 5;
    options.arrivals = Arrivals::poisson;
    measured(options);
    seen[threads - 1] = responder.requests();
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST(OpenLoop, warm_up_is_sent_but_not_counted) {
  const Responder responder{workload, usual};
  auto options = options_for(responder);
  options.warmup = milliseconds(100);
  const auto result = measured(options);
  EXPECT_EQ(result.counts, (reports::LoadCounts{500, 500, 0, 0, 0}));
  EXPECT_EQ(responder.received("query") + responder.received("update"),
            700 - (responder.received("insert") - workload.keys));
}

TEST(OpenLoop, seconds_add_up_to_the_whole) {
  const Responder responder{workload, usual};
  auto options = options_for(responder);
  options.duration = milliseconds(1'100);
  std::vector<reports::SecondSample> live;
  std::ostringstream log;
  const auto result = measured(options, {[&](const auto& sample) { live.push_back(sample); },
                                         [&](std::string_view text) { log << text; }});
  EXPECT_EQ(live, result.series);
  ASSERT_EQ(live.size(), 2U);
  EXPECT_EQ(live[0].second, 0U);
  EXPECT_EQ(live[1].second, 1U);
  EXPECT_EQ(live[0].completed + live[1].completed, result.counts.completed);
  EXPECT_EQ(result.counts.completed, 2'200U);

  std::istringstream in{log.str()};
  const auto read = read_interval_log(in);
  ASSERT_TRUE(read) << read.error().message;
  std::map<std::string, Histogram> sums;
  for (const auto& interval : read->intervals) sums[interval.tag].add(interval.histogram);
  for (const auto& operation : result.operations) {
    EXPECT_EQ(encode_v2(sums[operation.operation]),
              encode_v2(decode_compressed_base64(operation.corrected.histogram).value()));
    EXPECT_EQ(encode_v2(sums[operation.operation + ".service"]),
              encode_v2(decode_compressed_base64(operation.uncorrected.histogram).value()));
  }
}

TEST(OpenLoop, over_a_unix_socket) {
  const base::test::TemporaryDirectory directory;
  const Responder responder{workload, usual, (directory / "socket").string()};
  EXPECT_EQ(measured(options_for(responder)).counts.completed, 500U);
}

TEST(ClosedLoop, answers_bring_the_next_requests) {
  std::stop_source ending;
  const Responder responder{workload, [&](const Asked& asked) {
                              if (asked.operation == "query" && asked.nth == 500)
                                ending.request_stop();
                              return usual(asked);
                            }};
  auto options = closed_until(ending, options_for(responder));
  options.depth = 8;
  const auto result = measured(options);
  EXPECT_EQ(result.loop, reports::LoopKind::closed);
  EXPECT_EQ(result.depth, 8U);
  EXPECT_FALSE(result.rate_asked);
  EXPECT_GT(result.counts.completed, 32U);
  EXPECT_EQ(result.counts.planned, result.counts.completed);
  EXPECT_EQ(result.corrected, result.uncorrected);
  EXPECT_EQ(result.send_lag.quantiles.count, 0U);
}

TEST(ClosedLoop, warm_up_is_sent_but_not_counted) {
  const Responder responder{workload, usual};
  auto options = options_for(responder);
  options.workload.mix = "query=1";
  options.closed = true;
  options.depth = 8;
  options.warmup = std::chrono::seconds(1);  // long enough for a reply on a slow machine
  const auto result = measured(options);
  EXPECT_GT(result.counts.completed, 0U);
  EXPECT_EQ(result.counts.planned, result.counts.completed);
  EXPECT_GT(responder.received("query"), result.counts.completed);
}

// 16 values of 60,000 bytes are several times what a Unix socket buffers.
TEST(ClosedLoop, requests_that_the_socket_takes_in_pieces_arrive_whole) {
  const base::test::TemporaryDirectory directory;
  std::stop_source ending;
  const Responder responder{workload,
                            [&](const Asked& asked) {
                              if (asked.operation == "set" && asked.nth == workload.keys + 100)
                                ending.request_stop();
                              return usual(asked);
                            },
                            (directory / "socket").string()};
  auto options = closed_until(ending, options_for(responder));
  options.workload.mix = "set=1";
  options.workload.value_sizes = 60'000;
  options.depth = 16;
  const auto result = measured(options);
  EXPECT_GT(result.counts.completed, 64U);
  EXPECT_EQ(result.counts.planned, result.counts.completed);
  EXPECT_EQ(responder.received("set"), result.counts.completed + options.workload.keys);
}

TEST(ClosedLoop, a_stalled_target_is_given_no_more_than_the_depth) {
  const Responder responder{workload, [](const Asked& asked) {
                              return asked.operation == "query" ? Answer{} : usual(asked);
                            }};
  auto options = options_for(responder);
  options.workload.mix = "query=1";
  options.closed = true;
  options.depth = 8;
  options.timeout = std::chrono::seconds(1);
  const auto result = measured(options);
  EXPECT_EQ(result.counts, (reports::LoadCounts{32, 0, 32, 0, 0}));
  EXPECT_EQ(responder.received("query"), 32U);
}

struct Fault {
  std::string name;
  Answer answer;  ///< to every 100th QUERY
  std::string kind;
};

class FaultyTarget : public testing::TestWithParam<Fault> {};

TEST_P(FaultyTarget, is_reported_by_kind_and_the_run_goes_on) {
  const auto& fault = GetParam();
  const Responder responder{workload, [&](const Asked& asked) {
                              const bool faulty =
                                  asked.operation == "query" && asked.nth % 100 == 99;
                              return faulty ? fault.answer : usual(asked);
                            }};
  auto options = options_for(responder);
  options.duration = milliseconds(500);
  const auto result = measured(options);
  EXPECT_TRUE(result.counts.balanced());
  EXPECT_EQ(result.counts.planned, 1'000U);
  EXPECT_GT(result.counts.failed, 0U);
  EXPECT_GT(result.counts.completed, 200U);
  EXPECT_NE(error_of(result, fault.kind), nullptr);
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, FaultyTarget,
    testing::Values(Fault{"closes", {{}, Then::close}, "connection closed"},
                    Fault{"closes_in_a_reply", {{1, 0}, Then::close}, "connection closed"},
                    Fault{"resets", {{}, Then::reset}, "connection reset"},
                    Fault{"malformed", {{7}, Then::go_on}, "malformed reply"},
                    Fault{"wrong_status", {{0}, Then::go_on}, "wrong status"},
                    Fault{"wrong_content", {{1, 0, 0, 1, 0, 0}, Then::go_on}, "wrong content"}),
    [](const auto& row) { return row.param.name; });

class RunInEveryFormat : public testing::TestWithParam<Format> {};

TEST_P(RunInEveryFormat, every_operation_is_answered_and_right) {
  auto asked = workload_of(GetParam().readings, GetParam().width,
                           mix_without(GetParam().readings.dialect(), {"subscribe"}));
  const Responder responder{asked, [&](const Asked& request) {
                              return Answer{answered(request, asked), Then::go_on};
                            }};
  auto options = options_for(responder);
  options.workload = asked;
  options.duration = milliseconds(100);
  options.timeout = std::chrono::minutes(60);  // nothing waits for it: the test would not end
  const auto result = measured(options);
  EXPECT_EQ(result.run_error, "");
  EXPECT_EQ(result.counts, (reports::LoadCounts{200, 200, 0, 0, 0}));
  EXPECT_THAT(result.errors, testing::IsEmpty());
  EXPECT_EQ(result.header.dialect, asked.readings.dialect().name);
}

INSTANTIATE_TEST_SUITE_P(Formats, RunInEveryFormat, testing::ValuesIn(every_format()),
                         [](const auto& row) { return name_of(row.param); });

TEST(Run, the_report_names_the_readings_that_are_not_the_profile_s) {
  auto asked = workload;
  asked.readings.choose({"insert-existing", "replaced"});
  asked.readings.choose({"set-existing", "replaced"});  // as in the profile
  const Responder responder{asked, usual};
  auto options = options_for(responder);
  options.workload = asked;
  options.duration = milliseconds(50);
  const auto header = measured(options).header;
  EXPECT_EQ(header.dialect, "throttr-7.1");
  EXPECT_EQ(header.width, "u16");
  EXPECT_EQ(header.profile, "deployed");
  EXPECT_THAT(header.readings, testing::ElementsAre("insert-existing=replaced"));
}

const Workload workload_of_2_0 =
    workload_of("query=1", protocol::Width::u64, protocol::throttr_2_0);

TEST(RequestIds, a_wrong_one_is_an_error_of_its_own_kind) {
  const Responder responder{workload_of_2_0, [](const Asked& asked) {
                              Asked other = asked;
                              if (asked.operation == "query" && asked.nth % 100 == 99) {
                                other.fields.set("request_id", std::uint64_t{UINT32_MAX});
                              }
                              return Answer{good_reply(other, workload_of_2_0), Then::go_on};
                            }};
  auto options = options_for(responder);
  options.workload = workload_of_2_0;
  const auto result = measured(options);
  EXPECT_EQ(result.counts, (reports::LoadCounts{500, 495, 0, 0, 5}));
  ASSERT_EQ(result.errors.size(), 1U);
  EXPECT_EQ(result.errors[0].kind, "reply to another request");
  EXPECT_THAT(result.errors[0].example, HasSubstr("query: id 4294967295 where "));
}

TEST(RequestIds, a_wrong_one_while_keys_are_stored_is_a_run_error) {
  const Responder responder{workload_of_2_0, [](const Asked& asked) {
                              Asked other = asked;
                              if (asked.operation == "insert") {
                                other.fields.set("request_id", std::uint64_t{9'999});
                              }
                              return Answer{good_reply(other, workload_of_2_0), Then::go_on};
                            }};
  auto options = options_for(responder);
  options.workload = workload_of_2_0;
  EXPECT_THAT(measured(options).run_error,
              HasSubstr("cannot store the keys: a reply repeats the id 9999, but that request's is "
                        "not due"));
}

TEST(RequestIds, replies_in_another_order_are_right_where_the_readings_allow_it) {
  Workload any_order = workload_of_2_0;
  any_order.readings.choose({"reply-order", "any-order"});
  base::Bytes held;
  // Every other reply waits for the one after it.
  const Responder responder{any_order, [&](const Asked& asked) {
                              auto reply = good_reply(asked, any_order);
                              if (held.empty()) {
                                held = std::move(reply);
                                return Answer{};
                              }
                              reply.insert(reply.end(), held.begin(), held.end());
                              held.clear();
                              return Answer{reply, Then::go_on};
                            }};
  auto options = options_for(responder);
  options.workload = any_order;
  options.connections = 1;
  const auto result = measured(options);
  EXPECT_EQ(result.run_error, "");
  EXPECT_EQ(result.counts, (reports::LoadCounts{500, 500, 0, 0, 0}));
  EXPECT_THAT(result.errors, testing::IsEmpty());
}

TEST(Run, a_target_that_says_nothing_times_out) {
  const Responder responder{workload, [](const Asked& asked) {
                              return asked.operation == "query" ? Answer{} : usual(asked);
                            }};
  auto options = options_for(responder);
  options.workload.mix = "query=1";
  options.timeout = std::chrono::seconds(1);
  const auto result = measured(options);
  // On a busy machine the client may come to some requests too late to send them at all.
  EXPECT_EQ(result.counts,
            (reports::LoadCounts{500, 0, 500 - result.counts.shed, result.counts.shed, 0}));
  ASSERT_NE(error_of(result, "timeout"), nullptr);
  EXPECT_EQ(error_of(result, "timeout")->count, result.counts.timed_out);
}

TEST(Run, a_target_that_stops_reading_costs_bounded_memory_and_time) {
  const Responder responder{
      workload, [](const Asked& asked) {
        const bool stored = asked.nth < workload.keys;
        return asked.operation == "set" && !stored ? Answer{{}, Then::stop_reading} : usual(asked);
      }};
  auto options = options_for(responder);
  options.workload.mix = "set=1";
  options.workload.value_sizes = 60'000;
  options.rate = 20'000;
  options.timeout = std::chrono::seconds(1);
  const auto result = measured(options);
  EXPECT_EQ(result.counts.planned, 5'000U);
  EXPECT_EQ(result.counts.completed, 0U);
  EXPECT_GT(result.counts.failed, 0U) << "the target has left too much unread";
  EXPECT_TRUE(result.counts.balanced());
}

TEST(Run, ends_with_what_it_measured_once_it_is_asked_to) {
  const Responder responder{workload, usual};
  auto options = options_for(responder);
  options.duration = std::chrono::seconds(20);
  std::stop_source ending;
  options.stop = ending.get_token();
  std::uint64_t counted = 0;
  LoadOutputs outputs;
  int seconds = 0;
  outputs.second = [&](const auto&) {
    if (++seconds == 3) ending.request_stop();
  };
  outputs.counted = [&](const Tally& tally) { counted = tally.total().completed; };
  const auto result = measured(options, outputs);
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.run_error, "");
  EXPECT_TRUE(result.counts.balanced());
  EXPECT_GE(result.counts.completed, 1'000U);
  EXPECT_LT(result.counts.planned, 40'000U);
  EXPECT_EQ(counted, result.counts.completed);
}

TEST(Run, begins_when_those_it_waits_for_say_so) {
  const Responder responder{workload, usual};
  const auto options = options_for(responder);
  LoadOutputs outputs;
  outputs.connected = [] { return std::chrono::steady_clock::now() + milliseconds(50); };
  EXPECT_EQ(measured(options, outputs).counts.completed, 500U);
  outputs.connected = [] { return std::nullopt; };
  EXPECT_EQ(measured(options, outputs).counts.planned, 0U);
}

TEST(Run, connects_from_the_addresses_that_it_is_given) {
  const Responder responder{workload, usual};
  auto options = options_for(responder);
  options.sources = {"127.0.0.2", "127.0.0.3"};
  EXPECT_EQ(measured(options).counts.completed, 500U);
  options.sources = {"192.0.2.1"};  // of nobody (RFC 5737)
  EXPECT_THAT(measured(options).run_error, HasSubstr("cannot connect: "));
}

/// Threads of this process that do not take the processor from others when they are woken.
std::size_t patient_threads() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const auto thread = static_cast<pid_t>(std::stol(entry.path().filename().string()));
    if (sched_getscheduler(thread) == SCHED_BATCH) ++count;
  }
  return count;
}

/// Returns how many threads of a run give way to its target in the middle of it.
std::size_t patient_in_the_middle_of(bool closed, unsigned threads) {
  std::atomic<int> queries = 0;
  std::atomic<std::size_t> patient = 0;
  const Responder responder{workload, [&](const Asked& asked) {
                              if (asked.operation == "query" && ++queries == 100)
                                patient = patient_threads();
                              return usual(asked);
                            }};
  auto options = options_for(responder);
  options.closed = closed;
  options.threads = options.connections = threads;
  EXPECT_GE(measured(options).counts.completed, 200U);
  return patient;
}

TEST(Run, threads_of_a_closed_loop_give_way_to_the_target_if_they_take_every_processor) {
  const unsigned all = processors();
  EXPECT_EQ(patient_in_the_middle_of(true, all), all);
  EXPECT_EQ(patient_in_the_middle_of(false, all), 0U);
  if (all > 1) {
    EXPECT_EQ(patient_in_the_middle_of(true, all - 1), 0U);
  }
}

TEST(Run, pinned_threads_that_spin_measure_as_others) {
  const Responder responder{workload, usual};
  auto options = options_for(responder);
  options.pinned = options.spinning = true;
  EXPECT_EQ(measured(options).counts, (reports::LoadCounts{500, 500, 0, 0, 0}));
}

TEST(Run, a_target_that_is_not_there_is_a_run_error) {
  std::string target;
  {
    const Responder responder{workload, usual};
    target = responder.target();
  }
  LoadOptions options{.target_text = target,
                      .target = base::parse_endpoint<Target>(target).value(),
                      .workload = workload};
  options.handle_signals = false;
  const auto result = measured(options);
  EXPECT_THAT(result.run_error, HasSubstr("cannot connect: Connection refused"));
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::unreachable_or_harness_error);
  EXPECT_EQ(result.header.target, target);
}

TEST(Run, a_target_that_does_not_store_the_keys_is_a_run_error) {
  const Responder responder{workload, [](const Asked& asked) {
                              return Answer{good_reply(asked, workload, false), Then::go_on};
                            }};
  const auto result = measured(options_for(responder));
  EXPECT_THAT(result.run_error, HasSubstr("cannot store the keys: insert"));
  EXPECT_EQ(result.counts.planned, 0U);
}

TEST(Run, a_target_that_falls_silent_before_the_run_is_a_run_error) {
  const Responder responder{workload, [](const Asked&) { return Answer{}; }};
  auto options = options_for(responder);
  options.timeout = milliseconds(500);
  EXPECT_THAT(measured(options).run_error, HasSubstr("cannot store the keys: no reply in time"));
}

TEST(Run, an_interrupt_ends_it_and_keeps_what_was_measured) {
  const Responder responder{workload, [](const Asked& asked) {
                              if (asked.operation == "query" && asked.nth == 200)
                                kill(getpid(), SIGINT);
                              return usual(asked);
                            }};
  auto options = options_for(responder);
  // Without INSERT: the responder lets each one succeed, which a long run finds out.
  options.workload.mix = "query=1";
  options.duration = std::chrono::hours(1);
  options.handle_signals = true;
  const auto result = measured(options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_GT(result.counts.completed, 200U);
  EXPECT_TRUE(result.counts.balanced());
  EXPECT_THAT(result.errors, testing::IsEmpty());
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::indeterminate);
}

TEST(Run, an_interrupt_while_keys_are_stored_ends_it) {
  const Responder responder{workload, [](const Asked& asked) {
                              if (asked.operation == "insert" && asked.nth == 50) {
                                kill(getpid(), SIGTERM);
                                return Answer{};
                              }
                              return usual(asked);
                            }};
  auto options = options_for(responder);
  options.timeout = std::chrono::minutes(10);
  options.handle_signals = true;
  const auto result = measured(options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.counts.planned, 0U);
}

TEST(Run, an_invalid_workload_is_an_error) {
  EXPECT_FALSE(run_load({.target = {}, .workload = workload_of("frob=1")}, {}));
}

}  // namespace
}  // namespace hallmark::loadgen
