#include "loadgen/engine/pacing.hpp"

#include <algorithm>

namespace hallmark::loadgen {
namespace {

constexpr double most_ns = 80'000;
constexpr double share_of_core = 0.1;

/// Requests per second, where they are the most.
double rate_of(const SchedulePlan& plan) {
  if (plan.arrivals != Arrivals::replay) return plan.rate.highest();
  return static_cast<double>(plan.times->size()) * 1e9 / static_cast<double>(plan.duration_ns);
}

}  // namespace

std::int64_t awake_before_ns(const SchedulePlan& plan, std::uint32_t workers) {
  const double own = rate_of(plan) / workers;
  if (!(own > 0)) return 0;
  return static_cast<std::int64_t>(std::min(most_ns, share_of_core * 1e9 / own));
}

}  // namespace hallmark::loadgen
