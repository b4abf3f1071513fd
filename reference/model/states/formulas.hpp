#pragma once

#include "reference/model/states/strategy_state.hpp"

namespace hallmark::model {

/// A question to one strategy.
struct Question {
  std::optional<std::string_view> state;  ///< the state in the store, if there is one
  std::int64_t now = 0;                   ///< ns since the epoch
  /// True: the request is counted if it is allowed. False: the answer only says what would be.
  bool consume = true;
};

/// The answer of one strategy.
struct Answer {
  bool allowed = false;
  std::vector<QuotaResult> results;
  std::string state;            ///< to be written; empty unless the request is allowed and counted
  std::int64_t expires_in = 0;  ///< ns
};

/// The formulas by which each strategy decides. Error: the state does not belong to the strategy.
class Formulas {
 public:
  Formulas() = default;
  Formulas(const Formulas&) = delete;
  Formulas& operator=(const Formulas&) = delete;
  virtual ~Formulas() = default;

  virtual StateRead<Answer> ask(const TokenBucket& bucket, const Question& question) const;
  virtual StateRead<Answer> ask(const LeakyBucket& bucket, const Question& question) const;
  virtual StateRead<Answer> ask(const Gcra& gcra, const Question& question) const;
  virtual StateRead<Answer> ask(const FixedWindow& fixed, const Question& question) const;
};

/// Tokens or requests that flowed at `rate` a second from `last` to `now`.
double flow(std::int64_t last, std::int64_t now, double rate);

}  // namespace hallmark::model
