#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "conformance/tests/fake_process.hpp"
#include "conformance/tests/fixture.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Not;

/// The cases that need nothing but records, channels and WHOAMI.
const char* const playable[] = {"insert/adds-a-counter",
                                "insert/seen-from-elsewhere",
                                "insert/existing-unchanged",
                                "insert/again-after-purge",
                                "insert/extreme-quotas",
                                "insert/one-of-many-wins",
                                "query/missing",
                                "query/changes-nothing",
                                "query/every-unit",
                                "query/ttl-counts-down",
                                "query/not-a-buffer",
                                "update/quota-arithmetic",
                                "update/quota-by-nothing",
                                "update/quota-keeps-ttl",
                                "update/below-zero",
                                "update/past-maximum",
                                "update/ttl-patch-counts-from",
                                "update/ttl-past-now-expires",
                                "update/ttl-beyond",
                                "update/missing",
                                "update/buffers-ttl-only",
                                "update/ttl-of-buffers",
                                "update/ttl-keeps-quota",
                                "update/ttl-patch-shortens",
                                "update/ttl-patch-prolongs",
                                "update/ttl-increase-prolongs",
                                "update/ttl-decrease-shortens",
                                "purge/missing",
                                "purge/removes-a-buffer",
                                "purge/only-that-key",
                                "set/adds-a-buffer",
                                "set/any-bytes",
                                "set/existing",
                                "set/on-a-counter",
                                "set/empty-value",
                                "set/longest-value",
                                "insert/on-a-buffer",
                                "get/missing",
                                "get/not-a-counter",
                                "get/changes-nothing",
                                "subscribe/starts",
                                "subscribe/twice",
                                "subscribe/several-channels",
                                "subscribe/channels-are-no-keys",
                                "unsubscribe/finishes",
                                "unsubscribe/absent",
                                "unsubscribe/of-others",
                                "unsubscribe/only-that-channel",
                                "publish/to-each-once-in-order",
                                "publish/to-nobody",
                                "publish/after-a-subscriber-closed",
                                "publish/then-closed",
                                "publish/between-replies",
                                "publish/any-payload",
                                "publish/empty-payload",
                                "whoami/stable",
                                "whoami/different",
                                "ttl/milliseconds",
                                "ttl/microseconds",
                                "ttl/nanoseconds",
                                "ttl/seconds",
                                "ttl/minutes",
                                "ttl/there-until-then",
                                "ttl/buffers",
                                "ttl/each-at-its-own",
                                "ttl/zero",
                                "record/keys-apart",
                                "record/one-kind",
                                "stream/pipelined",
                                "stream/long-batch",
                                "stream/interleaved",
                                "stream/half-a-request",
                                "stream/closed-inside",
                                "robustness/unknown-opcodes",
                                "robustness/unlisted-ttl-types",
                                "robustness/unlisted-attributes",
                                "robustness/unlisted-changes",
                                "robustness/truncated",
                                "robustness/wrong-sizes",
                                "robustness/every-first-byte",
                                "robustness/large-value",
                                "resources/sent-ahead",
                                "resources/half-close",
                                "resources/connect-and-leave",
                                "resources/ask-and-leave",
                                "resources/replies-unread",
                                "resources/reset-inside",
                                "resources/subscriber-reset",
                                "resources/slow-subscriber",
                                "resources/slow-writers",
                                "resources/idle-connections",
                                "resources/many-at-once",
                                "resources/churn"};

struct Played {
  const WireFormat& (*format)();
  std::string name;
};

/// The fake server knows everything of 2.0 except times beyond its clock.
std::vector<Played> played() {
  std::vector<Played> all{{format_u16, "publish/not-to-itself"}, {format_7_3, "publish/to-itself"}};
  for (const char* const name : playable) {
    all.push_back({format_u16, name});
    all.push_back({format_7_3, name});
  }
  for (const BehaviourCase& one : behaviour_cases(format_2_0())) {
    if (one.name != "update/ttl-beyond") all.push_back({format_2_0, one.name});
  }
  return all;
}

class CorrectServer : public ::testing::TestWithParam<Played> {};

