#include "cli/load/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "loadgen/results/knee.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using loadgen::LoadOptions;
using reports::KneePoint;
using reports::LoadResult;
using reports::Met;

/// The least share of the requested rate that counts as reached.
constexpr double least_achieved = 0.99;

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
  if (!result.aborted.empty()) {
    point.met = Met::no;
    point.reason = result.aborted;
    return point;
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

std::string line_about(const KneePoint& point) {
  const auto rate = base::grouped(static_cast<std::uint64_t>(std::llround(point.rate)));
  const std::string came = point.met == Met::yes  ? "holds"
                           : point.met == Met::no ? "fails: " + point.reason
                                                  : "inconclusive: " + point.reason;
  return fmt::format("search, {}: {} requests/s, p99 {}: {}", point.sweep, rate, text_of(point.p99),
                     base::printable(came));
}

}  // namespace

Result<reports::Knee> search_knee(const LoadOptions& options, const SearchGoal& goal,
                                  const RunOnce& run,
                                  const std::function<void(const std::string&)>& tell) {
  loadgen::KneeFinder finder(
      {.from = options.rate.highest(), .confirm = goal.confirm_duration.count() > 0});
  bool interrupted = false;
  for (auto trial = finder.next(); trial && !interrupted; trial = finder.next()) {
    LoadOptions one = options;
    one.rate = trial->rate;
    if (trial->sweep == "confirm") one.duration = goal.confirm_duration;
    auto result = run(one);
    if (!result) return result.error();
    if (!result->run_error.empty()) return Error{result->run_error};
    result->objectives = reports::judge(goal.objectives, *result);
    interrupted = result->interrupted;
    if (interrupted) break;  // a run that is cut short says nothing of its rate
    KneePoint point = point_of(*result, goal.objectives);
    point.sweep = trial->sweep;
    point.rate = trial->rate;
    tell(line_about(point));
    finder.take(std::move(point));
  }
  reports::Knee knee = finder.knee();
  knee.interrupted = interrupted;
  knee.target = options.target_text;
  knee.objectives = goal.text;
  return knee;
}

}  // namespace hallmark::cli
