#include "loadgen/results/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/nanoseconds.hpp"
#include "loadgen/histogram/hdr_codec.hpp"
#include "loadgen/histogram/slowest.hpp"
#include "loadgen/results/merge_checks.hpp"
#include "loadgen/results/merge_refusal.hpp"
#include "loadgen/results/merge_series.hpp"
#include "loadgen/results/spread.hpp"
#include "loadgen/results/summary.hpp"
#include "loadgen/results/tally.hpp"
#include "reports/load/slo.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;
using reports::Latency;
using reports::LoadResult;

/// Several distributions, of which each is exact but for its histogram's buckets.
class LatencySum {
 public:
  Result<void> add(const Latency& one) {
    const reports::Quantiles& q = one.quantiles;
    const std::uint64_t waits = one.censored ? one.censored->count : 0;
    const auto known = decoded(one.histogram, q.count, q.min, q.max.value);
    if (!known) return known.error();
    const auto waited =
        waits == 0 ? Result<Histogram>(Histogram())
                   : decoded(one.censored->histogram, waits, one.censored->least_ns, q.max.value);
    if (!waited) return waited.error();
    sum_.add(*known, *waited);
    if (const auto added = add_client_delays(one); !added) return added.error();
    total_ += q.mean.value * static_cast<double>(q.count + waits);
    keep_marks(marks_, q);
    return {};
  }

  Latency latency() const {
    Latency merged = latency_of(sum_);
    if (!sum_.empty()) merged.quantiles.mean.value = total_ / static_cast<double>(sum_.count());
    keep_marks(merged.quantiles, marks_);
    return merged;
  }

 private:
  Result<void> add_client_delays(const Latency& one) {
    if (!one.client_delayed) return {};
    const auto with = decode_compressed_base64(one.client_delayed->with);
    if (!with) return with.error();
    const auto without = decode_compressed_base64(one.client_delayed->without);
    if (!without) return without.error();
    if (with->count() != without->count())
      return Error{fmt::format("client_delayed: {} latencies with the client's delays, {} without",
                               with->count(), without->count())};
    sum_.blamed_to_add_to().with.add(*with);
    sum_.blamed_to_add_to().without.add(*without);
    return {};
  }

  /// `min` is exact; no value is above `max`.
  static Result<Histogram> decoded(const std::string& text, std::uint64_t count, std::uint64_t min,
                                   std::uint64_t max) {
    if (count == 0) return Histogram();
    auto histogram = decode_compressed_base64(text);
    if (!histogram) return histogram;
    if (histogram->count() != count)
      return Error{fmt::format("a histogram holds {} values where {} were counted",
                               histogram->count(), count)};
    histogram->narrow(min, std::min(max, histogram->max()));
    return histogram;
  }

  CensoredHistogram sum_;
  reports::Quantiles marks_;  ///< that one of them has
  double total_ = 0;
};

/// Adds the runs' latencies of one kind up.
template <class Of>
Result<Latency> sum_of(std::span<const LoadResult> runs, Of of) {
  LatencySum sum;
  for (const LoadResult& run : runs) {
    const Latency* const latency = of(run);
    if (latency == nullptr) continue;
    if (const auto added = sum.add(*latency); !added) return added.error();
  }
  return sum.latency();
}

/// The counts of a result are those of its operations.
Result<void> check_counts(const LoadResult& run, const std::string& name) {
  reports::LoadCounts sum;
  for (const auto& one : run.operations) {
    if (!one.counts.balanced())
      return Error{fmt::format("{}: {}: planned is not completed + timed out + shed + failed", name,
                               one.operation)};
    sum = sum + one.counts;
  }
  if (sum != run.counts)
    return Error{fmt::format("{}: the counts of the operations are not those of the run", name)};
  return {};
}

const reports::OperationLoad* find(const LoadResult& run, const std::string& operation) {
  const auto found =
      std::ranges::find(run.operations, operation, &reports::OperationLoad::operation);
  return found == run.operations.end() ? nullptr : &*found;
}

Result<void> merge_operations(std::span<const LoadResult> runs, LoadResult& merged) {
  for (const LoadResult& run : runs) {
    for (const auto& one : run.operations) {
      if (find(merged, one.operation) != nullptr) continue;
      reports::OperationLoad& sum = merged.operations.emplace_back();
      sum.operation = one.operation;
      for (const LoadResult& other : runs) {
        if (const auto* same = find(other, one.operation)) sum.counts = sum.counts + same->counts;
      }
      const auto latency = [&](Latency reports::OperationLoad::*which) {
        return sum_of(runs, [&](const LoadResult& other) -> const Latency* {
          const auto* const same = find(other, one.operation);
          return same != nullptr ? &(same->*which) : nullptr;
        });
      };
      auto corrected = latency(&reports::OperationLoad::corrected);
      if (!corrected) return corrected.error();
      auto uncorrected = latency(&reports::OperationLoad::uncorrected);
      if (!uncorrected) return uncorrected.error();
      sum.corrected = std::move(*corrected);
      sum.uncorrected = std::move(*uncorrected);
    }
  }
  for (const auto& one : merged.operations) merged.counts = merged.counts + one.counts;
  return {};
}

