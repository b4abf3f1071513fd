#pragma once

#include <functional>

#include "conformance/engine/run_context.hpp"
#include "conformance/isolation/waiting.hpp"

namespace hallmark::conformance {

/// The answer that a connection which did nothing wrong gets.
enum class SignOfLife : std::uint8_t {
  answers,  ///< it sent something, or closed the connection itself
  silent,   ///< it takes connections, and says nothing
  gone,     ///< nobody takes connections
};

/// Tells a transport after a failure whether its target still answers anybody.
struct Canary {
  Supervisor* supervisor;  ///< null: the target was not started here
  bool sings;              ///< the harmless request was answered when all was well
  Time suspicion;          ///< ns; for a target that was started here
  Time deadline;           ///< ns; for any other
  /// Asks on a connection of its own, for so many ns at most.
  std::function<SignOfLife(Time patience, const InVain&)> ask;
  /// Returns true while we owe the target the rest of a request, for which it may let all others
  /// wait: its silence says nothing then. Empty: requests have no parts.
  std::function<bool()> owed = {};
};

/// The state of a target after a failure.
enum class Examined : std::uint8_t {
  well,       ///< it answers, or has died: the supervisor finds that
  was_ended,  ///< it hung, and was started here: the next connection meets a fresh process
  hangs,      ///< it was not started here, and so does `is_gone`
  is_gone,
};

/// Ends a started target that hangs.
Examined examine(const Canary& canary);

/// Opens a connection, sends a harmless request and waits at most `patience` ns for a first byte.
/// `open` takes the connection, so that the target does not see it end before its reply; null: it
/// is closed.
SignOfLife sign_of_life(RunContext& context, Time patience, const InVain& in_vain,
                        std::vector<std::unique_ptr<Link>>* open = nullptr);

/// Finds out, before all cases, whether the target answers the harmless request at all, and beside
/// another connection.
void try_canary(RunContext& context);

/// Returns false if the target answers nobody any more: as `examine_target`, beside connections
/// that there are. Returns true of a target that never served several at a time.
bool answers_others(RunContext& context);

/// The state of the target after something went wrong.
enum class Fate : std::uint8_t {
  answers,  ///< it answers a connection that did nothing wrong
  died,     ///< it was started here, and its process ended
  hung,     ///< it was started here, answered nobody, and was ended for that
  lost,     ///< it is somebody else's, and answers nobody any more (`RunContext::given_up`)
};

/// Finds out what became of the target, as `examine_target`, since so many deaths of a started
/// target had been noticed.
Fate fate_of_target(RunContext& context, std::size_t deaths_before);

/// True if a started target died or was found to hang since there were so many deaths, even if
/// another process answers by now.
bool has_ended(RunContext& context, std::size_t deaths_before);

/// Finds out whether the target still answers anybody after a case failed. To be called when the
/// case has no connection any more: a target may serve one at a time. Ends a
/// started target that hangs, so that the next connection meets a fresh one; notes that a target of
/// somebody else's is lost. Returns true where it was one of these.
bool examine_target(RunContext& context);

}  // namespace hallmark::conformance
