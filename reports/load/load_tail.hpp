#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "reports/load/latency.hpp"

namespace hallmark::reports {

/// Facts that the system told of a TCP connection when a reply was read (tcp(7), TCP_INFO).
struct TcpFacts {
  std::uint64_t round_trip_us = 0;      ///< smoothed
  std::uint64_t variation_us = 0;       ///< of the round trip
  std::uint64_t congestion_window = 0;  ///< segments
  std::uint64_t unacknowledged = 0;     ///< segments
  std::uint64_t retransmitted = 0;      ///< segments, since it was connected
  bool operator==(const TcpFacts&) const = default;
};

/// One of the slowest requests of a run, with what may explain it. Times are nanoseconds from the
/// start of the run, its warm-up included.
struct SlowRequestFacts {
  std::uint64_t latency_ns = 0;  ///< from the planned send; of a closed loop from the actual one
  std::string operation;
  std::string key;          ///< empty of an operation without
  std::uint64_t index = 0;  ///< in the run
  std::uint64_t connection = 0;
  std::uint64_t place_in_write = 0;  ///< requests before it in the same write
  std::uint64_t place_in_read = 0;   ///< replies before its own in the same read
  std::uint64_t planned_ns = 0, sent_ns = 0, read_ns = 0;
  std::optional<std::uint64_t> kernel_sent_ns = {},
                               kernel_received_ns = {};  ///< if they were asked for
  std::optional<TcpFacts> tcp = {};
  bool operator==(const SlowRequestFacts&) const = default;
};

/// The stages that the requests spent their time in. The four add up to the latency of a request.
struct StageLatencies {
  Latency planned_to_written;              ///< the client's own lag
  Latency written_to_kernel_sent;          ///< until the system gave it to the network
  Latency kernel_sent_to_received;         ///< the network and the target
  Latency kernel_received_to_read;         ///< until the client read the reply
  std::uint64_t without_kernel_times = 0;  ///< requests of which the system told not both
  bool operator==(const StageLatencies&) const = default;
};

}  // namespace hallmark::reports
