#pragma once

#include "conformance/scheduler.hpp"
#include "conformance/target.hpp"

namespace hallmark::conformance {

struct CertifyOptions {
  Target target;
  std::string target_text;  ///< as it was given
  protocol::Width width = protocol::Width::u16;
  Time deadline = 5'000'000'000;  ///< ns; for a target that says nothing
  bool exclusive = false;         ///< nobody else uses the target
  std::uint64_t seed = 0;         ///< of the names of keys that no other run may use
  ScheduleOptions schedule;
};

/// All behavioural cases of the dialect in their order.
BehaviourCases behaviour_cases();

/// Plays the suite against the target. Never throws for what a target does: an unreachable target
/// is in `run_error`, everything else in the verdicts.
reports::CertifyResult certify(const WireFormat& format, const Suite& suite,
                               const CertifyOptions& options);

/// As `certify`, over any network; `died` tells how a target that was started here ended.
reports::CertifyResult certify_over(Network& network, const WireFormat& format, const Suite& suite,
                                    const CertifyOptions& options,
                                    const std::function<std::string()>& died = {});

}  // namespace hallmark::conformance
