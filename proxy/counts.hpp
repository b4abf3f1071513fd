#pragma once
#include <cstdint>

namespace hallmark::proxy {

/// Losses of the proxy itself, which no fault asked for.
struct Discarded {
  std::uint64_t held_limit = 0;   ///< more was to be held than is allowed
  std::uint64_t flow_closed = 0;  ///< its flow was closed, or none could be opened for it
  std::uint64_t not_sent = 0;     ///< the system did not take it

  std::uint64_t all() const { return held_limit + flow_closed + not_sent; }
  friend bool operator==(const Discarded&, const Discarded&) = default;
};

/// The ends of the datagrams of one direction. At every moment `conserved` holds.
struct Counts {
  std::uint64_t received = 0;
  std::uint64_t duplicated = 0;  ///< copies made
  std::uint64_t forwarded = 0;   ///< sent on, copies included
  std::uint64_t dropped = 0;     ///< by the fault
  Discarded discarded{};
  std::uint64_t held = 0;  ///< still to be sent

  /// Not apart from those above: each is a forwarded, discarded or held one.
  std::uint64_t delayed = 0;
  std::uint64_t held_back = 0;  ///< by the reorder fault
  std::uint64_t reordered = 0;  ///< sent after a later one (RFC 4737), by whatever fault; no copies
  std::uint64_t corrupted = 0;
  std::uint64_t truncated = 0;
  /// ICMP messages that what was forwarded has met with: nobody listened there.
  std::uint64_t refused = 0;
  /// Arrived at this machine, but the system had no room for it before the proxy read it; not in
  /// `received`.
  std::uint64_t missed = 0;

  bool conserved() const {
    return received + duplicated == forwarded + dropped + discarded.all() + held;
  }
  friend bool operator==(const Counts&, const Counts&) = default;
};

}  // namespace hallmark::proxy
