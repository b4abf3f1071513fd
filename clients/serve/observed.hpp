#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "clients/judge/coverage.hpp"
#include "clients/judge/request_judge.hpp"
#include "clients/serve/traffic.hpp"

namespace hallmark::clients {

/// A message that an undisturbed server would have sent otherwise.
struct Difference {
  std::uint64_t connection = 0;  ///< as in Message
  std::uint64_t number = 0;      ///< as in Message
  std::string message;           ///< the operation that is answered, or the push
  std::string what;              ///< for people
  base::Bytes request{};         ///< at most `most_kept` bytes, as those below
  base::Bytes expected{};
  base::Bytes sent{};
  bool reached = false;  ///< the client got it

  static constexpr std::size_t most_kept = 512;
};

/// All that a server saw of one run of the client's tests.
struct Observed {
  std::uint64_t connections = 0;
  std::uint64_t requests = 0;
  std::uint64_t changed = 0;  ///< messages that were sent otherwise
  std::uint64_t met = 0;      ///< of these, the ones that reached the client
  /// Those that lie at the client, which has not asked anything since: it may have noticed them.
  std::uint64_t delivered = 0;
  /// The first that reached the client; where none did, the first.
  std::optional<Difference> first{};
  Coverage coverage{};
  std::vector<Breach> breaches{};  ///< of clauses about clients
  Traffic traffic{};               ///< empty unless it was to be kept
  std::string error{};             ///< the server could not go on; empty: it could
};

}  // namespace hallmark::clients
