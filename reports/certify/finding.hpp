#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hallmark::reports {

/// The harm that a stranger can do with a defect, the worst first.
enum class Severity : std::uint8_t {
  critical,  ///< stop the target for everybody: it crashes or hangs
  high,      ///< confuse or starve connections: replies are lost, doubled, or go astray; or use the
             ///< target up, bit by bit
  medium,    ///< get an answer that the document rules out
  low,       ///< get an answer that the document advises against, or leaves open
};

inline constexpr Severity all_severities[] = {Severity::critical, Severity::high, Severity::medium,
                                              Severity::low};

std::string_view name_of(Severity severity);  ///< "critical"

/// A failure that was played again, alone, each time on a fresh process.
struct Repetitions {
  std::uint64_t failed = 0;  ///< so many times it failed again
  std::uint64_t played = 0;  ///< 0: it was not played again
  Repetitions& operator+=(const Repetitions& other) {
    failed += other.failed;
    played += other.played;
    return *this;
  }
  bool operator==(const Repetitions&) const = default;
};

/// One thing that is wrong with a target: failures that have one cause.
struct CertifyFinding {
  std::string id;        ///< the same in the next run: the kind and a number made of the cause
  std::string kind;      ///< that of a code: "wrong-field"
  std::string sentence;  ///< one line: what the simplest of the failures shows
  Severity severity = Severity::low;
  std::vector<std::string> clauses;
  std::string shown_by;             ///< id of the simplest case
  std::vector<std::string> script;  ///< the sends of that case, as `CaseResult::reproduction`
  std::vector<std::string> cases;   ///< ids of all cases that it explains
  Repetitions repeated = {};        ///< of all these cases together
  /// The dialects and widths that have it, in several results as one: "throttr-7.1 u16". Empty in
  /// the result of one run.
  std::vector<std::string> seen_in = {};
  bool operator==(const CertifyFinding&) const = default;
};

}  // namespace hallmark::reports
