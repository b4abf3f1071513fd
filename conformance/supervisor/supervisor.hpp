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
  /// Returns true if the watched process wanted to run and got less than a tenth of a core.
  virtual bool starved(const Watched& watched) = 0;
  /// Ends the watched process, which answers nobody any more, and counts that as a death. Returns
  /// false if it had died by itself or was replaced meanwhile.
  virtual bool end_hung(const Watched& watched) = 0;
};

}  // namespace hallmark::conformance
