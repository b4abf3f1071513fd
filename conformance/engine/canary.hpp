#pragma once

#include "conformance/engine/run_context.hpp"

namespace hallmark::conformance {

/// The answer that a connection which did nothing wrong gets.
enum class SignOfLife : std::uint8_t {
  answers,  ///< it sent something, or closed the connection itself
  silent,   ///< it takes connections, and says nothing
  gone,     ///< nobody takes connections
};

/// Opens a connection, sends a harmless request and waits at most `patience` ns for a first byte.
SignOfLife sign_of_life(RunContext& context, Time patience);

/// Finds out, before all cases, whether the target answers the harmless request at all, and beside
/// another connection.
void try_canary(RunContext& context);

/// Returns false if the target answers nobody any more: as `examine_target`, beside connections
/// that there are. Returns true of a target that never served several at a time.
bool answers_others(RunContext& context);

/// Finds out whether the target still answers anybody after a case failed. To be called when the
/// case has no connection any more: a target may serve one at a time. Ends a
/// started target that hangs, so that the next connection meets a fresh one; notes that a target of
/// somebody else's is lost. Returns true where it was one of these.
bool examine_target(RunContext& context);

}  // namespace hallmark::conformance
