#include "loadgen/results/threshold_fit.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <vector>

namespace hallmark::loadgen {
namespace {

/// The share of measurements whose outcome has nothing to do with where they are made.
constexpr double lapses = 0.02;
/// The widest slope that is tried: there, a measurement at twice the place says little.
constexpr double most_width = 0.5;
constexpr double next_width = 1.25;

/// Measurements at one place.
struct Outcomes {
  double held = 0, failed = 0;
};

/// Measurements that have a threshold in common.
class Measurements {
 public:
  Measurements(std::span<const ThresholdTrial> trials, bool recovering) {
    for (const ThresholdTrial& trial : trials) {
      if (trial.recovering != recovering) continue;
      Outcomes& here = by_place_[trial.at];
      (trial.holds ? here.held : here.failed) += 1;
    }
  }

  bool empty() const { return by_place_.empty(); }

  /// The logarithm of the likelihood of a threshold and a slope.
  double likelihood(double threshold, double width) const {
    double sum = 0;
    for (const auto& [at, here] : by_place_) {
      const double holds = lapses + (1 - 2 * lapses) / (1 + std::exp((at - threshold) / width));
      if (here.held > 0) sum += here.held * std::log(holds);
      if (here.failed > 0) sum += here.failed * std::log1p(-holds);
    }
    return sum;
  }

 private:
  std::map<double, Outcomes> by_place_;
};

/// The likelihoods of both thresholds at each place, with the slope and the other threshold that
/// explain most. The one of those that recover is not above the other.
struct Profile {
  std::vector<double> keeping_up, recovering;
};

void include(Profile& profile, const std::vector<double>& keeping_up,
             const std::vector<double>& recovering) {
  const std::size_t places = keeping_up.size();
  double best = -HUGE_VAL;
  for (std::size_t i = 0; i < places; ++i) {
    best = std::max(best, recovering[i]);
    profile.keeping_up[i] = std::max(profile.keeping_up[i], keeping_up[i] + best);
  }
  best = -HUGE_VAL;
  for (std::size_t i = places; i-- > 0;) {
    best = std::max(best, keeping_up[i]);
    profile.recovering[i] = std::max(profile.recovering[i], recovering[i] + best);
  }
}

/// Student's t instead of the normal distribution: the slope is not known either.
double least_likelihood(double most, double confidence, std::size_t trials) {
  const boost::math::students_t student(std::max(2.0, static_cast<double>(trials) - 2));
  const double deviation = boost::math::quantile(student, (1 + confidence) / 2);
  return most - deviation * deviation / 2;
}

}  // namespace

ThresholdInterval fit_threshold(std::span<const ThresholdTrial> trials, const ThresholdFit& fit) {
  const Measurements keeping_up(trials, false);
  const Measurements recovering(trials, true);
  // The threshold of measurements that were not made is that of the others.
  const Measurements& first = keeping_up.empty() ? recovering : keeping_up;
  const Measurements& second = recovering.empty() ? keeping_up : recovering;
  const double step = (fit.to - fit.from) / static_cast<double>(fit.places);
  const auto place = [&](std::size_t i) { return fit.from + static_cast<double>(i) * step; };
  const std::vector<double> impossible(fit.places + 1, -HUGE_VAL);
  Profile profile{impossible, impossible};
  std::vector<double> of_keeping_up(fit.places + 1);
  std::vector<double> of_recovering(fit.places + 1);
  for (double width = fit.least_width; width < most_width; width *= next_width) {
    for (std::size_t i = 0; i <= fit.places; ++i) {
      of_keeping_up[i] = first.likelihood(place(i), width);
      of_recovering[i] = second.likelihood(place(i), width);
    }
    include(profile, of_keeping_up, of_recovering);
  }
  const double most = *std::ranges::max_element(profile.keeping_up);
  const double least = least_likelihood(most, fit.confidence, trials.size());
  const auto likely = [&](double likelihood) { return likelihood >= least; };
  const auto low = std::ranges::find_if(profile.recovering, likely) - profile.recovering.begin();
  const auto high = std::find_if(profile.keeping_up.rbegin(), profile.keeping_up.rend(), likely) -
                    profile.keeping_up.rbegin();
  // The edges are between the last likely places and the next ones.
  return {std::max(fit.from, place(static_cast<std::size_t>(low)) - step),
          std::min(fit.to, place(fit.places - static_cast<std::size_t>(high)) + step)};
}

}  // namespace hallmark::loadgen
