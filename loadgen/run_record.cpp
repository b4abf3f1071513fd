#include "loadgen/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "loadgen/summary.hpp"

namespace hallmark::loadgen {
namespace {

/// The answers that are not those of the profile.
std::vector<std::string> apart_from(protocol::Profile profile, const protocol::Readings& readings) {
  const protocol::Readings usual{readings.dialect(), profile};
  std::vector<std::string> others;
  for (const protocol::Reading& reading : readings.dialect().readings) {
    const auto answer = readings.answer(reading.id);
    if (answer != usual.answer(reading.id)) {
      others.push_back(fmt::format("{}={}", reading.id, answer));
    }
  }
  return others;
}

}  // namespace

std::uint32_t worker_count(const LoadOptions& options) {
  return std::max(1U, std::min(options.threads, options.connections));
}

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
  const auto add = [&](std::string name, const auto& value) {
    header.options.push_back({std::move(name), fmt::format("{}", value)});
  };
  add("mix", options.workload.mix);
  if (!options.closed)
    add("arrivals", options.arrivals == Arrivals::poisson ? "poisson" : "constant");
  add("connections", options.connections);
  add("threads", worker_count(options));
  result.loop = options.closed ? reports::LoopKind::closed : reports::LoopKind::open;
  result.depth = options.closed ? options.depth : 0;
  if (!options.closed) result.rate_asked = options.rate;
}

void conclude(SecondLog& log, const std::vector<std::string>& names, std::int64_t measured_ns,
              const CpuTime& cpu_before, reports::LoadResult& result) {
  const CpuTime cpu = cpu_time();
  result.cpu_user_seconds = cpu.user - cpu_before.user;
  result.cpu_system_seconds = cpu.system - cpu_before.system;
  const double seconds = static_cast<double>(measured_ns) / 1e9;
  log.close(seconds);
  summarise(log.total(), names, result);
  result.series = log.samples();
  result.header.duration = std::chrono::nanoseconds{std::max<std::int64_t>(0, measured_ns)};
  result.rate_achieved = seconds > 0 ? static_cast<double>(result.counts.completed) / seconds : 0.0;
}

}  // namespace hallmark::loadgen
