#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <string>

#include "conformance/drivers/stream/network.hpp"
#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/engine/patience.hpp"

namespace hallmark::conformance {

class Failures;

/// What all cases of a run share. Used by several threads.
struct RunContext {
  Network& network;
  const WireFormat& format;
  Patience& patience;
  /// Part of the names of keys that no other run may use.
  std::string nonce = "0";
  /// Nobody else uses the target.
  bool exclusive = false;
  /// A reply larger than this is malformed.
  std::size_t max_reply_bytes = std::size_t{16} << 20;

  /// Takes what failed; null: nobody cuts it down.
  Failures* failures = nullptr;

  /// Set from outside to end the run; null: nobody does.
  const std::atomic<bool>* stop = nullptr;

  /// The run ends by then, whatever is left to play: for targets that answer, but late.
  Time until = std::numeric_limits<Time>::max();

  /// Why nothing more is asked of a target that was not started here; empty: it is.
  std::string given_up() const {
    const std::lock_guard lock(mutex);
    return why_given_up;
  }
  void give_up(std::string why) {
    const std::lock_guard lock(mutex);
    if (why_given_up.empty()) why_given_up = std::move(why);
  }

  /// ns; a silence that is longer than all replies so far by a large factor. Never more than the
  /// deadline.
  Time suspicion() const {
    constexpr Time least = 500'000'000;
    constexpr Time factor = 64;
    const Time slowness = std::max(least, factor * slowest_reply.load()) - least;
    return std::min(patience.deadline(), least + network.shared(Shared::slowness, slowness));
  }
  /// A reply took so long.
  void note_reply(Time took) {
    Time before = slowest_reply.load();
    while (before < took && !slowest_reply.compare_exchange_weak(before, took)) {
    }
  }

  bool overdue() const { return network.now() >= until; }
  bool stopped() const {
    const bool over = (stop != nullptr && stop->load()) || overdue();
    return network.shared(Shared::stopped, over) != 0;
  }
  /// How long the next wait may be in vain, ns.
  Time allowance(Patience::For what = Patience::For::replies) const {
    const Time full = patience.deadline();
    const Time curtailed = full - patience.allowance(what);
    const Shared number =
        what == Patience::For::replies ? Shared::curtailed : Shared::curtailed_deliveries;
    return full - std::min(full, network.shared(number, curtailed));
  }
  /// Nothing is left for waits in vain.
  bool exhausted() const { return network.shared(Shared::exhausted, patience.exhausted()) != 0; }
  /// No two requests of the run have the same.
  std::uint64_t next_serial() { return network.shared(Shared::serial, ++serial); }

  /// Whether fences can be trusted: found out by the sanity case.
  std::atomic<bool> fences{true};
  /// What the sanity case found to be wrong with the target as a whole; set before other threads
  /// run.
  std::string likely_cause{};
  /// By opcode: the target has answered such a request at least once.
  std::array<std::atomic<bool>, 256> answered{};
  std::atomic<std::uint64_t> serial{0};
  std::atomic<Time> slowest_reply{0};  ///< ns
  mutable std::mutex mutex{};
  std::string why_given_up{};
};

}  // namespace hallmark::conformance
