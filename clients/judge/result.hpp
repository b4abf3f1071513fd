#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/judge/coverage.hpp"
#include "clients/perturb/perturbation.hpp"
#include "clients/serve/observed.hpp"
#include "reports/result.hpp"

namespace hallmark::clients {

enum class Verdict : std::uint8_t {
  passed,
  fails,
  not_judged,  ///< the test command failed where its tests may expect something else
  not_met,     ///< no changed message reached the client
  not_played,  ///< the run was stopped before
  error,       ///< ours
};

/// "passed", "fails", "not judged", "not met", "not played", "error".
std::string_view name_of(Verdict verdict);
std::string_view name_of(Demand demand);

/// The outcome of one perturbation.
struct PerturbationResult {
  std::string id;
  std::string kind;
  std::string subject;
  std::string title;
  bool legal = true;
  Demand demand = Demand::passes;
  std::string clause;
  Verdict verdict = Verdict::not_played;
  std::string reason;                    ///< one line; empty where it was not played
  std::string ended;                     ///< the end of the command; empty if it was not started
  std::uint64_t met = 0;                 ///< messages that were changed and reached the client
  std::optional<Difference> differed{};  ///< the first of them
  std::chrono::nanoseconds duration{};
  std::vector<std::string> output{};       ///< the last lines, where it did not pass
  std::vector<std::string> left_behind{};  ///< processes
};

enum class ClauseVerdict : std::uint8_t { kept, broken, not_met };
std::string_view name_of(ClauseVerdict verdict);

/// The verdict on one clause about clients.
struct ClauseResult {
  std::string id;
  protocol::Level level = protocol::Level::must;
  std::string section;
  std::string text;
  ClauseVerdict verdict = ClauseVerdict::not_met;
  std::string reason{};    ///< why it is broken
  std::string shown_by{};  ///< the perturbation, or "baseline"
  base::Bytes bytes{};     ///< of the client
};

struct Baseline {
  bool passed = false;
  std::string reason;  ///< why it did not; one line
  std::string ended;
  std::chrono::nanoseconds duration{};
  std::uint64_t connections = 0;
  std::uint64_t requests = 0;
  std::vector<std::string> output{};
  std::vector<std::string> left_behind{};
};

/// Everything that a run came to.
struct ClientResult {
  std::string version;  ///< of Hallmark
  std::string dialect;
  std::string width;  ///< empty where the dialect has none
  std::string profile;
  std::vector<std::string> readings{};  ///< those that differ from the profile
  std::vector<std::string> command{};
  std::uint64_t seed = 0;
  unsigned jobs = 1;
  std::chrono::nanoseconds timeout{};
  std::chrono::sys_time<std::chrono::milliseconds> started{};
  std::chrono::nanoseconds duration{};
  bool interrupted = false;
  Baseline baseline{};
  std::vector<PerturbationResult> perturbations{};
  std::vector<ClauseResult> clauses{};
  Coverage coverage{};                    ///< of the baseline
  std::vector<std::string> operations{};  ///< all of the dialect, then its pushes
  std::vector<std::string> possible{};    ///< "OPERATION request FIELD VALUE"
};

struct VerdictCounts {
  std::size_t passed = 0, fails = 0, not_judged = 0, not_met = 0, not_played = 0, error = 0;
};
VerdictCounts counts_of(const ClientResult& result);

/// The number of clauses of level MUST that are broken.
std::size_t broken_musts(const ClientResult& result);

/// 0: as expected; 1: a perturbation fails or a MUST is broken; 3: the baseline does not pass, or
/// Hallmark could not go on; 4: nothing was judged, or not all was played.
reports::ExitCode exit_code_of(const ClientResult& result);

/// "FAILED", "PASSED", "INDETERMINATE", "ERROR".
std::string_view verdict_word(const ClientResult& result);

}  // namespace hallmark::clients
