#include "loadgen/results/knee.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace hallmark::loadgen {
namespace {

using reports::Knee;
using reports::KneePoint;
using reports::Met;

/// A client that could not say once may have been disturbed.
constexpr int most_attempts = 3;
constexpr double confidence = 0.95;
/// The interval ends so many steps beyond the rates of the sweeps.
constexpr double reach = 5;
constexpr double places_a_step = 10;
/// Steps below the interval at which a longer run is tried yet.
constexpr double below_interval = 2;
/// Steps: steeper slopes cannot be told apart by rates that are a step apart.
constexpr double steepest = 0.05;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

}  // namespace

std::optional<KneeTrial> KneeFinder::next() const {
  switch (phase_) {
    case Phase::bracket: return KneeTrial{"bracket", rate_};
    case Phase::up: return KneeTrial{"up", rate_};
    case Phase::down: return KneeTrial{"down", rate_};
    case Phase::confirm: return KneeTrial{"confirm", rate_};
    case Phase::over: return std::nullopt;
  }
  return std::nullopt;
}

void KneeFinder::take(KneePoint point) {
  const KneeTrial trial = *next();
  point.sweep = trial.sweep;
  point.rate = trial.rate;
  const Met met = point.met;
  knee_.points.push_back(std::move(point));
  if (met == Met::unknown && ++attempts_ < most_attempts) return;
  attempts_ = 0;
  if (phase_ != Phase::confirm)
    trials_.push_back({std::log(trial.rate), met == Met::yes, !after_hold_});
  after_hold_ = met == Met::yes;
  knee_.client_limited = knee_.client_limited || met == Met::unknown;
  switch (phase_) {
    case Phase::bracket: return bracket(met == Met::yes);
    case Phase::up:
    case Phase::down: return sweep(met == Met::yes);
    case Phase::confirm: return confirm(met == Met::yes);
    case Phase::over: return;
  }
}

double KneeFinder::bounded(double rate) const {
  return std::clamp(rate, search_.from, search_.most);
}

void KneeFinder::bracket(bool holds) {
  if (holds) {
    low_ = rate_;
  } else if (!doubted_) {
    doubted_ = true;  // a failure by chance here would cost many runs later
    return;
  } else {
    high_ = rate_;
  }
  if (low_ == 0) {
    phase_ = Phase::over;
  } else if (high_ == 0) {
    if (low_ >= search_.most) return begin_sweeps();
    rate_ = bounded(2 * low_);
  } else if (high_ / low_ > 1 + 2 * search_.step) {
    rate_ = std::sqrt(low_ * high_);
  } else {
    begin_sweeps();
  }
}

void KneeFinder::begin_sweeps() {
  phase_ = Phase::up;
  rate_ = low_;
}

void KneeFinder::sweep(bool holds) {
  ++swept_;
  if (holds) {
    held();
  } else {
    failed();
  }
  // Ends where the target keeps up, if it can: the confirmation is not to find it behind.
  if (swept_ < search_.most_trials && !(holds && swept_enough())) return;
  phase_ = search_.confirm ? Phase::confirm : Phase::over;
  rate_ = found_rate();
}

void KneeFinder::held() {
  if (phase_ == Phase::down) knee_.down.push_back(rate_);
  const bool at_most = rate_ >= search_.most;
  if (at_most && phase_ == Phase::up) knee_.up.push_back(rate_);
  phase_ = Phase::up;
  const double above = rate_ * (1 + search_.step);
  const double known = knee_.up.empty() ? 0 : knee_.up.back() / (1 + search_.step);
  rate_ = bounded(std::max(above, known));
}

void KneeFinder::failed() {
  const double below = rate_ / (1 + search_.step);
  if (phase_ == Phase::up) knee_.up.push_back(bounded(below));
  phase_ = Phase::down;
  const double known = knee_.down.empty() ? HUGE_VAL : knee_.down.back() * (1 + search_.step);
  rate_ = bounded(std::min(below, known));
}

bool KneeFinder::swept_enough() const {
  const bool never_failed = high_ == 0 && knee_.down.empty();
  if (never_failed && knee_.up.size() >= search_.sweeps) return true;
  return swept_ >= search_.least_trials && knee_.up.size() >= search_.sweeps &&
         knee_.down.size() >= search_.sweeps;
}

double KneeFinder::found_rate() const {
  std::vector<double> found = knee_.up;
  found.insert(found.end(), knee_.down.begin(), knee_.down.end());
  return found.empty() ? low_ : median(std::move(found));
}

ThresholdInterval KneeFinder::interval() const {
  double first = std::log(found_rate());
  double last = first;
  for (const ThresholdTrial& trial : std::span(trials_).last(swept_)) {
    first = std::min(first, trial.at);
    last = std::max(last, trial.at);
  }
  const double step = std::log1p(search_.step);
  const double from = first - reach * step;
  const double to = last + reach * step;
  const auto places = static_cast<std::size_t>(places_a_step * (to - from) / step);
  return fit_threshold(trials_, {.confidence = confidence,
                                 .least_width = steepest * step,
                                 .from = from,
                                 .to = to,
                                 .places = places});
}

void KneeFinder::confirm(bool holds) {
  if (holds) knee_.confirmed = rate_;
  rate_ /= 1 + search_.step;
  // A longer run finds more than short ones do: some steps below the interval are tried, too.
  const double least = std::log(search_.step + 1) * below_interval;
  if (holds || std::log(rate_) < interval().low - least) phase_ = Phase::over;
}

Knee KneeFinder::knee() const {
  Knee knee = knee_;
  if (low_ == 0) return knee;
  const ThresholdInterval between = interval();
  knee.rate = found_rate();
  knee.low = std::min(knee.rate, std::exp(between.low));
  knee.high = std::max(knee.rate, std::exp(between.high));
  return knee;
}

}  // namespace hallmark::loadgen
