#pragma once

#include <memory>

#include "conformance/supervisor/attendant.hpp"

namespace hallmark::conformance {

class ProcessWatch;

/// A process that is being watched.
struct Watched {
  std::shared_ptr<const ProcessWatch> process = nullptr;  ///< null in a run that is played back
  bool running = false;                                   ///< there is one
};

/// Looks after a target that serves at a port. All that a run learns of its process comes through
/// here, so that the run is recorded and played again. Used by several threads.
class Supervisor : public Attendant {
 public:
  /// The number of the process that is used from now on, counted from 1.
  virtual unsigned generation() = 0;

  /// Begins to watch the process that runs now.
  virtual Watched watch() = 0;
  /// Returns true if a thread of the watched process wants to run, has had less than half a second
  /// of processor time, and does not spin.
  virtual bool starved(const Watched& watched) = 0;
  /// Returns true if it is in vain to wait for an answer: a thread of the watched process spins, or
  /// all of its threads sleep for good.
  virtual bool stuck(const Watched& watched) = 0;
  /// The process that runs has answered somebody just now.
  virtual void answered() = 0;
  /// Ends the watched process, which answers nobody any more, and counts that as a death. Returns
  /// false if it had died by itself or was replaced meanwhile.
  virtual bool end_hung(const Watched& watched) = 0;

  /// Like `has_died`, after a sign of death: a process that serves nobody any more is given time to
  /// end.
  virtual bool is_gone() = 0;
  /// The number of deaths that were noticed so far, hangs included.
  virtual std::size_t deaths() = 0;
  /// Returns true if the last of them was a hang.
  virtual bool last_hung() = 0;
  /// Starts the process afresh if it has died, however often that was, and whether or not those who
  /// connect do so. Errors: one line that says why there is none.
  virtual base::Expected<void, std::string> revive() = 0;
  /// That input of the case that this thread plays caused all deaths behind the first `since` at
  /// which it was played. They are not looked into, and do not count towards `most_deaths`. `name`:
  /// it is an input of the behaviour of that name; empty: of the same case.
  virtual void claim(std::size_t since, const std::string& input, std::string_view name = {}) = 0;
};

}  // namespace hallmark::conformance
