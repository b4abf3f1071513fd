#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/load/met.hpp"

namespace hallmark::reports {

/// The test that requests left as a Poisson process of the requested rate would have them leave: an
/// Anderson-Darling test of the time over `span` arrivals, in a sample of `spans`.
struct ProcessTest {
  Met as_asked = Met::unknown;  ///< unknown: no Poisson arrivals, or too few to say
  std::uint64_t span = 0;
  std::uint64_t spans = 0;
  double statistic = 0;  ///< A²
  double p_value = 0;    ///< the probability that a Poisson process is at least so far off
  bool operator==(const ProcessTest&) const = default;
};

/// The punctuality of the requests, and the process by which they were to leave.
struct ScheduleCertificate {
  std::string arrivals;             ///< "constant", "poisson", "replay"
  std::uint64_t lag_bound_ns = 0;   ///< 99 % are to leave within so much of their plan
  double late_share = 0;            ///< of those sent: later than that
  std::optional<ProcessTest> test;  ///< of Poisson arrivals
  bool operator==(const ScheduleCertificate&) const = default;
};

/// The shares of its life that a thread that sends and receives spent in each state.
struct ThreadShares {
  double busy = 0;    ///< it ran
  double waited = 0;  ///< it could have run, and the system ran something else
  bool operator==(const ThreadShares&) const = default;
};

/// Facts that the system tells of the sockets, read back from all of them once they are connected.
struct SocketFacts {
  std::uint64_t count = 0;
  bool no_delay = false;  ///< TCP_NODELAY on each; always false of a Unix socket
  bool tcp = false;
  std::uint64_t send_buffer_bytes = 0;     ///< SO_SNDBUF, the least
  std::uint64_t receive_buffer_bytes = 0;  ///< SO_RCVBUF, the least
  bool operator==(const SocketFacts&) const = default;
};

/// The client's own effect on the numbers of a run.
struct LoadClient {
  std::vector<ThreadShares> threads;
  double stolen_share = 0;  ///< of the processors' time: by the host of the machine
  double throttled_s = 0;   ///< seconds: the quota of the client's cgroup was used up
  std::optional<ScheduleCertificate> schedule;  ///< of an open loop
  std::optional<SocketFacts> sockets;           ///< of streams
  std::vector<std::string> taints;  ///< one line each: why the numbers may show the client
  bool operator==(const LoadClient&) const = default;
};

}  // namespace hallmark::reports
