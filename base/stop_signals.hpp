#pragma once
#include "base/descriptor.hpp"

namespace hallmark::base {

/// Notices SIGINT and SIGTERM while it lives, so that they end a wait for the reader of a pipe.
/// Handlers that the program has installed are called as well; ignored signals stay ignored.
class StopSignals {
 public:
  /// Throws std::system_error when the system has no descriptors left.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Waits until `file` takes more bytes. Returns false if a signal ends the wait, or has come
  /// already and nobody else handles it. Later calls in this process do not wait any more: whoever
  /// stops the program means all of its waits.
  bool wait_for_room(const Descriptor& file);
};

}  // namespace hallmark::base
