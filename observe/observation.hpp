#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "observe/findings.hpp"

namespace hallmark::observe {

/// Messages of one operation that were decoded.
struct OperationCounts {
  std::string_view name;
  std::uint64_t requests = 0;
  std::uint64_t replies = 0;
};

/// The result of watching the traffic between clients and a target.
struct Observation {
  std::string dialect;
  std::string width;  ///< empty where the dialect has none
  std::string profile;
  std::vector<std::string> readings;  ///< put upon the profile, "reading=answer"
  std::string listen, target;
  std::chrono::sys_time<std::chrono::milliseconds> started{};  ///< UTC
  std::chrono::nanoseconds duration{};

  std::uint64_t connections = 0;            ///< or clients that sent datagrams
  std::uint64_t open = 0;                   ///< of them, those that were open at the end
  std::uint64_t unreachable = 0;            ///< times that the target refused
  std::uint64_t evicted = 0;                ///< clients forgotten to make room for others
  std::array<std::uint64_t, 2> bytes{};     ///< passed on, from clients and from the target
  std::array<std::uint64_t, 2> not_sent{};  ///< datagrams that the system did not take

  std::uint64_t requests = 0;
  std::uint64_t replies = 0;
  std::uint64_t pushes = 0;
  std::vector<OperationCounts> operations;  ///< those that occurred, in the dialect's order

  std::vector<FindingGroup> violations;  ///< in the order in which they first occurred
  /// Findings on connections of which bytes were not looked at: they prove nothing.
  std::uint64_t unclaimed = 0;
  /// Requests that clients did not wait for, and bytes behind a violation: nobody's mistake.
  std::uint64_t consequences = 0;
  /// Passed on, and not looked at, since decoding did not keep up.
  std::uint64_t missed_bytes = 0;
  std::uint64_t missed_connections = 0;

  std::uint64_t violation_count() const;
};

}  // namespace hallmark::observe
