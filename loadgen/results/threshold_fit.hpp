#pragma once
#include <span>

namespace hallmark::loadgen {

/// One measurement that held or did not.
struct ThresholdTrial {
  double at = 0;  ///< the place of the trial, such as the logarithm of a rate
  bool holds = false;
  bool recovering = false;  ///< made after one that did not hold
};

/// The rate at which measurements begin to fail.
struct ThresholdInterval {
  double low = 0, high = 0;
};

/// The parameters of the search for a threshold.
struct ThresholdFit {
  double confidence = 0.95;    ///< of the interval, 0 to 1
  double least_width = 0.001;  ///< of the steepest slope that is told apart, above 0
  double from = 0, to = 0;     ///< the interval lies between these
  std::size_t places = 200;    ///< that are tried between them
};

/// The place below which measurements rather hold and above which they rather fail, as an interval
/// by the profile likelihood of a psychometric function: a logistic one, whose slope is fitted,
/// with a few measurements that are due to chance wherever they are made (Wichmann and Hill: The
/// psychometric function I, Perception & Psychophysics 63, 2001). Measurements that were made after
/// a failure may have a lower threshold than the others; the interval covers both. Outcomes may
/// decide where the next measurement is made.
ThresholdInterval fit_threshold(std::span<const ThresholdTrial> trials, const ThresholdFit& fit);

}  // namespace hallmark::loadgen
