#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "audit/finding.hpp"

namespace hallmark::audit::test {

/// 2025-10-31, in nanoseconds since the epoch.
inline constexpr std::int64_t now = 1'761'884'055'342'794'596;

/// An entry with all that is wrong with it.
struct Planted {
  std::string name;  ///< of the test row
  std::string key;
  std::string text;
  std::vector<Finding> findings;  ///< without their reasons
};

/// Every sort of fault, in every strategy that can have it.
std::vector<Planted> planted();

/// A state with nothing wrong: the format goes round with `number`, old ones included.
std::string healthy(std::uint64_t number);

/// The number of formats that `healthy` cycles through.
inline constexpr std::uint64_t healthy_formats = 12;

}  // namespace hallmark::audit::test
