#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "clients/tests/client_fixture.hpp"

/// A client's bugs, and what finds each of them.
namespace hallmark::clients::testing {
namespace {

using protocol::Width;

enum class By { perturbation, clause };

struct Mutant {
  const char* bug;
  const protocol::Dialect* dialect;
  By by;
  const char* found_by;         ///< the id of a perturbation or of a clause
  const char* deadline = "10";  ///< of the client, in seconds; short where it has to pass
};

const protocol::Dialect* const throttr = &protocol::throttr_7_3;
const protocol::Dialect* const old = &protocol::throttr_2_0;
const protocol::Dialect* const limiter = &protocol::ratelimit_udp;

const std::vector<Mutant>& mutants() {
  static const std::vector<Mutant> all = {
      {"reads-once", throttr, By::perturbation, "cut/one-by-one"},
      {"reads-what-is-there", throttr, By::perturbation, "late/constant"},
      {"reads-until-quiet", throttr, By::perturbation, "late/last-byte"},
      {"no-deadline", throttr, By::perturbation, "silent/PURGE"},
      {"any-status-is-success", throttr, By::perturbation, "status/INSERT"},
      {"ttl-type-unchecked", throttr, By::perturbation, "choice/QUERY/ttl_type"},
      {"key-type-unchecked", throttr, By::perturbation, "choice/LIST/key_type"},
      {"assumes-order", throttr, By::perturbation, "listing/reversed"},
      {"first-fragment-only", throttr, By::perturbation, "listing/one-a-fragment"},
      {"delivery-as-reply", throttr, By::perturbation, "delivery/before-replies"},
      {"drops-deliveries", throttr, By::perturbation, "delivery/before-replies"},
      {"end-as-zeros", throttr, By::perturbation, "truncated/WHOAMI/id"},
      {"end-as-success", throttr, By::perturbation, "truncated/PURGE/status"},
      {"surplus-unchecked", throttr, By::perturbation, "repeated/UPDATE"},
      {"drains-before-asking", throttr, By::perturbation, "repeated/GET"},
      {"waits-at-the-end", throttr, By::perturbation, "truncated/QUERY/quota"},
      {"aborts-on-large-sizes", throttr, By::perturbation, "huge/GET/value_size"},
      {"takes-part-of-a-value", throttr, By::perturbation, "too-large/GET/value_size", "1.5"},
      {"ignores-value-size", throttr, By::perturbation, "too-large/GET/value_size"},
      {"silence-as-success", throttr, By::perturbation, "missing/SET", "1.5"},
      {"unknown-as-delivery", throttr, By::perturbation, "choice/EVENT/opcode"},
      {"ids-unchecked", old, By::perturbation, "other-id/INSERT"},
      {"any-id", limiter, By::perturbation, "stranger-first"},
      {"no-deadline", limiter, By::perturbation, "lost/all"},
      {"loose-numbers", limiter, By::perturbation, "number/get_stats/n_over"},
      {"pong-unchecked", limiter, By::perturbation, "foreign/ping"},
      {"one-id", old, By::clause, "client.request-ids"},
      {"wrong-width", throttr, By::clause, "client.width", "1.5"},
      {"key-size-too-large", throttr, By::clause, "client.whole-requests", "1.5"},
      {"unlisted-ttl-type", throttr, By::clause, "client.listed-values"},
      {"unlisted-change", throttr, By::clause, "client.listed-values"},
      {"unknown-opcode", throttr, By::clause, "client.operations"},
      {"half-a-request", throttr, By::clause, "client.whole-requests"},
      {"leaves-replies", throttr, By::clause, "client.takes-replies"},
      {"no-id", limiter, By::clause, "client.id"},
      {"one-id", limiter, By::clause, "client.id-unused"},
      {"unknown-command", limiter, By::clause, "client.commands"},
  };
  return all;
}

Format format_spoken(const protocol::Dialect& dialect) {
  const bool has_u16 = std::ranges::find(dialect.widths, Width::u16) != dialect.widths.end();
  return format_of(dialect, has_u16 ? Width::u16 : dialect.widths.front());
}

ClientResult certified(const Mutant& mutant, const std::vector<std::string>& bugs) {
  const Format format = format_spoken(*mutant.dialect);
  // Most clauses are judged by what the undisturbed client sends, whose tests never ask for STATS.
  // Datagrams that share an id show where responses are late.
  const bool needs_lateness = format.over_datagrams();
  const std::string filter = mutant.by == By::perturbation ? mutant.found_by
                             : needs_lateness              ? "late/constant"
                             : mutant.dialect == old       ? "choice/QUERY/ttl_type"
                                                           : "status/STATS";
  RunOptions options = options_for(format, client_command(format, bugs, mutant.deadline), {filter});
  // A client that never ends is found by this.
  const bool hangs = std::string_view(mutant.bug) == "no-deadline" ||
                     std::string_view(mutant.bug) == "waits-at-the-end";
  if (hangs) options.timeout = std::chrono::seconds(8);
  options.jobs = 1;
  return certify_client(options);
}

/// Empty if the mutant was found as it has to be.
std::string not_found(const Mutant& mutant) {
  ClientResult result = certified(mutant, {mutant.bug});
  // Some of these bugs need a reply within a moment: on a busy machine it comes too late.
  constexpr int most_tries = 4;
  for (int i = 1; i < most_tries && mutant.by == By::perturbation && !result.baseline.passed; ++i)
    result = certified(mutant, {mutant.bug});
  if (mutant.by == By::clause) {
    const auto found = std::ranges::find(result.clauses, mutant.found_by, &ClauseResult::id);
    if (found != result.clauses.end() && found->verdict == ClauseVerdict::broken) return {};
  } else {
    const bool failed =
        !result.perturbations.empty() && result.perturbations.front().verdict == Verdict::fails;
    if (result.baseline.passed && failed) return {};
  }
  return std::string(mutant.bug) + " is not found by " + mutant.found_by + ": " + in_words(result) +
         (result.perturbations.empty() ? "" : "\n" + result.perturbations.front().reason);
}

/// A part of the mutants, so that none of the tests takes long.
class ClientMutants : public ::testing::TestWithParam<std::size_t> {
 public:
  static constexpr std::size_t parts = 6;
};

TEST_P(ClientMutants, AreEachFound) {
  constexpr int at_once = 3;
  std::atomic<std::size_t> next{GetParam()};
  std::mutex mutex;
  std::vector<std::string> wrong;
  const auto work = [&] {
    for (std::size_t at = next.fetch_add(parts); at < mutants().size();
         at = next.fetch_add(parts)) {
      std::string text = not_found(mutants()[at]);
      const std::lock_guard lock(mutex);
      if (!text.empty()) wrong.push_back(std::move(text));
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < at_once; ++i) workers.emplace_back(work);
  }
  EXPECT_THAT(wrong, ::testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Parts, ClientMutants,
                         ::testing::Range(std::size_t{0}, ClientMutants::parts));

TEST(ListOfClientMutants, HasAtLeastTwentyFive) { EXPECT_GE(mutants().size(), 25U); }

}  // namespace
}  // namespace hallmark::clients::testing
