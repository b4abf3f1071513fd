#pragma once

#include "conformance/engine/asked.hpp"
#include "conformance/engine/play_order.hpp"
#include "conformance/engine/scheduler.hpp"
#include "conformance/engine/target.hpp"
#include "conformance/judgement/basis.hpp"
#include "conformance/record/recorder.hpp"
#include "conformance/reduction/reduce.hpp"

namespace hallmark::conformance {

struct CertifyOptions {
  Target target;
  std::string target_text;        ///< the target as it was given
  Asked asked;                    ///< what it has to speak; it is asked for all that is open
  Time deadline = 5'000'000'000;  ///< ns; for a target that says nothing
  bool exclusive = false;         ///< nobody else uses the target
  std::uint64_t seed = 0;         ///< makes the names of keys that no other run may use
  bool confirm = true;            ///< failures are played again, alone against a fresh process
  ScheduleOptions schedule;
  Recorder* recorder = nullptr;  ///< keeps all that crosses the seam; null: nobody does
  Failures* failures = nullptr;  ///< takes what failed; null: nobody cuts it down
  /// The readings that are asked for; null: all.
  ReadingsNeeded readings_needed = {};
};

using CertifyOutcome = base::Expected<reports::CertifyResult, std::string>;

/// Finds out what the target speaks and how it answers its readings, and plays the suite that is
/// made for that. Where it speaks something else than what is asked for, that case fails and no
/// other is played. Never throws for what a target does: an unreachable target is in `run_error`,
/// everything else in the verdicts. Error: that of `make_suite`.
CertifyOutcome certify(const SuiteMaker& make_suite, const CertifyOptions& options);

/// Like `certify`, over any network. A supervised target that dies is started afresh. The cases
/// that ran then are played alone, and the report says what kills it.
CertifyOutcome certify_over(Network& network, const SuiteMaker& make_suite,
                            const CertifyOptions& options);

/// Plays the suite against a target that is taken to speak `format`: nothing is asked before.
/// `options.asked` is not looked at.
reports::CertifyResult certify(const WireFormat& format, const Suite& suite,
                               const CertifyOptions& options);
reports::CertifyResult certify_over(Network& network, const WireFormat& format, const Suite& suite,
                                    const CertifyOptions& options);

/// Cuts down what the failed cases of a run sent, against the same target (one that `exec:` names
/// is started anew), as long as anybody wants to wait: for most failures far less than a second, at
/// most a few. The reproductions of those cases in `result` become what is left. `options.failures`
/// was `failures` in that run.
std::vector<Reproduction> reduce_failures(const Failures& failures, const CertifyOptions& options,
                                          reports::CertifyResult& result);

}  // namespace hallmark::conformance
