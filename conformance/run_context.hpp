#pragma once

#include <array>
#include <atomic>
#include <string>

#include "conformance/network.hpp"
#include "conformance/patience.hpp"
#include "conformance/wire_format.hpp"

namespace hallmark::conformance {

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

  /// Set from outside to end the run; null: nobody does.
  const std::atomic<bool>* stop = nullptr;

  bool stopped() const { return stop != nullptr && stop->load(); }

  /// Whether fences can be trusted: found out by the sanity case.
  std::atomic<bool> fences{true};
  /// What the sanity case found to be wrong with the target as a whole; set before other threads
  /// run.
  std::string likely_cause{};
  /// By opcode: the target has answered such a request at least once.
  std::array<std::atomic<bool>, 256> answered{};
  std::atomic<std::uint64_t> serial{0};
};

}  // namespace hallmark::conformance
