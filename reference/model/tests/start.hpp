#pragma once
#include "base/nanoseconds.hpp"
#include "reference/model/time.hpp"

namespace hallmark::model {

/// The time at which tests of the model begin: the first nanosecond of a minute and of a bucket of
/// UseStatistics.
inline constexpr Time start = 1'800'000'000 * base::second_ns;

}  // namespace hallmark::model
