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

/// Finds out why the target was silent or a case failed. Ends a started target that hangs, so that
/// the next connection meets a fresh one; notes that a target of somebody else's is gone. Returns
/// one line that says what is wrong with the target as a whole; empty: it answers others.
std::string examine_target(RunContext& context);

}  // namespace hallmark::conformance
