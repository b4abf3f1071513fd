#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/faults/bug.hpp"
#include "reference/model/states/formulas.hpp"

namespace hallmark::server::adapter {
class Adapter;
}

namespace hallmark::faults {

using Decided = base::Expected<model::Decision, protocol::Malformed>;

/// A request to decide, and who can answer it.
struct DecideRequest {
  const model::Strategy& strategy;
  std::optional<std::string_view> state;
  std::int64_t now;
  const model::Decide& decide;  ///< the right answer
  const model::Formulas& by;    ///< each strategy for itself
  Decided right() const { return decide(strategy, state, now); }
};

/// Makes the decision of a strategy with one bug.
using DecideFault = Decided (*)(const DecideRequest& asked);

/// Makes the adapter that one bug puts around another.
using AdapterFault = std::function<std::unique_ptr<server::adapter::Adapter>(
    std::unique_ptr<server::adapter::Adapter> right)>;

/// Answers to readings that are others.
using StateReadings = std::vector<std::pair<std::string_view, std::string_view>>;

Code decides(DecideFault fault);

/// Does what `right`, which outlives it, does.
class AroundFormulas : public model::Formulas {
 public:
  explicit AroundFormulas(const Formulas& inner) : right(inner) {}

  model::StateRead<model::Answer> ask(const model::TokenBucket& bucket,
                                      const model::Question& question) const override {
    return right.ask(bucket, question);
  }
  model::StateRead<model::Answer> ask(const model::LeakyBucket& bucket,
                                      const model::Question& question) const override {
    return right.ask(bucket, question);
  }
  model::StateRead<model::Answer> ask(const model::Gcra& gcra,
                                      const model::Question& question) const override {
    return right.ask(gcra, question);
  }
  model::StateRead<model::Answer> ask(const model::FixedWindow& fixed,
                                      const model::Question& question) const override {
    return right.ask(fixed, question);
  }

 protected:
  const Formulas& right;
};

}  // namespace hallmark::faults
