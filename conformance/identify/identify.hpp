#pragma once

#include <atomic>

#include "conformance/drivers/stream/network.hpp"
#include "conformance/identify/identification.hpp"

namespace hallmark::conformance {

struct IdentifyOptions {
  Time deadline = 2'000'000'000;  ///< ns; for all of it
  std::string nonce;              ///< part of all keys and channels: no other run has it
  /// Set from outside to end it; null: nobody does.
  const std::atomic<bool>* stop = nullptr;
};

/// Finds out dialect, width and the readings of layouts of an endpoint of which nothing is known.
/// Sends documented requests only, with keys and channels of its own, and leaves nothing behind.
/// Judges by layout and behaviour, never by what INFO says of the version.
Identification identify_layouts(Network& network, const IdentifyOptions& options);

/// Like `identify_layouts`, and then finds out the readings of behaviour that documented requests
/// show without waiting. Each other reading has a finding that says why it could not be told.
Identification identify(Network& network, const IdentifyOptions& options);

}  // namespace hallmark::conformance