TEST_P(CorrectServer, Passes) {
  const WireFormat& format = GetParam().format();
  Simulation simulation(Bug::none, format, format);
  FakeProcess process([] { return ProcessFigures{.memory = 1 << 20, .threads = 1}; });
  simulation.network.start_as(process);
  const auto result = simulation.play(unit_of_behaviour(GetParam().name, format)).front();
  EXPECT_EQ(result.verdict, Verdict::pass) << result.reason;
}

std::string test_name(std::string_view id) {
  std::string name;
  for (const char c : id) name += c == '/' || c == '-' || c == '.' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, CorrectServer, ::testing::ValuesIn(played()), [](const auto& row) {
  return test_name(fmt::format("{}/{}", row.param.format().dialect().name, row.param.name));
});

/// A reply that comes late, if in time, is no reason to accuse a server.
class SlowServer : public ::testing::TestWithParam<Played> {};

TEST_P(SlowServer, IsAccusedOfNothing) {
  const WireFormat& format = GetParam().format();
  Simulation simulation(Bug::none, format, format);
  simulation.network.delay_arrivals(test_deadline / 5);
  const auto result = simulation.play(unit_of_behaviour(GetParam().name, format)).front();
  EXPECT_THAT(result.verdict, AnyOf(Verdict::pass, Verdict::indeterminate)) << result.reason;
}

/// Leaves out the cases that send very much, and those that need a process.
std::vector<Played> played_slowly() {
  std::vector<Played> some = played();
  std::erase_if(some, [](const Played& one) {
    return one.name.starts_with("resources/") || one.name.starts_with("growth/") ||
           one.name == "stream/long-batch";
  });
  return some;
}

INSTANTIATE_TEST_SUITE_P(Cases, SlowServer, ::testing::ValuesIn(played_slowly()),
                         [](const auto& row) {
                           return test_name(fmt::format("{}/{}", row.param.format().dialect().name,
                                                        row.param.name));
                         });

struct Grade {
  Bug bug;
  std::string name;
  const WireFormat& (*format)() = format_u16;
};

class BrokenServerFails : public ::testing::TestWithParam<Grade> {};

