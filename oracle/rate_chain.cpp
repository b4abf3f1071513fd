#include "oracle/rate_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/nanoseconds.hpp"
#include "oracle/admission_bound.hpp"

namespace hallmark::oracle {
namespace {

/// The distance that an estimator assumes between two uses at one time, as the released one does.
constexpr double least_distance_ns = 1;
constexpr double half_ulp = std::numeric_limits<double>::epsilon() / 2;

}  // namespace

// A server computes 1 - exp(-x) from a rounded exp(-x): for an x as small as 1 ns / period the
// quotient by x is off by half_ulp / x. Four times that covers the other roundings of a step.
// On the low side a use at the time of the one before it counts as 1 ns later.
RateChain::RateChain(Side side, double period_seconds)
    : period_ns_(period_seconds * base::ns_per_second),
      rounding_(4 * half_ulp * period_ns_ / least_distance_ns),
      widening_(1 + 32 * half_ulp) {
  if (side == Side::high) return;
  rounding_ = -rounding_;
  widening_ = 1 - 32 * half_ulp - least_distance_ns / period_ns_;
}

void RateChain::add(std::int64_t at_ns) {
  const std::int64_t at = empty_ ? at_ns : std::max(at_ns, last_ns_);
  rate_ = rate_at(at);
  last_ns_ = at;
  empty_ = false;
}

void RateChain::forget_history() {
  rate_ = std::numeric_limits<double>::infinity();
  last_ns_ = std::numeric_limits<std::int64_t>::min() / 2;
  empty_ = false;
}

double RateChain::left_at(std::int64_t at_ns) const {
  if (empty_) return 0;
  if (std::isinf(rate_)) return rate_;
  return outwards(rate_ * std::exp(-static_cast<double>(at_ns - last_ns_) / period_ns_));
}

double RateChain::rate_at(std::int64_t at_ns) const {
  if (empty_) return 0;
  const double x = static_cast<double>(std::max<std::int64_t>(0, at_ns - last_ns_)) / period_ns_;
  return outwards(added_by(x)) + left_at(at_ns);
}

double RateChain::added_by(double x) const {
  const double exact = x > 0 ? -std::expm1(-x) / x : 1.0;
  return std::max(0.0, exact + rounding_);
}

}  // namespace hallmark::oracle
