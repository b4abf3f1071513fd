#pragma once

#include <optional>

#include "conformance/identify/clue.hpp"
#include "conformance/identify/line.hpp"
#include "protocol/dialect.hpp"

namespace hallmark::conformance {

/// The result of the first exchanges with a target of which nothing is known.
struct Contact {
  std::string unreachable;  ///< one line; empty: there is a connection
  std::string stranger;     ///< one line that says why it is no Throttr; empty: it is one
  /// Its dialect if that is clear already: 2.0, or null for any of the later ones.
  const protocol::Dialect* dialect = nullptr;
  protocol::Width width = protocol::Width::u64;
  std::string_view purge_missing;  ///< the answer to that reading, where the width told it
  std::vector<Finding> findings;

  bool throttr() const { return unreachable.empty() && stranger.empty(); }
};

/// Tells 2.0 from the later dialects by a QUERY that is whole in all of them; then the width, by an
/// INSERT that is whole at each and the PURGEs of the keys that it can have made; then stores one
/// counter, asks for it and removes it. `nonce` is part of all keys. Waits as a `Line`.
Contact make_contact(Network& network, Time until, const std::string& nonce,
                     const std::atomic<bool>* stop);

}  // namespace hallmark::conformance
