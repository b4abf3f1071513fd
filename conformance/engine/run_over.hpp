#pragma once

#include "base/endpoint.hpp"
#include "conformance/engine/run.hpp"

/// Networks and processes that a run is played over, whatever the transport.
namespace hallmark::conformance {

/// Plays a course over the world, and keeps all that crosses its seam where the options say so.
/// `Recording`: the world that asks another one and has its answers recorded.
template <class Recording, class World, class Course>
auto recorded_over(World& world, const CertifyOptions& options, const Course& course) {
  if (options.recorder == nullptr) return course(world, options);
  Recording recording(world, *options.recorder);
  CertifyOptions own = options;
  own.recorder = nullptr;
  auto outcome = course(recording, own);
  options.recorder->finish();
  return outcome;
}

/// Plays a course over a target that is started here, which nobody else uses.
template <class Supervised, class Course>
CertifyOutcome over_process(const base::ExecEndpoint& target, CertifyOptions options,
                            const Course& course) {
  auto world = Supervised::start(target, options.deadline);
  if (!world) return failed_run(options, world.error());
  options.exclusive = true;
  return course(**world, options);
}

}  // namespace hallmark::conformance
