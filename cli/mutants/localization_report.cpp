#include "cli/mutants/localization_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {
namespace {

using base::Json;

std::string in_words(const std::optional<CaseOutcome>& outcome) {
  if (!outcome) return "not listed";
  const std::string_view verdict = reports::name_of(outcome->verdict);
  return outcome->code.empty() ? std::string(verdict)
                               : fmt::format("{} ({})", verdict, outcome->code);
}

/// "fail (closed) 19 times, pass once": each outcome of the case, in the order of the runs.
std::string in_words(const UnsteadyCase& one) {
  std::vector<std::pair<std::string, std::size_t>> times;
  for (const std::optional<CaseOutcome>& outcome : one.runs) {
    const std::string words = in_words(outcome);
    const auto known = std::ranges::find(times, words, &decltype(times)::value_type::first);
    if (known == times.end()) {
      times.emplace_back(words, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [words, count] : times) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words,
                        count == 1 ? "once" : fmt::format("{} times", count));
  }
  return text;
}

std::string in_words(const Finding& finding) {
  if (finding.cases.empty()) return "surplus finding " + finding.id + ", without a case";
  const std::size_t others = finding.cases.size() - 1;
  return fmt::format("surplus finding {}: {}{}", finding.id, finding.cases.front(),
                     others == 0 ? "" : fmt::format(" and {} more", others));
}

/// One line for each thing that is wrong.
std::vector<std::string> faults_of_set(const LocalizedSet& set) {
  std::vector<std::string> lines;
  if (!set.run_error.empty()) lines.push_back("run error: " + set.run_error);
  for (const auto& [id, hidden] : set.localization.missed)
    lines.push_back(fmt::format("missed {}{}", hidden ? "(hidden) " : "", id));
  for (const auto& [finding, bugs] : set.localization.findings) {
    if (bugs.empty()) lines.push_back(in_words(finding));
  }
  for (const UnsteadyCase& one : set.unsteady)
    lines.push_back(fmt::format("unsteady {}: {}", one.id, in_words(one)));
  return lines;
}

std::string format_of(const LocalizedSet& set) {
  return set.width == "none" ? set.dialect : set.dialect + "/" + set.width;
}

Json missed_json(const std::vector<MissedBug>& missed) {
  Json all = Json::array();
  for (const auto& [id, hidden] : missed) all.push_back({{"bug", id}, {"hidden", hidden}});
  return all;
}

Json findings_json(const std::vector<MatchedFinding>& findings) {
  Json all = Json::array();
  for (const auto& [finding, bugs] : findings)
    all.push_back({{"id", finding.id}, {"cases", finding.cases}, {"matches", bugs}});
  return all;
}

Json outcome_json(const std::optional<CaseOutcome>& outcome) {
  if (!outcome) return nullptr;
  return {{"verdict", reports::name_of(outcome->verdict)}, {"code", outcome->code}};
}

Json unsteady_json(const std::vector<UnsteadyCase>& unsteady) {
  Json all = Json::array();
  for (const auto& [id, runs] : unsteady) {
    Json outcomes = Json::array();
    for (const std::optional<CaseOutcome>& outcome : runs)
      outcomes.push_back(outcome_json(outcome));
    all.push_back({{"case", id}, {"runs", std::move(outcomes)}});
  }
  return all;
}

Json set_json(const LocalizedSet& set) {
  std::map<std::string_view, std::string_view> verdicts;
  std::map<std::string_view, std::string_view> codes;
  for (const auto& [id, outcome] : set.outcomes) {
    verdicts.emplace(id, reports::name_of(outcome.verdict));
    if (!outcome.code.empty()) codes.emplace(id, outcome.code);
  }
  return {{"seed", set.seed},
          {"dialect", set.dialect},
          {"width", set.width},
          {"bugs", set.bugs},
          {"missed", missed_json(set.localization.missed)},
          {"findings", findings_json(set.localization.findings)},
          {"duration_ns", set.duration.count()},
          {"run_error", set.run_error},
          {"runs", set.runs},
          {"unsteady", unsteady_json(set.unsteady)},
          {"verdicts", verdicts},
          {"codes", codes}};
}

Json totals_json(const LocalizationTotals& totals) {
  return {{"bugs", totals.bugs},
          {"missed", totals.missed},
          {"hidden", totals.hidden},
          {"findings", totals.findings},
          {"surplus", totals.surplus},
          {"unsteady", totals.unsteady},
          {"recall", totals.recall()},
          {"precision", totals.precision()},
          {"findings_per_bug", totals.findings_per_bug()}};
}

/// "; the slowest took 41.0 s (seed 1007)".
std::string slowest(const LocalizationRun& run) {
  if (run.sets.empty()) return {};
  const LocalizedSet& set = *std::ranges::max_element(run.sets, {}, &LocalizedSet::duration);
  return fmt::format("; the slowest took {} (seed {})", base::human_duration(set.duration),
                     set.seed);
}

}  // namespace

LocalizationTotals totals_of(const LocalizationRun& run) {
  LocalizationTotals totals;
  for (const LocalizedSet& set : run.sets)
    totals.add(set.bugs.size(), set.localization, set.unsteady.size());
  return totals;
}

std::string render_localization(const LocalizationRun& run) {
  using reports::Align;
  reports::Table table({Align::right, Align::left, Align::left});
  for (const LocalizedSet& set : run.sets) {
    for (const std::string& line : faults_of_set(set))
      table.add({std::to_string(set.seed), format_of(set), base::printable(line)});
  }
  const LocalizationTotals totals = totals_of(run);
  std::string text = table.render();
  text += fmt::format("recall {}: findings name {} of {} bugs; {} missed, {} of them hidden\n",
                      base::percent(totals.recall()), totals.bugs - totals.missed, totals.bugs,
                      totals.missed, totals.hidden);
  text += fmt::format("precision {}: {} of {} findings match a bug\n",
                      base::percent(totals.precision()), totals.findings - totals.surplus,
                      totals.findings);
  text += fmt::format("{:.2f} findings per bug\n", totals.findings_per_bug());
  if (totals.unsteady > 0) {
    text += fmt::format("{} differently from run to run\n",
                        base::counted(totals.unsteady, "case ends", "cases end"));
  }
  return text + fmt::format("{}  {} of {} in {}{}{}\n",
                            totals.good() ? "LOCALIZED" : "NOT LOCALIZED", run.sets.size(),
                            base::counted(run.wanted, "set", "sets"),
                            base::human_duration(run.duration), slowest(run),
                            run.interrupted ? "; interrupted" : "");
}

std::string localization_json(const LocalizationRun& run, base::Json kills) {
  const LocalizationTotals totals = totals_of(run);
  Json all{{"format", "hallmark-localization"},
           {"format_version", 1},
           {"version", run.version},
           {"seed", run.seed},
           {"most_bugs", run.most_bugs},
           {"interrupted", run.interrupted},
           {"good", totals.good()},
           {"totals", totals_json(totals)},
           {"duration_ns", run.duration.count()}};
  all["sets"] = Json::array();
  for (const LocalizedSet& set : run.sets) all["sets"].push_back(set_json(set));
  all["mutants"] = std::move(kills);
  return all.dump(1) + "\n";
}

}  // namespace hallmark::cli
