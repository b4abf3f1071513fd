#include "loadgen/arrivals/anderson_darling.hpp"

#include <algorithm>
#include <cmath>

namespace hallmark::loadgen {
namespace {

/// The least argument of a logarithm. A value that is surely too far off counts as this far off;
/// the logarithm of 0 would say nothing more.
constexpr double least = 1e-300;

/// The limiting distribution of the statistic: the probability of a value below `z`.
double below(double z) {
  if (z <= 0) return 0;
  if (z < 2) {
    constexpr double c[] = {2.00012, .247105, -.0649821, .0347962, -.011672, .00168691};
    double sum = 0;
    for (std::size_t i = std::size(c); i != 0; --i) sum = c[i - 1] + sum * z;
    return std::exp(-1.2337141 / z) / std::sqrt(z) * sum;
  }
  constexpr double c[] = {1.0776, -2.30695, .43424, -.082433, .008056, -.0003146};
  double sum = 0;
  for (std::size_t i = std::size(c); i != 0; --i) sum = c[i - 1] + sum * z;
  return std::exp(-std::exp(sum));
}

}  // namespace

AndersonDarling anderson_darling(std::vector<double> uniform) {
  std::ranges::sort(uniform);
  const std::size_t n = uniform.size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double low = std::log(std::max(uniform[i], least));
    const double high = std::log(std::max(1 - uniform[n - 1 - i], least));
    sum += static_cast<double>(2 * i + 1) * (low + high);
  }
  const double statistic = -static_cast<double>(n) - sum / static_cast<double>(n);
  // The approximation fails only where no true process comes: A² of 30 is beyond 1e-13.
  const double p = statistic > 30 ? 0 : std::clamp(1 - below(statistic), 0.0, 1.0);
  return {statistic, p};
}

}  // namespace hallmark::loadgen