TEST_P(BrokenServerFails, TheCase) {
  const WireFormat& format = GetParam().format();
  Simulation simulation(GetParam().bug, format, format);
  const auto result = simulation.play(unit_of_behaviour(GetParam().name, format)).front();
  EXPECT_EQ(result.verdict, Verdict::fail) << result.reason;
  EXPECT_FALSE(result.reason.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Bugs, BrokenServerFails,
    ::testing::Values(Grade{Bug::keeps_expired, "ttl/milliseconds"},
                      Grade{Bug::keeps_expired, "ttl/nanoseconds"},
                      Grade{Bug::keeps_expired, "ttl/buffers"},
                      Grade{Bug::keeps_expired, "update/ttl-patch-shortens"},
                      Grade{Bug::expires_early, "ttl/there-until-then"},
                      Grade{Bug::expires_early, "query/ttl-counts-down"},
                      Grade{Bug::reinserts, "insert/existing-unchanged"},
                      Grade{Bug::reinserts, "insert/one-of-many-wins"},
                      Grade{Bug::insert_replies_twice, "insert/adds-a-counter"},
                      Grade{Bug::query_replies_failure, "insert/adds-a-counter"},
                      Grade{Bug::query_big_endian, "insert/extreme-quotas"},
                      Grade{Bug::query_short, "query/changes-nothing"},
                      Grade{Bug::query_ttl_in_ms, "query/every-unit"},
                      Grade{Bug::increase_off_by_one, "update/quota-arithmetic"},
                      Grade{Bug::purge_keeps, "purge/missing"},
                      Grade{Bug::purge_keeps, "insert/again-after-purge"},
                      Grade{Bug::set_truncates, "set/any-bytes"},
                      Grade{Bug::set_truncates, "get/changes-nothing"},
                      Grade{Bug::forgets_split, "stream/half-a-request"},
                      Grade{Bug::answers_publish, "publish/to-each-once-in-order"},
                      Grade{Bug::answers_publish, "publish/to-nobody"},
                      Grade{Bug::delivers_twice, "subscribe/starts"},
                      Grade{Bug::delivers_twice, "publish/to-each-once-in-order"},
                      Grade{Bug::misjudges_publisher, "publish/not-to-itself"},
                      Grade{Bug::delivers_after_unsubscribe, "unsubscribe/finishes"},
                      Grade{Bug::delivers_backwards, "publish/to-each-once-in-order"},
                      Grade{Bug::shared_id, "whoami/different"},
                      Grade{Bug::changing_id, "whoami/stable"},
                      Grade{Bug::decrease_wraps, "update/below-zero"},
                      Grade{Bug::other_request_id, "request-id/repeated", format_2_0},
                      Grade{Bug::replies_backwards, "stream/each-its-own", format_2_0},
                      Grade{Bug::replies_backwards, "request-id/all-alike", format_2_0},
                      Grade{Bug::keeps_expired, "ttl/milliseconds", format_2_0},
                      Grade{Bug::query_ttl_in_ms, "query/every-unit", format_2_0},
                      Grade{Bug::reinserts, "insert/existing-unchanged", format_2_0},
                      Grade{Bug::other_channel, "subscribe/starts", format_7_3},
                      Grade{Bug::misjudges_publisher, "publish/to-itself", format_7_3},
                      Grade{Bug::delivers_after_unsubscribe, "unsubscribe/finishes", format_7_3}),
    [](const auto& row) { return fmt::format("{}_{}", row.index, test_name(row.param.name)); });

/// How often it sends to a server whose bytes take that long to arrive.
std::ptrdiff_t requests_of(const std::string& name, Time delay) {
  Simulation simulation(Bug::none, format_u16(), format_u16());
  simulation.network.delay_arrivals(delay);
  const auto result = simulation.play(unit_of_behaviour(name)).front();
  EXPECT_EQ(result.verdict, Verdict::pass) << result.reason;
  return std::ranges::count(simulation.network.history(), OperationKind::send, &Operation::kind);
}

TEST(Cases, AskASlowServerForARecordThatIsDueAsOftenAsAFastOne) {
  const std::ptrdiff_t often = requests_of("ttl/there-until-then", 0);
  EXPECT_EQ(requests_of("ttl/there-until-then", 400'000), often);
  EXPECT_LT(often, 40);
}

struct Rest {
  const char* name;
  Bug bug;
  const char* reason;
  const char* tested_by;
};

void PrintTo(const Rest& row, std::ostream* out) { *out << row.name; }

class CaseThatRestsOnAnAbility : public ::testing::TestWithParam<Rest> {};

TEST_P(CaseThatRestsOnAnAbility, IsSkippedWhereAnotherCaseFindsThatItIsNotThere) {
  const auto& [name, bug, reason, tested_by] = GetParam();
  const auto result = Simulation(bug).play(unit_of_behaviour(name)).front();
  EXPECT_EQ(result.verdict, Verdict::skipped);
  EXPECT_EQ(result.reason, reason);
  const auto other = Simulation(bug).play(unit_of_behaviour(tested_by)).front();
  EXPECT_EQ(other.verdict, Verdict::fail) << other.reason;
}

constexpr const char* rests_on_values =
    "rests on a value of 16000 bytes, which fails by itself: set/longest-value";

INSTANTIATE_TEST_SUITE_P(
    Rows, CaseThatRestsOnAnAbility,
    ::testing::Values(
        Rest{"resources/half-close", Bug::set_truncates, rests_on_values, "set/longest-value"},
        Rest{"resources/sent-ahead", Bug::set_truncates, rests_on_values, "set/longest-value"},
        Rest{"resources/replies-unread", Bug::set_truncates, rests_on_values, "set/longest-value"},
        Rest{"resources/replies-unread", Bug::reads_one_request,
             "rests on requests sent far ahead of what is read, which fails by itself: "
             "resources/sent-ahead",
             "resources/sent-ahead"},
        Rest{"resources/slow-subscriber", Bug::delivers_backwards,
             "rests on a payload of 16000 bytes, which fails by itself: publish/any-payload",
             "publish/any-payload"}));

TEST(Cases, HaveNamesOfTheirOwnAndAllThatAReportNeeds) {
  std::set<std::string> names;
  for (const BehaviourCase& one : all_behaviour_cases()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.title.empty()) << one.name;
  }
}

bool any_dialect_has(const std::string& clause) {
  return std::ranges::any_of(protocol::throttr_dialects, [&](const protocol::Dialect* dialect) {
    return protocol::find_clause(*dialect, clause) != nullptr;
  });
}

TEST(Cases, CiteNothingThatNoDialectHas) {
  for (const BehaviourCase& one : all_behaviour_cases()) {
    for (const std::string& clause : one.clauses)
      EXPECT_TRUE(any_dialect_has(clause)) << one.name << " cites " << clause;
  }
}

TEST(Cases, AreMadeForSomeAnswersOfSomeDialect) {
  std::set<std::string> made;
  for (const protocol::Dialect* const dialect : protocol::throttr_dialects) {
    for (const protocol::Reading& reading : dialect->readings) {
      for (const protocol::Answer& answer : reading.answers) {
        protocol::Readings readings(*dialect, protocol::Profile::deployed);
        if (!readings.set(reading.id, answer.id)) continue;
        const WireFormat format(dialect->widths.front(), readings);
        for (const BehaviourCase& one : behaviour_cases(format)) made.insert(one.name);
      }
    }
  }
  for (const BehaviourCase& one : all_behaviour_cases())
    EXPECT_TRUE(made.contains(one.name)) << one.name << " is never played";
}

struct Made {
  std::string name;
  const protocol::Dialect& dialect;
  std::vector<protocol::When> answers;
  std::vector<std::string> with;
  std::vector<std::string> without;
};

class CasesFor : public ::testing::TestWithParam<Made> {};

TEST_P(CasesFor, AFormatAreThoseThatItsDialectAndAnswersAllow) {
  protocol::Readings readings(GetParam().dialect, protocol::Profile::deployed);
  for (const protocol::When& answer : GetParam().answers)
    ASSERT_TRUE(readings.set(answer.reading, answer.answer));
  const WireFormat format(GetParam().dialect.widths.front(), readings);
  std::vector<std::string> names;
  for (const BehaviourCase& one : behaviour_cases(format)) names.push_back(one.name);
  for (const std::string& name : GetParam().with) EXPECT_THAT(names, Contains(name));
  for (const std::string& name : GetParam().without) EXPECT_THAT(names, Not(Contains(name)));
}

INSTANTIATE_TEST_SUITE_P(
    Formats, CasesFor,
    ::testing::Values(Made{"no_keys_in_2_0",
                           protocol::throttr_2_0,
                           {},
                           {"pair/swapped", "request-id/repeated", "ttl/nanoseconds"},
                           {"set/existing", "list/both-kinds", "ttl/microseconds",
                            "whoami/stable"}},
                      Made{"restored",
                           protocol::throttr_2_0,
                           {{"expiry-2.0", "restored"}},
                           {"ttl/restored", "ttl/milliseconds"},
                           {"ttl/gone-for-all"}},
                      Made{"no_metrics_in_6_0",
                           protocol::throttr_6_0,
                           {},
                           {"list/time-points-apart", "set/existing", "ttl/microseconds"},
                           {"stat/found", "list/time-points", "pair/swapped", "channels/own"}},
                      Made{"own_channels_in_7_3", protocol::throttr_7_3, {}, {"channels/own"}, {}},
                      Made{"publish_self",
                           protocol::throttr_7_1,
                           {{"publish-self", "yes"}},
                           {"publish/to-itself"},
                           {"publish/not-to-itself", "channels/own"}},
                      Made{"connection_by_index",
                           protocol::throttr_7_1,
                           {{"connection-id", "index"}},
                           {"connection/ends-of-indices", "connection/found-by-id"},
                           {"connection/unknown-id"}}),
    [](const auto& row) { return row.param.name; });

TEST(Cases, DropTheClausesThatADialectLacks) {
  for (const protocol::Dialect* const dialect : protocol::throttr_dialects) {
    const WireFormat format(dialect->widths.front(),
                            protocol::Readings(*dialect, protocol::Profile::deployed));
    for (const BehaviourCase& one : behaviour_cases(format)) {
      EXPECT_FALSE(one.clauses.empty()) << one.name;
      for (const std::string& clause : one.clauses)
        EXPECT_NE(protocol::find_clause(*dialect, clause), nullptr) << one.name;
    }
  }
}

}  // namespace
}  // namespace hallmark::conformance::testing
