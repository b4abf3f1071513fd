#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::Verdict;

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
                                "get/missing",
                                "get/not-a-counter",
                                "get/changes-nothing",
                                "subscribe/starts",
                                "subscribe/twice",
                                "subscribe/several-channels",
                                "subscribe/channels-are-no-keys",
                                "unsubscribe/finishes",
                                "unsubscribe/absent",
                                "unsubscribe/only-that-channel",
                                "publish/to-each-once-in-order",
                                "publish/not-to-itself",
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
                                "stream/interleaved",
                                "stream/half-a-request",
                                "stream/closed-inside",
                                "robustness/unknown-opcodes",
                                "robustness/unlisted-ttl-types",
                                "robustness/unlisted-attributes",
                                "robustness/unlisted-changes",
                                "robustness/connect-and-leave"};

class CorrectServer : public ::testing::TestWithParam<const char*> {};

TEST_P(CorrectServer, Passes) {
  Simulation simulation;
  const auto result = simulation.play(unit_of_behaviour(GetParam())).front();
  EXPECT_EQ(result.verdict, Verdict::pass) << result.reason;
}

std::string test_name(std::string_view id) {
  std::string name;
  for (const char c : id) name += c == '/' || c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, CorrectServer, ::testing::ValuesIn(playable),
                         [](const auto& row) { return test_name(row.param); });

struct Grade {
  Bug bug;
  std::string name;
};

class BrokenServerFails : public ::testing::TestWithParam<Grade> {};

TEST_P(BrokenServerFails, TheCase) {
  Simulation simulation(GetParam().bug);
  const auto result = simulation.play(unit_of_behaviour(GetParam().name)).front();
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
                      Grade{Bug::delivers_to_publisher, "publish/not-to-itself"},
                      Grade{Bug::delivers_after_unsubscribe, "unsubscribe/finishes"},
                      Grade{Bug::delivers_backwards, "publish/to-each-once-in-order"},
                      Grade{Bug::shared_id, "whoami/different"},
                      Grade{Bug::changing_id, "whoami/stable"}),
    [](const auto& row) { return fmt::format("{}_{}", row.index, test_name(row.param.name)); });

TEST(Cases, AllowEveryAnswerThatTheDocumentLeavesOpen) {
  Simulation simulation(Bug::decrease_wraps);
  EXPECT_EQ(simulation.play(unit_of_behaviour("update/below-zero")).front().verdict, Verdict::pass);
}

TEST(Cases, HaveNamesOfTheirOwnAndAllThatAReportNeeds) {
  std::set<std::string> names;
  for (const BehaviourCase& one : behaviour_cases()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.title.empty()) << one.name;
    EXPECT_FALSE(one.clauses.empty()) << one.name;
    EXPECT_NE(protocol::find_operation(protocol::throttr_7_1, one.operation), nullptr) << one.name;
  }
}

}  // namespace
}  // namespace hallmark::conformance::testing