Result<void> merge_latencies(std::span<const LoadResult> runs, LoadResult& merged) {
  for (Latency LoadResult::*which :
       {&LoadResult::corrected, &LoadResult::uncorrected, &LoadResult::send_lag}) {
    auto sum = sum_of(runs, [&](const LoadResult& run) { return &(run.*which); });
    if (!sum) return sum.error();
    merged.*which = std::move(*sum);
  }
  const bool staged = std::ranges::all_of(runs, [](const auto& run) { return bool(run.stages); });
  if (!staged) return {};
  using Stages = reports::StageLatencies;
  Stages& stages = merged.stages.emplace();
  for (Latency Stages::*which :
       {&Stages::planned_to_written, &Stages::written_to_kernel_sent,
        &Stages::kernel_sent_to_received, &Stages::kernel_received_to_read}) {
    auto sum = sum_of(runs, [&](const LoadResult& run) { return &((*run.stages).*which); });
    if (!sum) return sum.error();
    stages.*which = std::move(*sum);
  }
  for (const LoadResult& run : runs)
    stages.without_kernel_times += run.stages->without_kernel_times;
  return {};
}

/// The time that is covered by at least one of the runs, nanoseconds.
double covered_ns(std::span<const LoadResult> runs) {
  const auto started = [](const LoadResult& run) { return begin_of(run); };
  // Since the first of them: a double holds the nanoseconds of some months exactly, but not those
  // since 1970.
  const auto origin = started(*std::ranges::min_element(runs, {}, started));
  std::vector<std::pair<double, double>> spans;
  for (const LoadResult& run : runs) {
    const auto from = std::chrono::duration<double, std::nano>(started(run) - origin).count();
    spans.emplace_back(from, from + static_cast<double>(run.header.duration.count()));
  }
  std::ranges::sort(spans);
  double covered = 0;
  double until = 0;
  for (const auto& [from, to] : spans) {
    covered += std::max(0.0, to - std::max(from, until));
    until = std::max(until, to);
  }
  return covered;
}

void merge_rates(std::span<const LoadResult> runs, LoadResult& merged) {
  const double covered = covered_ns(runs);
  merged.header.duration = std::chrono::nanoseconds(static_cast<std::int64_t>(covered));
  double asked = 0;
  double achieved = 0;
  for (const LoadResult& run : runs) {
    const auto lasted = static_cast<double>(run.header.duration.count());
    asked += run.rate_asked.value_or(0) * lasted;
    achieved += run.rate_achieved * lasted;
  }
  if (covered <= 0) return;
  if (runs.front().rate_asked) merged.rate_asked = asked / covered;
  merged.rate_achieved = achieved / covered;
}

void merge_traffic(std::span<const LoadResult> runs, LoadResult& merged) {
  double sent = 0;
  double writes = 0;
  double completed = 0;
  double reads = 0;
  for (const LoadResult& run : runs) {
    merged.bytes_out += run.bytes_out;
    merged.bytes_in += run.bytes_in;
    merged.cpu_user_seconds += run.cpu_user_seconds;
    merged.cpu_system_seconds += run.cpu_system_seconds;
    const auto planned = static_cast<double>(run.counts.planned - run.counts.shed);
    sent += planned;
    writes += run.requests_per_write > 0 ? planned / run.requests_per_write : 0;
    completed += static_cast<double>(run.counts.completed);
    reads += run.replies_per_read > 0
                 ? static_cast<double>(run.counts.completed) / run.replies_per_read
                 : 0;
  }
  merged.requests_per_write = writes > 0 ? sent / writes : 0;
  merged.replies_per_read = reads > 0 ? completed / reads : 0;
}

void merge_errors(std::span<const LoadResult> runs, LoadResult& merged) {
  for (const LoadResult& run : runs) {
    for (const auto& error : run.errors) {
      const auto same = std::ranges::find(merged.errors, error.kind, &reports::ErrorKind::kind);
      if (same == merged.errors.end()) {
        merged.errors.push_back(error);
      } else {
        same->count += error.count;
      }
    }
    merged.interrupted = merged.interrupted || run.interrupted;
    const auto append = [](std::string& all, const std::string& one) {
      if (one.empty() || all.find(one) != std::string::npos) return;
      all.append(all.empty() ? "" : "; ").append(one);
    };
    append(merged.inconclusive, run.inconclusive);
    append(merged.run_error, run.run_error);
    append(merged.aborted, run.aborted);
  }
}

void merge_clients(std::span<const LoadResult> runs, LoadResult& merged) {
  reports::LoadClient client;
  double late = 0;
  double sent = 0;
  std::set<std::string> taints;
  for (const LoadResult& run : runs) {
    if (!run.client) return;
    client.threads.insert(client.threads.end(), run.client->threads.begin(),
                          run.client->threads.end());
    client.stolen_share = std::max(client.stolen_share, run.client->stolen_share);
    client.throttled_s += run.client->throttled_s;
    if (const auto& schedule = run.client->schedule) {
      const auto count = static_cast<double>(run.send_lag.quantiles.count);
      late += schedule->late_share * count;
      sent += count;
      client.schedule = {
          schedule->arrivals, schedule->lag_bound_ns, sent > 0 ? late / sent : 0, {}};
    }
    taints.insert(run.client->taints.begin(), run.client->taints.end());
  }
  client.taints.assign(taints.begin(), taints.end());
  merged.client = std::move(client);
}

