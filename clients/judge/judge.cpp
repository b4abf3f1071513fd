#include "clients/judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "clients/judge/request_judge.hpp"
#include "protocol/about_clients.hpp"

namespace hallmark::clients {
namespace {

std::string at(const std::optional<Difference>& first) {
  if (!first) return {};
  return fmt::format("message {} of connection {} ({}): {}", first->number, first->connection,
                     first->message.empty() ? "no request" : first->message, first->what);
}

std::string not_reached(const Observed& observed) {
  if (observed.connections == 0) return "the command did not connect";
  if (observed.changed == 0) return "nothing that the client was sent could be changed so";
  return fmt::format("the client never got what was changed, or asked nothing after it: {}",
                     at(observed.first));
}

bool is_in_time(const CommandEnd& end) { return !end.timed_out && end.signal == 0; }

Judgement judge_end(const Perturbation& perturbation, const CommandEnd& end,
                    const std::string& ended, const std::string& where) {
  const bool succeeded = end.exit_code == 0;
  switch (perturbation.demand) {
    case Demand::passes:
      if (succeeded) return {Verdict::passed, "exited with code 0"};
      return {Verdict::fails, fmt::format("{}; {}", ended, where)};
    case Demand::ends:
      if (succeeded) return {Verdict::passed, "exited with code 0"};
      return {Verdict::not_judged,
              fmt::format("{}: its tests may expect something else; {}", ended, where)};
    case Demand::notices:
      if (!succeeded) return {Verdict::passed, fmt::format("noticed: {}", ended)};
      return {Verdict::fails, fmt::format("accepted a wrong reply; {}", where)};
  }
  return {};
}

ClauseVerdict verdict_of_perturbations(const std::vector<PerturbationResult>& perturbations,
                                       ClauseResult& clause) {
  ClauseVerdict verdict = ClauseVerdict::not_met;
  for (const PerturbationResult& one : perturbations) {
    if (one.clause != clause.id) continue;
    // A client may rely on the answers of such a clause; the verdict reports whether it does.
    const bool relies = one.verdict == Verdict::not_judged && clause.level == protocol::Level::may;
    // Whoever ended in time has not waited forever, and has noticed an end.
    const bool ended = one.verdict == Verdict::not_judged &&
                       (clause.id == "client.silence" || clause.id == "client.endings");
    if (ended) verdict = ClauseVerdict::kept;
    if (one.verdict == Verdict::fails || relies) {
      clause.reason = one.reason;
      clause.shown_by = one.id;
      return relies ? ClauseVerdict::kept : ClauseVerdict::broken;
    }
    if (one.verdict == Verdict::passed) verdict = ClauseVerdict::kept;
  }
  return verdict;
}

bool judges_requests(std::string_view clause) {
  return std::ranges::find(RequestJudge::clauses(), clause) != RequestJudge::clauses().end();
}

}  // namespace

Judgement judge(const Perturbation& perturbation, const CommandEnd& end, const Observed& observed,
                std::chrono::nanoseconds timeout) {
  if (end.interrupted) return {Verdict::not_played, "the run was stopped"};
  if (!end.not_started.empty()) return {Verdict::error, end.not_started};
  if (!observed.error.empty()) return {Verdict::error, observed.error};
  const std::string ended = in_words(end, timeout);
  // A client that looks for surplus before it asks again has noticed it all the same.
  const bool stopped_there =
      perturbation.demand == Demand::notices && observed.delivered > 0 && end.exit_code != 0;
  if (observed.met == 0 && !stopped_there)
    return {Verdict::not_met, fmt::format("{}; the command {}", not_reached(observed), ended)};
  if (!is_in_time(end)) return {Verdict::fails, fmt::format("{}; {}", ended, at(observed.first))};
  return judge_end(perturbation, end, ended, at(observed.first));
}

std::string why_no_baseline(const CommandEnd& end, const Observed& observed,
                            const std::vector<std::string>& command,
                            std::chrono::nanoseconds timeout) {
  if (!end.not_started.empty()) return end.not_started;
  if (!observed.error.empty()) return observed.error;
  const std::string ended = in_words(end, timeout);
  if (observed.connections == 0) {
    const bool says_port = std::ranges::any_of(
        command, [](const std::string& word) { return word.find("{port}") != std::string::npos; });
    return fmt::format("the command {} and never connected; expected it to connect to the port {}",
                       ended,
                       says_port ? "that {port} stands for"
                                 : "in HALLMARK_PORT, or in {port} among its arguments");
  }
  if (end.exit_code == 0 && end.signal == 0) return {};
  std::string why = fmt::format(
      "the command {} against the reference server as it is; expected its tests to pass", ended);
  if (!observed.breaches.empty()) {
    const Breach& first = observed.breaches.front();
    why += fmt::format("; {}: {}", first.clause, first.what);
  }
  return why;
}

std::vector<ClauseResult> judge_clauses(const Format& format, const Coverage& met,
                                        const std::vector<SeenBreach>& breaches,
                                        const std::vector<PerturbationResult>& perturbations) {
  std::vector<ClauseResult> all;
  for (const protocol::Clause& clause : format.dialect().clauses) {
    if (!protocol::about_clients(clause)) continue;
    ClauseResult one{std::string(clause.id), clause.level, std::string(clause.section),
                     std::string(clause.text)};
    const auto broken = std::ranges::find_if(
        breaches, [&](const SeenBreach& seen) { return seen.breach.clause == clause.id; });
    if (broken != breaches.end()) {
      one.verdict = ClauseVerdict::broken;
      one.reason = fmt::format("connection {}, request {}: {}", broken->breach.connection,
                               broken->breach.request, broken->breach.what);
      one.shown_by = broken->shown_by;
      one.bytes = broken->breach.bytes;
    } else if (judges_requests(clause.id)) {
      one.verdict = met.empty() ? ClauseVerdict::not_met : ClauseVerdict::kept;
    } else {
      one.verdict = verdict_of_perturbations(perturbations, one);
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<std::string> judges_of(const Format& format, std::string_view clause) {
  std::vector<std::string> all;
  if (judges_requests(clause)) all.emplace_back("requests");
  for (const Perturbation& one : catalogue(format)) {
    if (one.clause == clause) all.push_back(one.id);
  }
  return all;
}

}  // namespace hallmark::clients
