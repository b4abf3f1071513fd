#pragma once
#include <string>

#include "base/error.hpp"
#include "loadgen/arrivals/schedule.hpp"

namespace hallmark::loadgen {

/// Reads when requests arrived: a line each, which starts with a time in seconds such as `0.25` or
/// `1763776000.123456789`, ascending; what follows it behind a comma or a blank is skipped, as are
/// empty lines and those that start with #. Times count from the first of them.
/// Errors: one line with file and line number.
base::Result<ArrivalTimes> read_arrival_times(const std::string& path);

}  // namespace hallmark::loadgen
