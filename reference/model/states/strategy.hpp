#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/expected.hpp"
#include "protocol/text/state.hpp"

/// The strategies of the Go rate-limit library: pure functions of the state that a store holds, the
/// time and the configuration.
namespace hallmark::model {

/// Rates are per second.
struct TokenBucket {
  double burst = 1;  ///< tokens at most, and at first
  double rate = 1;
};

struct LeakyBucket {
  double capacity = 1;
  double rate = 1;
};

/// One request each 1e9/rate whole nanoseconds, up to `burst` of them at once.
struct Gcra {
  double burst = 1;
  double rate = 1;
};

struct Quota {
  std::string name;
  std::int64_t limit = 1;
  std::int64_t window = 1;  ///< ns
};

struct FixedWindow {
  std::vector<Quota> quotas;
};

using SingleStrategy = std::variant<TokenBucket, FixedWindow, LeakyBucket, Gcra>;

/// Both must allow a request.
struct Composite {
  SingleStrategy primary;
  SingleStrategy secondary;
};

using Strategy = std::variant<TokenBucket, FixedWindow, LeakyBucket, Gcra, Composite>;

/// Name of the strategy in the dialect's table.
std::string_view name_of(const Strategy& strategy);
std::string_view name_of(const SingleStrategy& strategy);

/// A configuration that can be decided by. Error: one line that says what came and what is
/// expected: rates above 0 and, of GCRA, at most 1e9; bursts and capacities of at least 1, finite;
/// 1 to 8 quotas with different names that their format can hold; limits of at least 0; windows
/// above 0.
base::Result<void> valid(const Strategy& strategy);

struct QuotaResult {
  std::string quota;  ///< `default` where the strategy has but one limit
  bool allowed = false;
  std::int64_t remaining = 0;  ///< requests that would be allowed at once
  /// ns since the epoch. Denied: when one would be allowed. Allowed: when the state comes to rest.
  std::int64_t reset = 0;
};

struct Decision {
  bool allowed = false;
  std::vector<QuotaResult> results;  ///< for a composite: the primary's, then the secondary's
  std::optional<std::string> state;  ///< the state to write; nothing when the request is denied
  std::int64_t expires_in = 0;       ///< ns; meaningful with `state`
};

/// The formulas that decide; see `formulas.hpp`.
class Formulas;
const Formulas& formulas();

/// Decides about one request at `now` (ns since the epoch). `state`: what the store holds; nothing
/// when it holds none. Every format of the strategy is read, the current one is written; a fixed
/// window that names no quota is that of the only one. Precondition: valid(strategy).
/// Error: the state is no state of this strategy; it is not to be overwritten.
base::Expected<Decision, protocol::Malformed> decide(const Strategy& strategy,
                                                     std::optional<std::string_view> state,
                                                     std::int64_t now,
                                                     const Formulas& by = formulas());

/// `decide` by the right formulas, or what stands in its place.
using Decide = std::function<base::Expected<Decision, protocol::Malformed>(
    const Strategy& strategy, std::optional<std::string_view> state, std::int64_t now)>;

}  // namespace hallmark::model