Result<void> merge_connections(std::span<const LoadResult> runs, LoadResult& merged) {
  const bool told =
      std::ranges::all_of(runs, [](const auto& run) { return bool(run.connections); });
  if (!told) return {};
  reports::ConnectionFacts& facts = merged.connections.emplace();
  for (const LoadResult& run : runs) {
    facts.opened += run.connections->opened;
    facts.replaced += run.connections->replaced;
    facts.lost += run.connections->lost;
    facts.regained += run.connections->regained;
    facts.failed += run.connections->failed;
    facts.longest_gap_ns = std::max(facts.longest_gap_ns, run.connections->longest_gap_ns);
  }
  auto sum = sum_of(runs, [](const LoadResult& run) { return &run.connections->connecting; });
  if (!sum) return sum.error();
  facts.connecting = std::move(*sum);
  return {};
}

Result<void> merge_fan_outs(std::span<const LoadResult> runs, LoadResult& merged) {
  const bool told = std::ranges::all_of(runs, [](const auto& run) { return bool(run.fan_out); });
  if (!told) return {};
  reports::FanOut& facts = merged.fan_out.emplace();
  for (const LoadResult& run : runs) {
    facts.subscribers += run.fan_out->subscribers;
    facts.published += run.fan_out->published;
    facts.expected += run.fan_out->expected;
    facts.delivered += run.fan_out->delivered;
    facts.unstamped += run.fan_out->unstamped;
  }
  auto sum = sum_of(runs, [](const LoadResult& run) { return &run.fan_out->latency; });
  if (!sum) return sum.error();
  facts.latency = std::move(*sum);
  return {};
}

void merge_slowest(std::span<const LoadResult> runs, LoadResult& merged) {
  for (const LoadResult& run : runs)
    merged.slowest.insert(merged.slowest.end(), run.slowest.begin(), run.slowest.end());
  std::ranges::stable_sort(merged.slowest, std::greater<>{},
                           &reports::SlowRequestFacts::latency_ns);
  if (merged.slowest.size() > Slowest::most) merged.slowest.resize(Slowest::most);
}

/// The shares that were merged, and those that are missing.
void describe_merged(std::span<const LoadResult> runs, LoadResult& merged) {
  const auto& identity = runs.front().run;
  if (!identity || !identity->is_share()) {
    merged.spread = runs.size() > 1 ? spread_of(runs) : runs.front().spread;
    merged.header.notes.push_back(fmt::format("{} runs merged", runs.size()));
    return;
  }
  merged.header.notes.push_back(
      fmt::format("{} of {} shares of run {} merged", runs.size(), identity->of, identity->run));
  std::erase_if(merged.header.options, [](const auto& option) { return option.name == "share"; });
  merged.run = identity;
  merged.run->rank = 0;
  merged.run->of = 1;
  if (runs.size() == identity->of) return;
  // Comes first: what each share says of itself may be long.
  merged.inconclusive =
      fmt::format("{} of {} shares are missing{}{}", identity->of - runs.size(), identity->of,
                  merged.inconclusive.empty() ? "" : "; ", merged.inconclusive);
}

/// Each result alone says little of objectives that are about all of them.
void judge_again(const LoadResult& first, LoadResult& merged) {
  std::vector<reports::Objective> objectives;
  for (const auto& one : first.objectives) {
    const auto parsed = reports::parse_objectives(one.objective);
    if (parsed) objectives.insert(objectives.end(), parsed->begin(), parsed->end());
  }
  merged.objectives = reports::judge(objectives, merged);
}

}  // namespace

Result<LoadResult> merge(std::span<const LoadResult> runs, std::span<const std::string> names) {
  if (runs.empty()) return Error{"no result to merge"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (const auto checked = check_counts(runs[i], names[i]); !checked) return checked.error();
  }
  if (auto refusal = merge_refusal(runs, names)) return *refusal;
  LoadResult merged;
  merged.header = runs.front().header;
  merged.loop = runs.front().loop;
  merged.depth = runs.front().depth;
  for (const auto& part : {merge_operations(runs, merged), merge_latencies(runs, merged),
                           merge_connections(runs, merged), merge_fan_outs(runs, merged)}) {
    if (!part) return part.error();
  }
  merge_rates(runs, merged);
  merge_traffic(runs, merged);
  merge_errors(runs, merged);
  merge_checks(runs, merged);
  merged.series = merged_series(runs);
  merge_clients(runs, merged);
  merge_slowest(runs, merged);
  describe_merged(runs, merged);
  judge_again(runs.front(), merged);
  return merged;
}

}  // namespace hallmark::loadgen
