#include "loadgen/results/knee.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace hallmark::loadgen {
namespace {

using reports::Knee;
using reports::KneePoint;
using reports::Met;

/// Steps of a sweep on either side of what was found before.
constexpr int reach = 4;
/// A client that could not say once may have been disturbed.
constexpr int attempts = 3;
constexpr double confidence = 0.95;

class Finder {
 public:
  Finder(const KneeSearch& search, const Probe& probe, const std::function<bool()>& goes_on)
      : search_(search), probe_(probe), goes_on_(goes_on) {}

  Knee find() {
    const double around = bracket();
    for (unsigned i = 0; around > 0 && i < search_.sweeps; ++i) {
      sweep_up(around);
      sweep_down(around);
    }
    if (around > 0) conclude(around);
    knee_.interrupted = !goes_on_();
    return std::move(knee_);
  }

 private:
  bool holds(const char* sweep, double rate) {
    Met met = Met::unknown;
    for (int attempt = 0; attempt < attempts && met == Met::unknown && goes_on_(); ++attempt) {
      KneePoint point = probe_(rate);
      point.sweep = sweep;
      point.rate = rate;
      met = point.met;
      knee_.points.push_back(std::move(point));
    }
    knee_.client_limited = knee_.client_limited || met == Met::unknown;
    return met == Met::yes;
  }

  /// About where it is; 0: nothing holds.
  double bracket() {
    double low = 0;
    double high = search_.from;
    while (goes_on_() && holds("bracket", high)) {
      low = high;
      if (high >= search_.most) return low;
      high = std::min(2 * high, search_.most);
    }
    if (low == 0) return 0;
    while (goes_on_() && high / low > 1 + 2 * search_.step) {
      const double middle = std::sqrt(low * high);
      (holds("bracket", middle) ? low : high) = middle;
    }
    return low;
  }

  double at(double around, int steps) const {
    return std::clamp(around * std::pow(1 + search_.step, steps), search_.from, search_.most);
  }

  void sweep_up(double around) {
    double best = 0;
    for (int i = -reach; i <= reach && goes_on_(); ++i) {
      const double rate = at(around, i);
      if (rate == best) break;
      if (!holds("up", rate)) break;
      best = rate;
    }
    if (goes_on_()) knee_.up.push_back(best);
  }

  void sweep_down(double around) {
    double last = 0;
    for (int i = reach; i >= -reach && goes_on_(); --i) {
      const double rate = at(around, i);
      if (rate == last) continue;
      last = rate;
      if (!holds("down", rate)) continue;
      knee_.down.push_back(rate);
      return;
    }
    if (goes_on_()) knee_.down.push_back(0);
  }

  void conclude(double around) {
    std::vector<double> logs;
    for (const auto* sweeps : {&knee_.up, &knee_.down}) {
      // A sweep in which nothing held says that it is below all of its rates.
      for (const double rate : *sweeps)
        logs.push_back(std::log(rate > 0 ? rate : at(around, -reach - 1)));
    }
    if (logs.empty()) logs.push_back(std::log(around));
    std::ranges::sort(logs);
    const auto n = static_cast<double>(logs.size());
    const double median = (logs[(logs.size() - 1) / 2] + logs[logs.size() / 2]) / 2;
    double mean = 0;
    for (const double one : logs) mean += one / n;
    double variance = 0;
    for (const double one : logs) variance += (one - mean) * (one - mean) / std::max(1.0, n - 1);
    double wide = std::log1p(search_.step) / 2;
    if (logs.size() > 1) {
      const boost::math::students_t student(n - 1);
      wide += boost::math::quantile(student, (1 + confidence) / 2) * std::sqrt(variance / n);
    }
    knee_.rate = std::exp(median);
    knee_.low = std::exp(mean - wide);
    knee_.high = std::exp(mean + wide);
  }

  const KneeSearch& search_;
  const Probe& probe_;
  const std::function<bool()>& goes_on_;
  Knee knee_;
};

}  // namespace

Knee find_knee(const KneeSearch& search, const Probe& probe, const std::function<bool()>& goes_on) {
  return Finder(search, probe, goes_on).find();
}

}  // namespace hallmark::loadgen
