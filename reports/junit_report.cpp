#include "reports/junit_report.hpp"

#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "base/text.hpp"
#include "base/utc.hpp"
#include "reports/certify/death_report.hpp"
#include "reports/certify/finding_report.hpp"
#include "reports/certify/joined.hpp"
#include "reports/certify/run_verdict.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::reports {
namespace {

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

std::string seconds(std::chrono::nanoseconds duration) {
  return fmt::format("{:.6f}", std::chrono::duration<double>(duration).count());
}

/// Counts as consumers know them: what is neither passed, failed nor erroneous is skipped.
void set_counts(pugi::xml_node node, const VerdictCounts& counts, std::size_t run_errors = 0) {
  set(node, "tests", std::to_string(counts.total() + run_errors));
  set(node, "failures", std::to_string(counts.fail + counts.unstable));
  set(node, "errors", std::to_string(counts.error + counts.indeterminate + run_errors));
  set(node, "skipped", std::to_string(counts.skipped + counts.unsupported + counts.known));
}

/// The text of a case, with the deaths of the target that it is to blame for.
std::string text_of(const CaseResult& one, const CertifyResult& result) {
  std::string text = render_case(one, TerminalStyle{}, dump_rows);
  for (const Death& death : result.deaths) {
    if (death.killer == one.id) text += render_death(death, TerminalStyle{}, dump_rows);
  }
  return text;
}

/// The type by which readers of JUnit group failures.
std::string type_of_failure(const CaseResult& one) {
  return one.code ? text_of(*one.code) : std::string(name_of(one.level));
}

void add_problem(pugi::xml_node test, const char* element, const std::string& type,
                 const CaseResult& one, const std::string& text) {
  auto node = test.append_child(element);
  set(node, "message", base::printable(one.reason));
  set(node, "type", type);
  if (!text.empty()) node.text().set(text.c_str());
}

void add_verdict(pugi::xml_node test, const CaseResult& one, const CertifyResult& result) {
  switch (one.verdict) {
    case Verdict::pass: return;
    case Verdict::fail:
      return add_problem(test, "failure", type_of_failure(one), one, text_of(one, result));
    case Verdict::unstable:
      return add_problem(test, "failure", "unstable", one, text_of(one, result));
    case Verdict::indeterminate:
      return add_problem(test, "error", "indeterminate", one, text_of(one, result));
    case Verdict::error: return add_problem(test, "error", "error", one, text_of(one, result));
    case Verdict::unsupported: return add_problem(test, "skipped", "unsupported", one, {});
    case Verdict::skipped: return add_problem(test, "skipped", "skipped", one, {});
    case Verdict::known: return add_problem(test, "skipped", "known", one, one.known);
  }
}

void add_case(pugi::xml_node suite, const CaseResult& one, const std::string& class_name,
              const CertifyResult& result) {
  auto test = suite.append_child("testcase");
  set(test, "name", base::printable(one.id));
  set(test, "classname", class_name);
  set(test, "time", seconds(one.duration));
  add_verdict(test, one, result);
}

std::string suite_name(const RunHeader& header, std::string_view operation) {
  return base::printable(fmt::format("{}{}{}/{}", header.dialect, header.width.empty() ? "" : "/",
                                     header.width, operation));
}

void add_property(pugi::xml_node properties, const char* name, const std::string& value) {
  if (value.empty()) return;
  auto node = properties.append_child("property");
  set(node, "name", name);
  set(node, "value", base::printable(value));
}

/// Says how the target answers a reading, or why that is not known.
std::string in_words(const ReadingAnswer& answer) {
  if (!answer.told.empty()) return fmt::format("{}={}", answer.reading, answer.told);
  if (!answer.not_asked.empty())
    return fmt::format("{}: not asked: {}", answer.reading, answer.not_asked);
  return answer.reading + ": could not be told";
}

/// All answers where the target was asked for them, otherwise those that differ from the profile.
void add_readings(pugi::xml_node properties, const RunHeader& header) {
  if (header.answers.empty()) {
    for (const auto& reading : header.readings) add_property(properties, "reading", reading);
  }
  for (const ReadingAnswer& one : header.answers) {
    add_property(properties, "reading", fmt::format("{}={}", one.reading, one.held));
    if (one.held != one.told) add_property(properties, "reading-told", in_words(one));
  }
  for (const auto& note : header.notes) add_property(properties, "note", note);
}

pugi::xml_node append_suite(pugi::xml_node root, const CertifyResult& result,
                            const std::string& name) {
  auto suite = root.append_child("testsuite");
  set(suite, "name", name);
  set(suite, "timestamp", base::iso_utc(result.header.started));
  auto properties = suite.append_child("properties");
  add_property(properties, "tool", result.header.tool + " " + result.header.version);
  add_property(properties, "target", result.header.target);
  add_property(properties, "suite", result.suite);
  add_property(properties, "verdict", run_verdict(result));
  add_property(properties, "profile", result.header.profile);
  add_readings(properties, result.header);
  return suite;
}

void add_suite(pugi::xml_node root, const CertifyResult& result, const OperationSummary& summary) {
  const auto name = suite_name(result.header, summary.operation);
  auto suite = append_suite(root, result, name);
  set_counts(suite, summary.counts);
  std::chrono::nanoseconds total{};
  for (const auto& one : result.cases) {
    if (one.operation != summary.operation) continue;
    total += one.duration;
    add_case(suite, one, name, result);
  }
  set(suite, "time", seconds(total));
}

/// A test for each finding, which fails; returns their number. `result` may be several as one.
std::size_t add_findings(pugi::xml_node root, const CertifyResult& result) {
  if (result.findings.empty()) return 0;
  const std::string name = suite_name(result.header, "findings");
  auto suite = append_suite(root, result, name);
  VerdictCounts counts;
  counts.fail = result.findings.size();
  set_counts(suite, counts);
  for (const CertifyFinding& one : result.findings) {
    auto test = suite.append_child("testcase");
    set(test, "name", one.id);
    set(test, "classname", name);
    auto failure = test.append_child("failure");
    set(failure, "message", base::printable(one.sentence));
    set(failure, "type", std::string(name_of(one.severity)));
    failure.text().set(finding_in_full(one, result.header).c_str());
  }
  return result.findings.size();
}

/// Why the run as a whole is no success although no case says so; empty when it is one.
std::string run_problem(const CertifyResult& result) {
  if (!result.run_error.empty()) return result.run_error;
  if (result.interrupted) return "interrupted before every chosen case had run";
  const auto counts = count_verdicts(result);
  const auto decided = counts.executed() - counts.unsupported;
  return decided == 0 ? "no case was executed" : "";
}

void add_run_suite(pugi::xml_node root, const CertifyResult& result, const std::string& problem) {
  const auto name = suite_name(result.header, "run");
  auto suite = append_suite(root, result, name);
  set_counts(suite, {}, 1);
  set(suite, "time", seconds(result.header.duration));
  auto test = suite.append_child("testcase");
  set(test, "name", base::printable(result.header.target));
  set(test, "classname", name);
  set(test, "time", seconds(result.header.duration));
  auto error = test.append_child("error");
  set(error, "message", base::printable(problem));
  set(error, "type", "error");
  std::string deaths;
  for (const Death& death : result.deaths) {
    if (death.killer.empty()) deaths += render_death(death, TerminalStyle{}, dump_rows);
  }
  if (!deaths.empty()) error.text().set(deaths.c_str());
}

/// Adds the suites of one run and returns how many errors it has beyond those of its cases.
std::size_t add_run(pugi::xml_node root, const CertifyResult& result) {
  for (const auto& summary : summarise_operations(result)) add_suite(root, result, summary);
  const auto problem = run_problem(result);
  if (!problem.empty()) add_run_suite(root, result, problem);
  return problem.empty() ? 0 : 1;
}

}  // namespace

std::string render_junit(std::span<const CertifyResult> results) {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  auto root = document.append_child("testsuites");
  set(root, "name", "hallmark certify");
  VerdictCounts counts;
  if (!results.empty()) counts.fail = add_findings(root, joined(results));
  std::size_t run_errors = 0;
  std::chrono::nanoseconds total{};
  for (const auto& result : results) {
    run_errors += add_run(root, result);
    counts += count_verdicts(result);
    total += result.header.duration;
  }
  set_counts(root, counts, run_errors);
  set(root, "time", seconds(total));
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

std::string render_junit(const CertifyResult& result) {
  return render_junit(std::span(&result, 1));
}

}  // namespace hallmark::reports
