#pragma once

#include <string>
#include <vector>

#include "base/expected.hpp"
#include "conformance/engine/seam.hpp"
#include "conformance/supervisor/process_usage.hpp"

namespace hallmark::conformance {

/// A death, and the cases that had passed just before it.
struct Casualty {
  reports::Death death;
  std::vector<std::string> before = {};
  bool alone = false;  ///< the process was asked nothing but the one case that ran
  /// The case that knows which input caused it; empty: the death has to be looked into.
  std::string claimed_by = {};
  std::string killer = {};  ///< the case that has this input
  std::string input = {};
  bool operator==(const Casualty&) const = default;
};

/// Looks after a target that was started here: notices its deaths, starts it afresh, and knows
/// which cases were played when it died.
class Attendant {
 public:
  /// After so many deaths that were not looked into the target is not started again.
  static constexpr unsigned most_deaths = 10;
  /// After so many deaths in all, neither.
  static constexpr unsigned most_deaths_in_all = 60;

  Attendant() = default;
  virtual ~Attendant() = default;
  Attendant(const Attendant&) = delete;
  Attendant& operator=(const Attendant&) = delete;

  virtual Time now() const = 0;

  /// Ends the process; the next one was asked nothing yet. Errors: one line.
  virtual base::Expected<void, std::string> renew() = 0;

  /// The time after which nothing is started any more; at first there is none.
  virtual void end_by(Time until) = 0;

  /// Says if a process that has died is replaced when it is next used; at first it is.
  virtual void set_reviving(bool on) = 0;

  /// Why it is not started any more; empty: it is.
  virtual std::string given_up() = 0;

  /// This thread plays that case from now to `end_case`.
  virtual void begin_case(const std::string& id) = 0;
  /// `passed`: nothing points to a death. Returns true if the target died while the case was
  /// played.
  virtual bool end_case(bool passed) = 0;

  /// Returns true if the process that was last started has died.
  virtual bool has_died() = 0;
  /// Waits for the end of the process, at most so long after it was started: how it ended; empty:
  /// it goes on running. An end is a casualty.
  virtual std::string end_within(Time lived) = 0;

  /// The figures of the process that runs now; all 0 where none runs, or nobody looks.
  virtual ProcessFigures figures(Thoroughness /*how*/) { return {}; }
  /// Measures it quickly, for `use`, too.
  ProcessFigures measure();
  /// Measures it once more: what it has, with the CPU time of all processes that were measured.
  /// Empty if none runs.
  std::optional<reports::ProcessUse> use();

  /// All deaths so far, in their order.
  virtual std::vector<Casualty> casualties() = 0;
  /// The number of those, from the first, that were looked into; from now on all there are.
  virtual std::size_t examined() = 0;
  virtual void set_examined() = 0;

 private:
  ProcessUsage usage_;
};

}  // namespace hallmark::conformance
