#pragma once
#include <cstdint>

#include "loadgen/arrivals/schedule.hpp"

namespace hallmark::loadgen {

/// So many nanoseconds before a request is due its worker stops sleeping and looks at the clock
/// instead: the best timer of a machine wakes a thread some 50 us late (docs/performance.md). At
/// most a tenth of a core is spent on it, so the higher the rate the less.
std::int64_t awake_before_ns(const SchedulePlan& plan, std::uint32_t workers);

}  // namespace hallmark::loadgen
