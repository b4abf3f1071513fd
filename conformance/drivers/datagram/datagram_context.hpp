#pragma once

#include <atomic>
#include <limits>
#include <string>

#include "conformance/drivers/datagram/datagram_network.hpp"
#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/engine/patience.hpp"

namespace hallmark::conformance {

/// Counts what became of the datagrams of a run. They show what the path to the target does to
/// them.
struct PathRecord {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t unanswered = 0;  ///< given up for lost
  std::uint64_t duplicates = 0;  ///< further replies to a request that has its reply
  std::uint64_t late = 0;        ///< replies to requests given up for lost
  std::uint64_t pings = 0;
  std::uint64_t pings_lost = 0;  ///< pings that got lost, or their replies

  void note_pings(unsigned count, unsigned lost) {
    pings += count;
    pings_lost += lost;
  }

  /// Chance that a request or its reply gets lost, by the pings: what a target leaves unanswered on
  /// purpose is not among them.
  double loss() const {
    return pings == 0 ? 0 : static_cast<double>(pings_lost) / static_cast<double>(pings);
  }
  /// The same had one ping more been sent, and lost.
  double loss_with_one_more() const {
    return static_cast<double>(pings_lost + 1) / static_cast<double>(pings + 1);
  }

  /// True if nothing that was sent got lost, doubled or delayed: what is wrong is the target's
  /// doing.
  bool clean() const { return unanswered == 0 && duplicates == 0 && late == 0; }
};

/// The state that all cases of a run share.
struct DatagramContext {
  DatagramNetwork& network;
  /// The format that the target is held to; outlives all that was sent under it.
  const WireFormat* format;
  Patience& patience;
  /// Part of the names of keys that no other run may use.
  std::string nonce = "0";
  /// Nobody else uses the target.
  bool exclusive = false;
  /// Set from outside to end the run; null: nobody does.
  const std::atomic<bool>* stop = nullptr;
  /// The run ends by then, whatever is left to play.
  Time until = std::numeric_limits<Time>::max();

  PathRecord path{};
  /// The longest time that a ping took; paces what is sent again.
  Time round_trip = 0;
  std::uint64_t serial = 0;     ///< the last serial number of a request id
  std::uint64_t rule_keys = 0;  ///< numbers of keys that were made of rules

  bool overdue() const { return network.now() >= until; }
  bool stopped() const { return network.is_over((stop != nullptr && stop->load()) || overdue()); }
  /// The target is a process that can be started afresh.
  bool started_here() const { return network.supervisor() != nullptr; }
};

}  // namespace hallmark::conformance
