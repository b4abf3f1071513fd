#pragma once

#include <optional>

#include "conformance/drivers/adapter/adapter_case.hpp"

/// Random requests to one key, whose state is what the adapter last gave for it.
namespace hallmark::conformance {

/// The most that a limit admits, whatever is asked and whenever.
struct AdmissionBound {
  std::int64_t burst;           ///< at once; of a fixed window: in one window
  std::int64_t per_second = 0;  ///< and steadily; a divisor of 1e9, for exact intervals
  std::int64_t window = 0;      ///< ns; of a fixed window

  /// The most requests in any `span` ns.
  std::int64_t most_in(std::int64_t span) const;
};

/// A configuration that was drawn, and what follows from it without deciding anything.
struct WalkConfiguration {
  std::string strategy;
  std::vector<std::string> parts;  ///< the strategies of a composite
  base::Json json;
  std::vector<std::string> quotas;     ///< names in the results, in their order
  std::vector<AdmissionBound> bounds;  ///< one for each of them
  std::int64_t interval = 0;           ///< ns; in which something changes
  std::int64_t rest = 0;               ///< ns; after which any state is as none
  /// A leaky bucket counts requests that have leaked in part as remaining.
  bool leaks = false;

  /// The formats in which its states are written.
  std::vector<std::string> formats() const;
};

WalkConfiguration draw_configuration(AdapterTrial& trial, std::string_view strategy);

struct WalkResult {
  std::string quota;
  bool allowed;
  std::int64_t remaining;
  std::int64_t reset;
};

/// An answer to decide.
struct WalkDecision {
  bool allowed = false;
  std::vector<WalkResult> results;
  base::Json state;                           ///< a text, or null
  std::optional<std::int64_t> expires_in_ms;  ///< an adapter need not tell it
  std::int64_t least_remaining() const;
};

class Walk {
 public:
  /// Steps of one walk.
  static constexpr int length = 120;

  Walk(AdapterTrial& trial, std::string_view strategy);

  const WalkConfiguration& configuration() const { return configuration_; }
  std::int64_t now() const { return now_; }
  const base::Json& state() const { return state_; }

  base::Json request(const base::Json& state, std::int64_t now) const;

  /// Decides for any state and time, beside the walk. Ends the case where the answer is incomplete
  /// or contradicts itself: results for each quota in order, numbers in strings, allowed only if
  /// all of them allow, from none to the limit remaining, a reset that is not over where denied.
  WalkDecision decide(const base::Json& state, std::int64_t now);

  /// Time passes, often none; then a request. What it wrote is the state from now on.
  WalkDecision step();

  /// Ends the case as failed, and says where the walk was.
  [[noreturn]] void fail(const std::string& reason) const;
  /// Like `fail`, for a reason that quotes states: `promise` is what does not hold.
  [[noreturn]] void fail(std::string promise, const std::string& reason) const;

  AdapterTrial& trial() { return trial_; }

 private:
  WalkDecision read(const base::Json& answer, std::int64_t now) const;
  WalkResult read_result(const base::Json& result, std::size_t index, std::int64_t now) const;
  void pass_time();

  AdapterTrial& trial_;
  WalkConfiguration configuration_;
  base::Json state_ = nullptr;
  std::int64_t now_;
  int steps_ = 0;
};

}  // namespace hallmark::conformance
