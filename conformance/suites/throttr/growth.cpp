#include "conformance/suites/throttr/growth.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/quantity.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
namespace {

using Levelled = std::vector<std::uint64_t>;

constexpr std::size_t growth_rounds = 3;
/// Connections end in two ways; a target may keep what one of them leaves.
constexpr std::size_t ways = 2;
constexpr std::uint64_t smallest_block = 16;
constexpr Time millisecond_ns = 1'000'000;
/// How long a round may take at the pace of the first ones.
constexpr Time longest_round = 20'000 * millisecond_ns;
/// How long something that is over may take to go.
constexpr Time lingering = 2'000'000'000;

/// A process that was asked nothing before has no room left by what it has freed, and is the same
/// whatever was played before.
void start_anew(Stage& stage) {
  Supervisor& supervisor = own_process(stage);
  stage.hang_up();
  if (const auto renewed = supervisor.renew(); !renewed)
    stage.indeterminate("the target could not be started afresh: " + renewed.error());
  stage.restart();
}

using Take = std::uint64_t ProcessFigures::*;

std::uint64_t level_of(Stage& stage, Take what) {
  return own_process(stage).figures(Thoroughness::exact).*what;
}

/// Up to the first round that adds less than the least: what follows shows nothing new.
Levelled levels_of(Stage& stage, Take what, const Work& work, std::size_t things,
                   std::uint64_t least) {
  Levelled levels;
  do {
    work(stage, things);
    stage.forget_evidence();
    levels.push_back(level_of(stage, what));
  } while (levels.size() <= growth_rounds && grows_each_time(levels, least));
  return levels;
}

/// True if the level stays above that for as long as anything may linger.
bool stays_above(Stage& stage, Take what, std::uint64_t level) {
  const Time until = stage.now() + lingering;
  while (level_of(stage, what) >= level) {
    if (stage.now() >= until) return true;
    stage.wait_until(stage.now() + 20 * millisecond_ns);
  }
  return false;
}

void expect_none_kept(Stage& stage, Take what, std::string_view name, const Work& work) {
  constexpr std::size_t things = 32;
  start_anew(stage);
  const std::uint64_t least = things / ways;
  const Levelled levels = levels_of(stage, what, work, things, least);
  if (!grows_each_time(levels, least)) return;
  if (!stays_above(stage, what, levels.front() + growth_rounds * least)) return;
  stage.fail({.kind = Code::Kind::leak, .input = std::string(name)},
             fmt::format("the process keeps {} of connections that are over: {} after rounds of {}",
                         name, fmt::join(levels, ", "), things));
}

Code memory_kept(std::string_view thing) {
  return {.kind = Code::Kind::leak, .input = fmt::format("memory-of-{}s", thing)};
}

/// Returns how many things a round shall have: as many as the target handles in a few seconds, but
/// enough for a cache of some thousands to be full before the last round, however slow the target
/// is. Returns fewer, and at least as many as before, if it has room for no more, should it keep as
/// much of each as it did of those before. Ends the case as skipped if a round would take too long.
std::size_t as_many_as_it_bears(Stage& stage, Time each, Levels before, std::size_t things) {
  constexpr std::size_t enough = 2'000;
  constexpr std::size_t most = 4'000;
  constexpr Time usual = 4'000 * millisecond_ns;
  constexpr std::uint64_t room = std::uint64_t{64} << 20;
  const std::uint64_t kept = (before.back() - before.front()) / growth_rounds / things + 1;
  const auto wanted = std::clamp<std::size_t>(usual / each, enough, most);
  const auto borne = std::clamp<std::size_t>(room / kept, things, wanted);
  if (borne > longest_round / each)
    stage.skip(
        fmt::format("the target takes {} ms for each: too slow to tell what it keeps from a "
                    "cache that fills",
                    each / millisecond_ns));
  return borne;
}

/// Finds out that many things take far longer than the first ones did: lot after lot, as what
/// delays one may be the machine.
class Slowdown {
 public:
  explicit Slowdown(Time each_at_first) : each_at_first_(each_at_first) {}

  /// Returns whether it shows, once so many things more took so long.
  bool shows(Time took, std::size_t things) {
    constexpr Time far = 20;
    constexpr Time noticed = 1'000 * millisecond_ns;
    constexpr int in_a_row = 2;
    const bool slow = took > noticed && took > far * each_at_first_ * things;
    slow_lots_ = slow ? slow_lots_ + 1 : 0;
    return slow_lots_ >= in_a_row;
  }

