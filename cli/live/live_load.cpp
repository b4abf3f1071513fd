#include "cli/live/live_load.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "loadgen/results/run_record.hpp"
#include "loadgen/results/summary.hpp"
#include "pages/page.hpp"
#include "reports/json_report.hpp"

namespace hallmark::cli {

void LiveLoad::begin(const loadgen::LoadOptions& options) {
  const std::scoped_lock lock{mutex_};
  ++runs_;
  ++version_;
  planned_ = options.duration;
  measured_s_ = 0;
  described_ = {};
  loadgen::describe(options, described_);
  described_.header.version = HALLMARK_VERSION;
  cpu_before_ = loadgen::cpu_time();
  total_.reset();
  series_ = {};
}

void LiveLoad::add(const reports::SecondSample& sample) {
  const std::scoped_lock lock{mutex_};
  ++version_;
  measured_s_ = static_cast<double>(sample.second) + sample.length_s;
  series_.add(sample);
}

void LiveLoad::add(std::span<const std::string> names, const loadgen::Tally& second) {
  const std::scoped_lock lock{mutex_};
  ++version_;
  names_.assign(names.begin(), names.end());
  if (!total_)
    total_.emplace(second.parts.size(), second.stages != nullptr,
                   described_.loop == reports::LoopKind::open);
  total_->add(second);
}

reports::LoadResult LiveLoad::present() const {
  reports::LoadResult result = described_;
  result.header.duration = std::chrono::nanoseconds(static_cast<std::int64_t>(measured_s_ * 1e9));
  const loadgen::CpuTime cpu = loadgen::cpu_time();
  result.cpu_user_seconds = cpu.user - cpu_before_.user;
  result.cpu_system_seconds = cpu.system - cpu_before_.system;
  if (!total_) return result;
  loadgen::summarise(*total_, names_, result, loadgen::OfOperations::quantiles);
  if (total_->stages) result.stages = loadgen::stages_of(*total_->stages);
  if (measured_s_ > 0)
    result.rate_achieved = static_cast<double>(result.counts.completed) / measured_s_;
  return result;
}

std::string LiveLoad::progress() const {
  const std::string run = runs_ > 1 ? fmt::format("run {}: ", base::grouped(runs_)) : "";
  return fmt::format("RUNNING  {}{:.0f} s of {}", run, measured_s_, base::human_duration(planned_));
}

std::optional<std::string> LiveLoad::news(LivePosition& seen) {
  const std::scoped_lock lock{mutex_};
  if (runs_ == 0 || seen.version == version_) return std::nullopt;
  const std::vector<reports::SecondSample>& samples = series_.samples();
  const std::uint64_t list = runs_ << 32 | series_.seconds_per_sample();
  // Where samples are several seconds long, the last one goes on growing.
  const bool grows = series_.seconds_per_sample() > 1 && seen.entries > 0;
  const std::uint64_t from = seen.list == list ? seen.entries - (grows ? 1 : 0) : 0;
  reports::LoadResult result = present();
  result.series.assign(samples.begin() + static_cast<std::ptrdiff_t>(from), samples.end());
  seen = {list, samples.size(), version_};
  return pages::render_event({.version = HALLMARK_VERSION,
                              .results = {{"load", progress(), reports::render_json(result), ""}},
                              .facts = {{"from", from}}});
}

}  // namespace hallmark::cli
