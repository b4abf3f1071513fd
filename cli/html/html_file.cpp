#include "cli/html/html_file.hpp"

#include <algorithm>
#include <utility>

#include "cli/certify/dialect_json.hpp"
#include "cli/html/this_machine.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/verbosity.hpp"
#include "protocol/dialects.hpp"
#include "reports/json_report.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::cli {
void HtmlFile::add(std::string name, std::string_view terminal_text, std::string json,
                   std::string note) {
  page_.results.push_back(
      {std::move(name), std::string(verdict_of(terminal_text)), std::move(json), std::move(note)});
}

void HtmlFile::add(const std::string& name, const reports::CertifyResult& result,
                   std::string_view terminal_text) {
  auto slim = slim_for_page(result, evidence_left_);
  add(name, terminal_text, reports::render_json(slim.result), std::move(slim.note));
  add_dialect(result.header.dialect);
}

void HtmlFile::add(const std::string& name, const reports::CertifyResult& result) {
  add(name, result, reports::render_terminal(result, uncut));
}

void HtmlFile::add(const std::string& name, const reports::LoadResult& result) {
  auto slim = slim_for_page(result, results_);
  add(name, reports::render_terminal(result, uncut), reports::render_json(slim.result),
      std::move(slim.note));
}

void HtmlFile::add_changes(const reports::Comparison& comparison, std::string_view baseline) {
  base::Json cases = base::Json::array();
  for (const reports::ChangedCase& one : comparison.cases) {
    base::Json changed{{"id", one.id},
                       {"change", reports::name_of(one.change)},
                       {"reason_before", one.reason_before},
                       {"reason", one.reason},
                       {"regression", reports::is_regression(one)}};
    if (one.before) changed["before"] = reports::name_of(*one.before);
    if (one.now) changed["now"] = reports::name_of(*one.now);
    cases.push_back(std::move(changed));
  }
  add_fact(
      "changes",
      {{"baseline", baseline}, {"unchanged", comparison.unchanged}, {"cases", std::move(cases)}});
}

void HtmlFile::add_dialect(std::string_view name) {
  const auto& all = protocol::all_dialects;
  const auto found = std::ranges::find_if(all, [&](const auto* one) { return one->name == name; });
  const bool known = std::ranges::any_of(
      clauses_, [&](const base::Json& one) { return one["dialect"] == base::Json(name); });
  if (found == all.end() || known) return;
  base::Json clauses{{"dialect", (*found)->name}, {"document", (*found)->document}};
  clauses["clauses"] = base::Json::array();
  for (const protocol::Clause& clause : (*found)->clauses)
    clauses["clauses"].push_back(clause_json(clause));
  clauses_.push_back(std::move(clauses));
  readings_.push_back(readings_json(**found));
}

void HtmlFile::add_fact(std::string name, base::Json value) {
  page_.facts.push_back({std::move(name), std::move(value)});
}

const pages::Page& HtmlFile::whole() {
  if (!page_.version.empty()) return page_;
  page_.version = HALLMARK_VERSION;
  add_fact("clauses", clauses_);
  add_fact("readings", readings_);
  if (origin_ == Origin::this_run) {
    add_fact("command", command_of_this_process());
    add_fact("environment", this_machine());
  }
  return page_;
}

bool HtmlFile::write_or_complain(std::string_view command, const std::string& path) {
  return path.empty() || cli::write_or_complain(command, path, pages::render(whole()));
}

}  // namespace hallmark::cli
