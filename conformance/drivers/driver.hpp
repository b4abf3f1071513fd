#pragma once

#include "conformance/drivers/cases.hpp"
#include "conformance/drivers/reproduced.hpp"
#include "conformance/engine/certify.hpp"
#include "conformance/record/playback.hpp"

namespace hallmark::conformance {

/// The sources of the cases of a target.
struct CaseSources {
  std::string vectors;  ///< a directory of golden vectors; or one file of them, which is then all
  KnownRules limits = {};  ///< the limits of a target of datagrams; the rules outlive the cases
};

/// A certified run that was played again.
struct Replayed {
  CertifyOutcome outcome;
  std::vector<Divergence> divergences;
};

/// Plays a course once more over its record. `PlayedWorld`: the world that answers from that.
template <class PlayedWorld, class Course>
Replayed replayed_over(const std::vector<Part>& parts, Links links, const Course& course) {
  Playback playback(parts, links);
  PlayedWorld world(playback);
  CertifyOutcome outcome = course(world);
  return {std::move(outcome), playback.finish()};
}

/// All that a run of certify leaves to the transport of the dialect. What asks a driver does not
/// fork by transport; a dialect names its transport, and its driver follows.
class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  /// The start of the ids of all cases.
  virtual std::string prefix(const protocol::Dialect& dialect, protocol::Width width) const = 0;

  /// All cases for a target that is held to `format`: those of vectors and those that are written
  /// out. Errors: the vectors cannot be read, or are of another dialect.
  virtual OrReason<Cases> cases(const CaseSources& sources, const WireFormat& format) const = 0;

  /// The readings that any case rests on which `filter` may choose, whichever answers the target
  /// gives; nothing: all. `format`: what is known of the target.
  virtual std::optional<std::set<std::string>> readings_needed(const CaseSources& sources,
                                                               const Filter& filter,
                                                               const WireFormat& format) const;

  /// The readings that a target may be held to that is asked so, as far as that can be said without
  /// it; a choice of cases has to choose some under one of them. Precondition: `asked` names the
  /// dialect.
  virtual std::vector<protocol::Readings> possible_readings(const Asked& asked) const = 0;

  /// Finds out what the target speaks and how it answers its readings, and plays the cases that are
  /// made for that. Errors: those of `make_cases`; or the target is not of this transport.
  virtual CertifyOutcome certify(const CasesMaker& make_cases,
                                 const CertifyOptions& options) const = 0;

  /// Plays the cases against a target that is taken to speak `format`.
  virtual reports::CertifyResult certify_as(const WireFormat& format, const Cases& cases,
                                            const CertifyOptions& options) const = 0;

  /// A run once more, over its record.
  virtual Replayed replay(const std::vector<Part>& parts, const CasesMaker& make_cases,
                          const CertifyOptions& options) const = 0;

  /// Cuts down what failed in a run with these options; `result` is what the run came to, and its
  /// reproductions become what is left. `failures` were taken in that run.
  virtual OrReason<std::vector<Reproduced>> reproduce(const CaseSources& sources,
                                                      const Failures& failures,
                                                      const CertifyOptions& options,
                                                      reports::CertifyResult& result) const = 0;

  /// The extension of files that hold the requests of a reproduction, such as ".hex".
  virtual std::string_view script_extension() const = 0;
};

const Driver& driver_of(protocol::Transport transport);

/// The driver of the dialect; where that is open, of streams, whose dialects a target can be asked
/// for.
const Driver& driver_of(const Asked& asked);

}  // namespace hallmark::conformance
