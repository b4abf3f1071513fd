#include "distributed/gathered_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nanoseconds.hpp"
#include "loadgen/histogram/hdr_codec.hpp"
#include "loadgen/results/merge.hpp"
#include "loadgen/results/run_identity.hpp"
#include "loadgen/results/run_record.hpp"
#include "loadgen/results/summary.hpp"
#include "loadgen/results/tally_codec.hpp"

namespace hallmark::distributed {
namespace {

using base::Result;
using loadgen::Failure;
using loadgen::operator+;
using reports::LoadCounts;
using reports::LoadResult;

bool is_of_requests(const reports::ErrorKind& error) {
  for (std::size_t i = 0; i < loadgen::failure_kinds; ++i) {
    if (error.kind == name_of(static_cast<Failure>(i))) return true;
  }
  return false;
}

std::uint64_t in_flight(const LoadCounts& counts) {
  return counts.planned - counts.completed - counts.timed_out - counts.shed - counts.failed;
}

/// Empty if it cannot be read.
std::string coarse(const std::string& histogram) {
  if (histogram.empty()) return {};
  const auto made = loadgen::coarse_compressed_base64(histogram);
  return made ? *made : std::string();
}

reports::RankLoad summary_of(const LoadResult& result) {
  reports::RankLoad rank;
  rank.counts = result.counts;
  rank.rate_achieved = result.rate_achieved;
  rank.latency.quantiles = result.corrected.quantiles;
  if (result.run && result.run->of > most_ranks_with_histograms) return rank;
  rank.latency.histogram = coarse(result.corrected.histogram);
  rank.latency.censored = result.corrected.censored;
  if (auto& censored = rank.latency.censored) censored->histogram = coarse(censored->histogram);
  return rank;
}

}  // namespace

LoadResult without_tallies(LoadResult result) {
  result.ranks.assign(1, summary_of(result));
  result.corrected = result.uncorrected = result.send_lag = {};
  result.series.clear();
  for (auto& operation : result.operations) operation.corrected = operation.uncorrected = {};
  std::erase_if(result.errors, is_of_requests);
  result.inconclusive.clear();
  return result;
}

GatheredRun::GatheredRun(const loadgen::LoadOptions& options, const std::vector<std::string>& names,
                         const loadgen::LoadOutputs& outputs, std::uint32_t ranks,
                         std::chrono::system_clock::time_point start)
    : options_(options),
      start_(start),
      names_(names),
      pool_(names.size(), 2, false, !options.closed),
      log_(names, pool_, outputs, !options.closed, ranks, start),
      counts_(ranks, std::vector<LoadCounts>(names.size())) {}

Result<void> GatheredRun::add(std::uint32_t rank, const Second& second) {
  auto tally = pool_.take();
  if (const auto added = loadgen::add_encoded(second.tally, *tally); !added) return added;
  for (std::size_t i = 0; i < names_.size(); ++i)
    counts_[rank][i] = counts_[rank][i] + tally->parts[i].counts();
  last_second_ = std::max(last_second_, second.second);
  const bool whole = second.length_ns >= static_cast<std::uint64_t>(base::second_ns);
  log_.report(static_cast<std::int64_t>(second.second), std::move(tally), !whole);
  return {};
}

LoadCounts GatheredRun::counts_of(std::uint32_t rank) const {
  LoadCounts sum;
  for (const LoadCounts& part : counts_[rank]) sum = sum + part;
  sum.failed += in_flight(sum);
  return sum;
}

void GatheredRun::lose(std::uint32_t rank) {
  auto tally = pool_.take();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    // When they were planned died with the rank: they took longer than nothing.
    for (std::uint64_t left = in_flight(counts_[rank][i]); left != 0; --left)
      tally->lose(i, Failure::rank_lost, fmt::format("rank {}", rank), {0, 0}, 0);
  }
  log_.report(static_cast<std::int64_t>(last_second_), std::move(tally), true);
  log_.lose_worker();
}

Result<LoadResult> GatheredRun::finish(std::vector<LoadResult> finished) {
  std::vector<std::string> names;
  for (LoadResult& one : finished) {
    names.push_back(fmt::format("rank {}", one.run ? one.run->rank : 0));
    one.run.reset();  // that they are one run was found out before it
  }
  auto merged = loadgen::merge(finished, names);
  if (!merged) return merged;
  merged->run = loadgen::identity_of(
      options_, std::chrono::time_point_cast<std::chrono::milliseconds>(start_));
  merged->spread = {};
  LoadResult whole;
  loadgen::describe(options_, whole);
  merged->rate_asked = whole.rate_asked;
  merged->header.notes.clear();
  std::erase_if(merged->header.options,
                [](const reports::Option& option) { return option.name == "share"; });
  std::chrono::nanoseconds longest{};
  for (const LoadResult& one : finished) longest = std::max(longest, one.header.duration);
  fill_in(longest, *merged);
  return merged;
}

/// Replaces everything that follows from tallies.
void GatheredRun::fill_in(std::chrono::nanoseconds duration, LoadResult& result) {
  const double user = result.cpu_user_seconds;
  const double system = result.cpu_system_seconds;
  result.operations.clear();
  loadgen::conclude(log_, names_, duration.count(), {}, result);
  result.cpu_user_seconds = user;
  result.cpu_system_seconds = system;
  if (!options_.closed && result.client)
    loadgen::certify_schedule(options_, log_.total(), {}, result);
}

}  // namespace hallmark::distributed
