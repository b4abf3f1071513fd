#pragma once

#include "conformance/engine/certify.hpp"

namespace hallmark::conformance {

/// A run's knowledge of its target before it plays the cases of the suite.
struct Opening {
  /// The cases that the target is held to, without those that were played already. The run knows
  /// them by their entries, the driver has what they do.
  Suite suite = {};
  /// Why none of them is played; empty: they are.
  std::string mismatch = {};
  /// Explains what was sent; null: nothing does. The driver keeps it.
  const WireFormat* format = nullptr;
};

/// All that a run leaves to the transport of its target: how it is reached and asked, how a case is
/// played, and what silence means.
class RunDriver : public UnitPlayer {
 public:
  /// Looks after a target that was started here; null: it was not.
  virtual Attendant* attendant() = 0;

  /// Reaches the target and finds out what it is held to. Adds to the result what the header says
  /// of that, the cases that were played for it, and `run_error` where there is no target.
  /// Error: there is no suite for what was found; one line.
  virtual base::Expected<Opening, std::string> open(reports::CertifyResult& result) = 0;

  /// Finds out what the cases of that danger rest on, before any of them is played. Adds to the
  /// result the cases that were played for it. Returns the suite for what is known then; nothing:
  /// it is what it was. Error: there is no suite for all that was found; one line.
  virtual base::Expected<std::optional<Suite>, std::string> learn(
      Danger /*danger*/, reports::CertifyResult& /*result*/) {
    return std::optional<Suite>();
  }

  /// Does what comes before all cases of the suite. From `until` on no case is begun.
  virtual void begin(Time until, reports::CertifyResult& result) = 0;

  /// Does what comes behind them; says in the result what was found out about the target as a
  /// whole.
  virtual void close(reports::CertifyResult& result) = 0;

  /// Returns how many replies the target has given so far; 0 if nobody counts them.
  virtual std::uint64_t replies() const { return 0; }
  /// Returns how many of them a case got when it was played last; not those to what cleaned up
  /// behind it.
  virtual std::uint64_t replies_in(const std::string& /*id*/) const { return 0; }

  /// Returns true if the failure of a case says little: nothing was removed any more of what others
  /// left behind, so that its keys may have been there before it, or nobody waited for long.
  virtual bool is_unsure(const std::string& /*id*/) const { return false; }

  /// The last look at the result, after failures were confirmed: takes back what the whole run
  /// contradicts.
  virtual void review(reports::CertifyResult&) {}
};

/// One run: the header, what the driver opens with, the cases, deaths and their causes, and the
/// failures once more, alone against a fresh process. An interruption makes no verdict.
/// Error: that of `open`.
CertifyOutcome certify_by(RunDriver& driver, Patience& patience, const CertifyOptions& options);

/// The result of a run that met no target. `error`: why, in one line.
reports::CertifyResult failed_run(const CertifyOptions& options, std::string error);

/// Hardly anything that was asked in the dialect was answered as it should be.
bool is_stranger(const reports::CertifyResult& result);

}  // namespace hallmark::conformance
