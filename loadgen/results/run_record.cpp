#include "loadgen/results/run_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nanoseconds.hpp"
#include "loadgen/results/run_identity.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

/// The answers that are not those of the profile.
std::vector<std::string> apart_from(protocol::Profile profile, const protocol::Readings& readings) {
  const protocol::Readings usual{readings.dialect(), profile};
  std::vector<std::string> others;
  for (const protocol::Reading& reading : readings.dialect().readings) {
    const auto answer = readings.answer(reading);
    if (answer != usual.answer(reading)) {
      others.push_back(fmt::format("{}={}", reading.id, answer));
    }
  }
  return others;
}

}  // namespace

std::uint32_t own_connections(const LoadOptions& options) {
  if (!options.share) return options.connections;
  const Share& share = *options.share;
  return (options.connections - share.number + share.of - 1) / share.of;
}

std::uint32_t worker_count(const LoadOptions& options) {
  return std::max(1U, std::min(options.threads, own_connections(options)));
}

SchedulePlan schedule_of(const LoadOptions& options) {
  return {.arrivals = options.arrivals,
          .rate = options.rate.after(options.warmup),
          .duration_ns = (options.warmup + options.duration).count(),
          .connections = options.connections,
          .seed = options.workload.seed,
          .times = options.times};
}

double highest_rate(const LoadOptions& options) {
  if (options.arrivals != Arrivals::replay) return options.rate.highest();
  const ArrivalTimes& times = *options.times;
  std::size_t most = 0;
  for (std::size_t first = 0, i = 0; i < times.size(); ++i) {
    while (times[i] - times[first] >= base::second_ns) ++first;
    most = std::max(most, i - first + 1);
  }
  return static_cast<double>(most);
}

namespace {

/// The mean rate of the measured part.
double rate_asked(const LoadOptions& options) {
  const auto duration = static_cast<double>(options.duration.count());
  if (options.arrivals != Arrivals::replay)
    return options.rate.requests_by(duration) * base::ns_per_second / duration;
  const auto end = std::ranges::lower_bound(*options.times, options.duration.count());
  return static_cast<double>(end - options.times->begin()) * base::ns_per_second / duration;
}

}  // namespace

void describe(const LoadOptions& options, reports::LoadResult& result) {
  reports::RunHeader& header = result.header;
  header.dialect = options.workload.readings.dialect().name;
  const bool has_width = options.workload.width != protocol::Width::none;
  if (has_width) header.width = name_of(options.workload.width);
  header.profile = name_of(options.profile);
  header.readings = apart_from(options.profile, options.workload.readings);
  header.target = options.target_text;
  header.started =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  result.run = identity_of(options, header.started);
  const auto add = [&](std::string name, const auto& value) {
    header.options.push_back({std::move(name), fmt::format("{}", value)});
  };
  add("mix", options.workload.mix);
  if (!options.closed) add("arrivals", name_of(options.arrivals));
  if (!options.times_name.empty()) add("replay", options.times_name);
  const bool varies = !options.closed && options.arrivals != Arrivals::replay;
  if (varies && !options.rate.constant()) add("rate", options.rate.text());
  add("connections", options.connections);
  add("threads", worker_count(options));
  if (options.most_in_flight != 0) add("max-in-flight", options.most_in_flight);
  if (options.pinned) add("pin", true);
  if (options.spinning) add("spin", true);
  if (!options.sources.empty()) add("from", fmt::format("{}", fmt::join(options.sources, ", ")));
  result.loop = options.closed ? reports::LoopKind::closed : reports::LoopKind::open;
  result.depth = options.closed ? options.depth : 0;
  if (options.share)
    add("share", fmt::format("{}/{}", options.share->number + 1, options.share->of));
  if (!options.closed)
    result.rate_asked = rate_asked(options) * own_connections(options) / options.connections;
}

void certify_schedule(const LoadOptions& options, const Tally& total,
                      std::span<const DepartureLog* const> departures,
                      reports::LoadResult& result) {
  reports::LoadClient& client = *result.client;
  client.schedule =
      certificate_of(schedule_of(options), options.lag_bound.count(), total, departures);
  client.taints = taints_of(client, options.spinning);
  if (result.inconclusive.empty())
    result.inconclusive = fmt::format("{}", fmt::join(client.taints, "; "));
}

void conclude(SecondLog& log, const std::vector<std::string>& names, std::int64_t measured_ns,
              const CpuTime& cpu_before, reports::LoadResult& result) {
  const CpuTime cpu = cpu_time();
  result.cpu_user_seconds = cpu.user - cpu_before.user;
  result.cpu_system_seconds = cpu.system - cpu_before.system;
  const double seconds = static_cast<double>(measured_ns) / base::ns_per_second;
  log.close(seconds);
  summarise(log.total(), names, result);
  result.series = log.samples();
  result.header.duration = std::chrono::nanoseconds{std::max<std::int64_t>(0, measured_ns)};
  const std::uint64_t in_time = result.counts.completed - log.total().drained();
  result.rate_achieved = seconds > 0 ? static_cast<double>(in_time) / seconds : 0.0;
}

}  // namespace hallmark::loadgen
