#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

#include "loadgen/arrivals/departures.hpp"
#include "loadgen/client/client_use.hpp"
#include "loadgen/results/tally.hpp"
#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// Watches the client of a run: what it was given of the machine, and whether its requests left as
/// they were planned.
class ClientMeter {
 public:
  /// Adds a place for the use of one more thread, to be filled in before the thread is joined.
  /// Stays valid.
  ThreadUse& thread() { return threads_.emplace_back(); }

  /// The run begins now.
  void begin() { before_ = machine_use(), begun_ = std::chrono::steady_clock::now(); }

  /// All threads have been joined.
  reports::LoadClient told() const;

 private:
  std::deque<ThreadUse> threads_;
  MachineUse before_;
  std::chrono::steady_clock::time_point begun_;
};

/// Certifies how punctual the client of an open loop was, all of whose lag is the client's own.
/// `logs`: the samples of the departures.
reports::ScheduleCertificate certificate_of(const SchedulePlan& plan, std::int64_t lag_bound_ns,
                                            const Tally& total,
                                            std::span<const DepartureLog* const> logs);

/// Why an open loop shows the client and not the target, one line each. `spinning`: its threads
/// never sleep, so that they are busy says nothing.
std::vector<std::string> taints_of(const reports::LoadClient& client, bool spinning = false);

}  // namespace hallmark::loadgen
