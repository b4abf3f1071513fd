#pragma once

#include "clients/judge/result.hpp"
#include "clients/run/command.hpp"

namespace hallmark::clients {

struct Judgement {
  Verdict verdict = Verdict::not_played;
  std::string reason{};
};

/// Judges one perturbation by how the test command ended and by what the server saw of it.
Judgement judge(const Perturbation& perturbation, const CommandEnd& end, const Observed& observed,
                std::chrono::nanoseconds timeout);

/// Judges the run without a perturbation. Empty: it passed; otherwise one line that says what is
/// wrong and what to do.
std::string why_no_baseline(const CommandEnd& end, const Observed& observed,
                            const std::vector<std::string>& command,
                            std::chrono::nanoseconds timeout);

/// Judges the clauses about clients. `breaches` are those of runs whose replies were right, each
/// with the id of its run.
struct SeenBreach {
  Breach breach;
  std::string shown_by;
};
std::vector<ClauseResult> judge_clauses(const Format& format, const Coverage& met,
                                        const std::vector<SeenBreach>& breaches,
                                        const std::vector<PerturbationResult>& perturbations);

/// Names what judges a clause about clients: ids of perturbations, or "requests". Empty: nothing
/// does.
std::vector<std::string> judges_of(const Format& format, std::string_view clause);

}  // namespace hallmark::clients
