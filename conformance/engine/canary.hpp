#pragma once

#include "conformance/engine/run_context.hpp"

namespace hallmark::conformance {

/// What a connection that did nothing wrong learns about the target.
enum class SignOfLife : std::uint8_t {
  answers,  ///< it sent something, or closed the connection itself
  silent,   ///< it takes connections, and says nothing
  gone,     ///< nobody takes connections
};

/// Opens a connection, sends a harmless request and waits at most `patience` ns for a first byte.
SignOfLife sign_of_life(RunContext& context, Time patience);

/// Returns true if the target answers a new connection beside those that there are.
bool answers_others(RunContext& context);

/// Finds out whether the target still answers anybody after a case failed. To be called when the
/// case has no connection any more: a target may serve one at a time. Ends a
/// started target that hangs, so that the next connection meets a fresh one; notes that a target of
/// somebody else's is lost. Returns true where it was one of these.
bool examine_target(RunContext& context);

}  // namespace hallmark::conformance
