#include "cli/load/load_series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "loadgen/results/compare.hpp"
#include "loadgen/results/knee.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using loadgen::Block;
using loadgen::LoadOptions;
using reports::KneePoint;
using reports::LoadResult;
using reports::Met;

/// The least share of the requested rate that counts as reached.
constexpr double least_achieved = 0.99;
constexpr std::uint64_t seed = 1;

bool says(const std::vector<reports::Objective>& objectives, std::string_view metric) {
  return std::ranges::find(objectives, metric, &reports::Objective::metric) != objectives.end();
}

std::string why_not(const LoadResult& result) {
  for (const auto& one : result.objectives) {
    if (one.met != Met::yes) return fmt::format("{}: {}", one.objective, one.shown);
  }
  return fmt::format("{} failed, {} timed out, {} shed", result.counts.failed,
                     result.counts.timed_out, result.counts.shed);
}

KneePoint point_of(const LoadResult& result, const std::vector<reports::Objective>& objectives) {
  KneePoint point;
  point.achieved = result.rate_achieved;
  const auto& latency = result.corrected.quantiles;
  point.p50 = latency.p50;
  point.p99 = latency.p99;
  point.p999 = latency.p999;
  if (result.client) {
    for (const auto& thread : result.client->threads)
      point.busy = std::max(point.busy, thread.busy);
  }
  const auto& counts = result.counts;
  const bool lost = !says(objectives, "errors") && counts.completed != counts.planned;
  // Requests without a right reply are judged by `errors`, the rate by the others.
  const auto lost_share = static_cast<double>(counts.failed + counts.timed_out) /
                          static_cast<double>(std::max<std::uint64_t>(counts.planned, 1));
  const bool slow = !says(objectives, "rate") && result.rate_asked &&
                    result.rate_achieved < least_achieved * (1 - lost_share) * *result.rate_asked;
  const auto any = [&](Met met) {
    return std::ranges::find(result.objectives, met, &reports::ObjectiveOutcome::met) !=
           result.objectives.end();
  };
  const bool missed = lost || slow || any(Met::no);
  // Objectives that are met although the client was late are met. Missing them may be the client's
  // fault.
  if (!missed && !any(Met::unknown)) {
    point.met = Met::yes;
    return point;
  }
  const bool proven =
      std::ranges::find(result.objectives, true, &reports::ObjectiveOutcome::proven) !=
      result.objectives.end();
  const bool conclusive = result.inconclusive.empty() || proven;
  point.met = conclusive && missed ? Met::no : Met::unknown;
  point.reason = conclusive ? why_not(result) : result.inconclusive;
  return point;
}

/// Blocks of several runs of one target.
class Side {
 public:
  Result<void> add(const LoadResult& result) {
    if (!result.run_error.empty()) return Error{result.run_error};
    auto blocks = loadgen::blocks_of(result);
    if (!blocks) return blocks.error();
    for (Block& block : *blocks) blocks_.push_back(std::move(block));
    if (inconclusive_.empty()) inconclusive_ = result.inconclusive;
    interrupted_ = interrupted_ || result.interrupted;
    return {};
  }
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::string& inconclusive() const { return inconclusive_; }
  bool interrupted() const { return interrupted_; }

 private:
  std::vector<Block> blocks_;
  std::string inconclusive_;
  bool interrupted_ = false;
};

/// Plays runs of `first` (true) and `second` in that order, until one was interrupted.
Result<void> play(std::initializer_list<bool> order, const LoadOptions& first,
                  const LoadOptions& second, Side& to_first, Side& to_second, const RunOnce& run) {
  for (const bool is_first : order) {
    if (to_first.interrupted() || to_second.interrupted()) return {};
    const auto result = run(is_first ? first : second);
    if (!result) return result.error();
    if (const auto added = (is_first ? to_first : to_second).add(*result); !added) return added;
  }
  return {};
}

}  // namespace

Result<reports::Knee> search_knee(const LoadOptions& options,
                                  const std::vector<reports::Objective>& objectives,
                                  const std::string& text, const RunOnce& run) {
  std::string broken;
  bool interrupted = false;
  const auto goes_on = [&] { return broken.empty() && !interrupted; };
  const auto probe = [&](double rate) -> KneePoint {
    LoadOptions one = options;
    one.rate = rate;
    auto result = run(one);
    if (!result || !result->run_error.empty()) {
      broken = result ? result->run_error : result.error().message;
      return {};
    }
    interrupted = interrupted || result->interrupted;
    result->objectives = reports::judge(objectives, *result);
    return point_of(*result, objectives);
  };
  loadgen::KneeSearch search;
  search.from = options.rate.highest();
  auto knee = loadgen::find_knee(search, probe, goes_on);
  if (!broken.empty()) return Error{broken};
  knee.target = options.target_text;
  knee.objectives = text;
  return knee;
}

std::size_t runs_of(unsigned rounds) { return 4 + 4 * std::size_t{rounds}; }

Result<reports::LoadComparison> compare_targets(const LoadOptions& a, const LoadOptions& b,
                                                unsigned rounds, double least_share,
                                                const RunOnce& run) {
  Side quiet[2];
  // Halves of the same target, in the order in which the two are compared.
  if (const auto played = play({true, false, false, true}, a, a, quiet[0], quiet[1], run); !played)
    return played.error();
  const auto noise = loadgen::differences(quiet[0].blocks(), quiet[1].blocks(), 0, {}, seed);
  Side sides[2];
  for (unsigned i = 0; i < rounds; ++i) {
    if (quiet[0].interrupted() || quiet[1].interrupted()) break;
    if (const auto played = play({true, false, false, true}, a, b, sides[0], sides[1], run);
        !played)
      return played.error();
  }
  reports::LoadComparison comparison;
  comparison.before = a.target_text;
  comparison.now = b.target_text;
  comparison.blocks_before = sides[0].blocks().size();
  comparison.blocks_now = sides[1].blocks().size();
  for (const Side* side : {&sides[0], &sides[1]}) {
    if (comparison.inconclusive.empty()) comparison.inconclusive = side->inconclusive();
  }
  const bool interrupted = quiet[0].interrupted() || quiet[1].interrupted() ||
                           sides[0].interrupted() || sides[1].interrupted();
  if (interrupted) comparison.inconclusive = "interrupted";
  if (comparison.blocks_before == 0 || comparison.blocks_now == 0) {
    if (comparison.inconclusive.empty()) comparison.inconclusive = "nothing was completed";
    return comparison;
  }
  comparison.metrics =
      loadgen::differences(sides[0].blocks(), sides[1].blocks(), least_share, noise, seed);
  return comparison;
}

}  // namespace hallmark::cli
