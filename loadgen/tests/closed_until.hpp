#pragma once

#include <chrono>
#include <stop_token>

#include "loadgen/engine/run.hpp"

namespace hallmark::loadgen {

/// The run as a closed loop that lasts until `ending` is asked for, a minute at most: a slow
/// machine reaches no rate.
inline LoadOptions closed_until(const std::stop_source& ending, LoadOptions options) {
  options.closed = true;
  options.duration = std::chrono::minutes(1);
  options.stop = ending.get_token();
  return options;
}

}  // namespace hallmark::loadgen