 private:
  Time each_at_first_;
  int slow_lots_ = 0;
};

/// One round, lot by lot. Returns what shows that the target, which grew before, has run out of
/// something: "took 50 ms for each"; nothing if it has not.
std::optional<std::string> work_until_it_runs_out(Stage& stage, const Work& work,
                                                  std::size_t things, Slowdown& slowdown) {
  constexpr std::size_t lot = 50;
  const Time begun = stage.now();
  for (std::size_t done = 0; done < things;) {
    const std::size_t more = std::min(lot, things - done);
    const Time from = stage.now();
    try {
      work(stage, more);
    } catch (const CaseEnded& ended) {
      if (ended.judgement().verdict != reports::Verdict::fail) throw;
      return "answered no more: " + ended.judgement().reason;
    }
    const Time took = stage.now() - from;
    if (slowdown.shows(took, more))
      return fmt::format("took {} ms for each", took / more / millisecond_ns);
    done += more;
    if (done < things && stage.now() - begun > 2 * longest_round)
      stage.skip(
          fmt::format("the target took {} s for {} of {}: too slow to tell what it keeps "
                      "from a cache that fills",
                      (stage.now() - begun) / (1'000 * millisecond_ns), done, things));
  }
  return std::nullopt;
}

/// The last round follows when what is freed late can be freed. A target that has grown, and then
/// answers no more, or slowly, has run out of what it keeps.
Levelled memory_over_many(Stage& stage, std::string_view thing, const Work& work,
                          std::size_t things, Slowdown slowdown) {
  Levelled bytes{level_of(stage, &ProcessFigures::memory)};
  for (std::size_t round = 1; round <= growth_rounds; ++round) {
    if (round == growth_rounds) stage.wait_until(stage.now() + lingering);
    if (const auto how = work_until_it_runs_out(stage, work, things, slowdown))
      stage.fail(memory_kept(thing),
                 fmt::format("the process grew with each round of {}s that were over, until it {}",
                             thing, *how));
    stage.forget_evidence();
    bytes.push_back(level_of(stage, &ProcessFigures::memory));
  }
  return bytes;
}

/// True if the target used a tenth of a core while nothing was asked; or wanted it whenever it was
/// looked at, where others had the cores.
bool works(Stage& stage, Time quiet) {
  constexpr Time looks = 5;
  constexpr double idle = 0.1;
  Supervisor& supervisor = own_process(stage);
  const ProcessFigures begun = supervisor.figures(Thoroughness::exact);
  const Time from = stage.now();
  ProcessFigures ended = begun;
  bool wants = begun.runnable > 0;
  for (Time look = 1; look <= looks; ++look) {
    stage.wait_until(from + quiet * look / looks);
    ended = supervisor.figures(Thoroughness::exact);
    wants = wants && ended.runnable > 0;
  }
  if (begun.process != ended.process) return false;
  const auto used = static_cast<double>(ended.cpu - std::min(begun.cpu, ended.cpu));
  return wants || used >= idle * static_cast<double>(stage.now() - from);
}

}  // namespace

Supervisor& own_process(Stage& stage) {
  Supervisor* const supervisor = stage.context().network.supervisor();
  if (supervisor == nullptr)
    stage.skip("only a process that Hallmark started can be looked into: runs with exec:");
  return *supervisor;
}

bool grows_each_time(Levels levels, std::uint64_t least) {
  return std::ranges::adjacent_find(levels, [&](std::uint64_t before, std::uint64_t after) {
           return after < before + least;
         }) == levels.end();
}

bool is_kept_of_each(Levels bytes, std::size_t things) {
  if (!grows_each_time(bytes, things * smallest_block)) return false;
  Levelled added;
  for (std::size_t i = 1; i < bytes.size(); ++i) added.push_back(bytes[i] - bytes[i - 1]);
  const auto [least, most] = std::ranges::minmax(added);
  return 2 * least >= most;
}

void expect_no_descriptors_kept(Stage& stage, const Work& work) {
  expect_none_kept(stage, &ProcessFigures::descriptors, "descriptors", work);
}

void expect_no_threads_kept(Stage& stage, const Work& work) {
  expect_none_kept(stage, &ProcessFigures::threads, "threads", work);
}

void expect_no_memory_kept(Stage& stage, std::string_view thing, const Work& work) {
  constexpr std::size_t few = 200;
  start_anew(stage);
  const Time from = stage.now();
  const std::uint64_t least = few / ways * smallest_block;
  const Levelled first = levels_of(stage, &ProcessFigures::memory, work, few, least);
  if (!grows_each_time(first, least)) return;
  const Time pace = std::max<Time>((stage.now() - from) / first.size() / few, 1);
  const std::size_t things = as_many_as_it_bears(stage, pace, first, few);
  const Levelled bytes = memory_over_many(stage, thing, work, things, Slowdown(pace));
  if (!is_kept_of_each(bytes, things / ways)) return;
  const double each = static_cast<double>(bytes.back() - bytes.front()) /
                      static_cast<double>(growth_rounds * things);
  stage.fail(
      memory_kept(thing),
      fmt::format("the process keeps {:.0f} bytes of each {} that is over: it grew from {} to {} "
                  "in {} rounds of {}",
                  each, thing, base::human_bytes(bytes.front()), base::human_bytes(bytes.back()),
                  growth_rounds, things));
}

void expect_rest(Stage& stage) {
  constexpr Time moment = 50 * millisecond_ns;
  constexpr Time second = 1'000 * millisecond_ns;
  constexpr int seconds = 3;
  if (!works(stage, moment)) return;
  for (int i = 0; i < seconds; ++i) {
    if (!works(stage, second)) return;
  }
  stage.fail(
      {.kind = Code::Kind::busy},
      fmt::format("nobody asked anything for {} s, and the process kept a core busy", seconds));
}

}  // namespace hallmark::conformance
