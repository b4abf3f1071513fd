#pragma once
#include <cstdint>
#include <string>

#include "reports/load/latency.hpp"

namespace hallmark::reports {

/// The fates of the connections of a run over streams.
struct ConnectionFacts {
  std::uint64_t opened = 0;    ///< for requests and subscribers, replacements included
  std::uint64_t replaced = 0;  ///< as asked
  std::uint64_t lost = 0;      ///< by the target or the network
  std::uint64_t regained = 0;  ///< of those
  std::uint64_t failed = 0;    ///< attempts
  std::uint64_t longest_gap_ns =
      0;               ///< between a loss and its end; of one not regained, the run's end
  Latency connecting;  ///< of the attempts that succeeded
  bool operator==(const ConnectionFacts&) const = default;
};

/// Publications and their deliveries. Those planned in the warm-up are left out.
struct FanOut {
  std::uint64_t subscribers = 0;
  std::uint64_t published = 0;  ///< requests completed
  std::uint64_t expected = 0;   ///< deliveries: one of each publication to each subscriber
  std::uint64_t delivered = 0;
  std::uint64_t unstamped = 0;  ///< deliveries that do not say of which publication they are
  Latency latency;              ///< from the planned send of a publication to its delivery
  bool operator==(const FanOut&) const = default;
};

}  // namespace hallmark::reports
