#pragma once

#include "conformance/isolation/canary.hpp"

namespace hallmark::conformance {

/// Sees to the target of a run while a case does to it what it may not survive.
class Caretaker {
 public:
  explicit Caretaker(RunContext& context);

  /// Returns the number of deaths and hangs noticed so far.
  std::size_t deaths();
  /// True if there were more, even if another process answers by now.
  bool has_ended(std::size_t deaths_before) {
    return conformance::has_ended(context_, deaths_before);
  }
  /// Finds out what became of the target since there were so many deaths.
  Fate fate(std::size_t deaths_before) { return fate_of_target(context_, deaths_before); }
  /// Starts a target afresh that died or hung. Returns false if that cannot be done.
  bool start_afresh();
  /// Ends a target that lives and starts it afresh. Returns false if that cannot be done, or would
  /// take it from other cases.
  bool replace();
  /// Says of deaths behind the first `since` that this input of the case caused them. `name`: it is
  /// an input of the case of that name instead.
  void blame(std::size_t since, const std::string& input, std::string_view name = {});
  /// Returns true if other cases are being played as well.
  bool is_shared();

 private:
  RunContext& context_;
  Supervisor* supervisor_;
};

}  // namespace hallmark::conformance
