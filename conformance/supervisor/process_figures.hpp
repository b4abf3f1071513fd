#pragma once

#include <cstdint>

namespace hallmark::conformance {

/// Figures of all processes of a target at a moment, together.
struct ProcessFigures {
  unsigned process = 0;           ///< its number among those that were started; 0: none runs
  std::uint64_t memory = 0;       ///< bytes that it alone has: without files and shared memory
  std::uint64_t descriptors = 0;  ///< open ones
  std::uint64_t threads = 0;
  std::uint64_t cpu = 0;       ///< ns; user and system time since they were started
  std::uint64_t runnable = 0;  ///< processes with a thread that runs or wants to; if all is exact
  bool operator==(const ProcessFigures&) const = default;
};

/// `quick` takes the memory from counters that may be late by some pages for each core; `exact` has
/// the system go through all pages.
enum class Thoroughness : std::uint8_t { quick, exact };

}  // namespace hallmark::conformance
