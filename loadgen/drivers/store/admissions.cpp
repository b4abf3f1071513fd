#include "loadgen/drivers/store/admissions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hallmark::loadgen::store {
namespace {

std::string reason_of(const oracle::Bound& bound) {
  if (const auto* rate = std::get_if<oracle::RateBound>(&bound.rule)) {
    return fmt::format("{}: at most {:g} at once, and {:g} a second", bound.name, rate->burst,
                       rate->per_second);
  }
  const auto& window = std::get<oracle::WindowBound>(bound.rule);
  return fmt::format("{}: at most {} in {:g} s", bound.name, window.limit,
                     static_cast<double>(window.window_ns) / 1e9);
}

}  // namespace

void AdmissionLane::admitted(Admission admission) {
  const std::scoped_lock lock(mutex_);
  if (untold_.size() < most) {
    untold_.push_back(admission);
  } else {
    ++dropped_;
  }
}

AdmissionJudge::AdmissionJudge(std::vector<oracle::Bound> bounds, std::size_t keys,
                               std::size_t lanes, std::int64_t start_ns)
    : bounds_(std::move(bounds), keys), start_ns_(start_ns) {
  for (std::size_t i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<AdmissionLane>());
}

/// Takes what the lanes have told. Result: nothing that is told later is earlier than that.
std::int64_t AdmissionJudge::collect() {
  std::int64_t not_before = INT64_MAX;
  // Every bound is read before anything is taken: what is told after it is later.
  for (const auto& lane : lanes_) {
    not_before = std::min(not_before, lane->not_before_.load(std::memory_order_acquire));
  }
  for (const auto& lane : lanes_) {
    {
      const std::scoped_lock lock(lane->mutex_);
      taken_.swap(lane->untold_);
      not_judged_ += std::exchange(lane->dropped_, 0);
    }
    const auto room = most_waiting - std::min(most_waiting, waiting_.size());
    const auto kept = std::min(room, taken_.size());
    not_judged_ += taken_.size() - kept;
    waiting_.insert(waiting_.end(), taken_.begin(),
                    taken_.begin() + static_cast<std::ptrdiff_t>(kept));
    taken_.clear();
  }
  return not_before;
}

void AdmissionJudge::judge_before(std::int64_t end_ns) {
  const auto split =
      std::partition(waiting_.begin(), waiting_.end(),
                     [&](const Admission& admission) { return admission.at_ns < end_ns; });
  std::sort(waiting_.begin(), split,
            [](const Admission& a, const Admission& b) { return a.at_ns < b.at_ns; });
  for (auto each = waiting_.begin(); each != split; ++each) {
    const auto exceeded = bounds_.admitted(each->key, each->at_ns);
    ++judged_;
    if (!exceeded) continue;
    ++exceeded_;
    if (findings_.size() < most_findings) findings_.push_back({each->key, *exceeded});
  }
  waiting_.erase(waiting_.begin(), split);
}

void AdmissionJudge::judge() { judge_before(collect()); }

void AdmissionJudge::finish() {
  collect();
  judge_before(INT64_MAX);
}

reports::AdmissionChecks AdmissionJudge::checks(const std::string& prefix) const {
  reports::AdmissionChecks checks{
      .judged = judged_, .not_judged = not_judged_, .exceeded = exceeded_};
  const auto since_start = [&](std::int64_t at_ns) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, at_ns - start_ns_));
  };
  for (const auto& [key, exceeded] : findings_) {
    checks.findings.push_back({.key = fmt::format("{}{}", prefix, key),
                               .from_ns = since_start(exceeded.from_ns),
                               .to_ns = since_start(exceeded.to_ns),
                               .admitted = exceeded.admitted,
                               .allowed = exceeded.allowed,
                               .reason = reason_of(bounds_.bounds()[exceeded.bound])});
  }
  return checks;
}

}  // namespace hallmark::loadgen::store
