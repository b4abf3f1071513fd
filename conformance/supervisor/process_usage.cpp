#include "conformance/supervisor/process_usage.hpp"

#include <algorithm>

#include "conformance/supervisor/attendant.hpp"

namespace hallmark::conformance {
namespace {

reports::ProcessUse use_of(const ProcessFigures& figures, std::uint64_t cpu) {
  return {figures.memory, figures.descriptors, figures.threads,
          std::chrono::nanoseconds(static_cast<std::int64_t>(cpu))};
}

}  // namespace

void ProcessUsage::add(const ProcessFigures& figures) {
  if (figures.process == 0) return;
  const std::lock_guard lock(mutex_);
  std::uint64_t& cpu = cpu_[figures.process];
  cpu = std::max(cpu, figures.cpu);
}

std::optional<reports::ProcessUse> ProcessUsage::total(const ProcessFigures& now) const {
  if (now.process == 0) return std::nullopt;
  const std::lock_guard lock(mutex_);
  std::uint64_t cpu = 0;
  for (const auto& [process, used] : cpu_) cpu += used;
  return use_of(now, cpu);
}

std::optional<reports::ProcessUse> use_between(const ProcessFigures& begun,
                                               const ProcessFigures& ended) {
  if (ended.process == 0 || begun.process != ended.process) return std::nullopt;
  return use_of(ended, ended.cpu - std::min(begun.cpu, ended.cpu));
}

ProcessFigures Attendant::measure() {
  const ProcessFigures figures = this->figures(Thoroughness::quick);
  usage_.add(figures);
  return figures;
}

std::optional<reports::ProcessUse> Attendant::use() { return usage_.total(measure()); }

}  // namespace hallmark::conformance
