#pragma once
#include <cstdint>
#include <functional>

namespace hallmark::distributed {

/// The two clocks of a rank, nanoseconds.
struct Clock {
  std::function<std::int64_t()> steady_ns;  ///< since the machine started
  std::function<std::int64_t()> system_ns;  ///< since 1970

  /// Those of this machine.
  static Clock of_machine();
};

}  // namespace hallmark::distributed
