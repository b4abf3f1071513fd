#include "loadgen/process.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

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

CpuTime cpu_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void describe_format(const LoadOptions& options, reports::RunHeader& header) {
  header.dialect = options.workload.readings.dialect().name;
  const bool has_width = options.workload.width != protocol::Width::none;
  if (has_width) header.width = name_of(options.workload.width);
  header.profile = name_of(options.profile);
  header.readings = apart_from(options.profile, options.workload.readings);
  header.target = options.target_text;
  header.started =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace hallmark::loadgen
