#include "cli/live/live_load.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "loadgen/results/run_record.hpp"
#include "loadgen/results/summary.hpp"
#include "pages/page.hpp"
#include "reports/json_report.hpp"

namespace hallmark::cli {
namespace {

/// Adding up a whole run takes milliseconds: one part in so many of the time goes into it.
constexpr int most_share_of_totals = 1000;

/// The page keeps its last totals: it gets the seconds that are new.
std::string only_series(const std::string& result) {
  const base::Json whole = base::parse_json(result).value();
  return base::Json{{"format", whole["format"]}, {"series", whole["series"]}}.dump();
}

}  // namespace

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

reports::LoadResult LiveLoad::totals() const {
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
  const Samples& samples = series_.samples();
  const std::uint64_t list = runs_ << 32 | series_.seconds_per_sample();
  // A sample of several seconds goes on growing while it is the last.
  const bool grows = series_.seconds_per_sample() > 1 && seen.entries > 0;
  const bool knows = seen.list == list;
  const std::uint64_t from = knows ? seen.entries - (grows ? 1 : 0) : 0;
  const auto begun = Clock::now();
  const bool with_totals = !knows || begun >= totals_due_;
  const std::string result =
      news_of({samples.begin() + static_cast<std::ptrdiff_t>(from), samples.end()}, with_totals);
  if (with_totals) {
    const auto now = Clock::now();
    totals_due_ = now + most_share_of_totals * (now - begun);
  }
  seen = {list, samples.size(), version_};
  return pages::render_event({.version = HALLMARK_VERSION,
                              .results = {{"load", progress(), result, ""}},
                              .facts = {{"from", from}}});
}

std::string LiveLoad::news_of(Samples samples, bool with_totals) {
  reports::LoadResult result = with_totals ? totals() : reports::LoadResult();
  result.series = std::move(samples);
  const std::string json = reports::render_json(result);
  return with_totals ? json : only_series(json);
}

}  // namespace hallmark::cli
