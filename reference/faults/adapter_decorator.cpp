#include <cstdlib>

#include "reference/faults/decorators.hpp"
#include "reference/faults/faults.hpp"
#include "reference/session/adapter_operations.hpp"

namespace hallmark::faults {
namespace {

/// Decides with those bugs.
class Decider {
 public:
  explicit Decider(const Faults& faults) {
    for (const auto& around : faults.formulas) by_.push_back(around(formulas()));
    decide_ = [this](const model::Strategy& strategy, auto state, std::int64_t now) {
      return model::decide(strategy, state, now, formulas());
    };
    for (const DecideFault fault : faults.decisions) {
      decide_ = [this, fault, right = decide_](const model::Strategy& strategy, auto state,
                                               std::int64_t now) {
        return fault({strategy, state, now, right, formulas()});
      };
    }
  }
  Decider(const Decider&) = delete;
  Decider& operator=(const Decider&) = delete;

  Decided decide(const model::Strategy& strategy, std::optional<std::string_view> state,
                 std::int64_t now) const {
    return decide_(strategy, state, now);
  }

 private:
  const model::Formulas& formulas() const { return by_.empty() ? model::formulas() : *by_.back(); }

  std::vector<std::unique_ptr<model::Formulas>> by_;  ///< each asks the one before it
  model::Decide decide_;
};

}  // namespace

std::unique_ptr<server::AdapterSession> adapter_session(const ChosenBugs& bugs, std::string version,
                                                        const protocol::Readings& readings) {
  const Faults faults = faults_of(bugs);
  protocol::Readings others = readings;
  for (const auto& [reading, answer] : faults.readings) (void)others.set(reading, answer);
  const auto decider = std::make_shared<Decider>(faults);
  auto adapter = server::adapter::make_adapter(
      std::move(version), others, [decider](const auto& strategy, auto state, std::int64_t now) {
        return decider->decide(strategy, state, now);
      });
  for (const AdapterFault& around : faults.adapters) adapter = around(std::move(adapter));
  return std::make_unique<server::AdapterSession>(std::move(adapter));
}

int adapter_exit_code(const ChosenBugs& bugs) {
  return faults_of(bugs).ends_as_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace hallmark::faults
