#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "base/text.hpp"
#include "base/utc.hpp"
#include "cli/certify_client/client_report.hpp"

namespace hallmark::cli {
namespace {

using clients::ClauseVerdict;
using clients::ClientResult;
using clients::PerturbationResult;
using clients::Verdict;

void set_attribute(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

std::string in_seconds(std::chrono::nanoseconds duration) {
  return fmt::format("{:.6f}", std::chrono::duration<double>(duration).count());
}

struct Tally {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

void set_tally(pugi::xml_node node, const Tally& tally) {
  set_attribute(node, "tests", std::to_string(tally.tests));
  set_attribute(node, "failures", std::to_string(tally.failures));
  set_attribute(node, "errors", std::to_string(tally.errors));
  set_attribute(node, "skipped", std::to_string(tally.skipped));
}

void add_outcome(pugi::xml_node test, const char* element, std::string_view type,
                 const std::string& message, const std::string& text = {}) {
  auto node = test.append_child(element);
  set_attribute(node, "message", base::printable(message));
  set_attribute(node, "type", std::string(type));
  if (!text.empty()) node.text().set(text.c_str());
}

void add_perturbation(pugi::xml_node suite, const PerturbationResult& one, Tally& tally) {
  auto test = suite.append_child("testcase");
  set_attribute(test, "name", one.id);
  set_attribute(test, "classname", "certify-client." + one.kind);
  set_attribute(test, "time", in_seconds(one.duration));
  ++tally.tests;
  const auto type = clients::name_of(one.verdict);
  switch (one.verdict) {
    case Verdict::passed: return;
    case Verdict::fails:
      ++tally.failures;
      return add_outcome(test, "failure", type, one.reason,
                         base::printable(fmt::format("{}", fmt::join(one.output, " | "))));
    case Verdict::error: ++tally.errors; return add_outcome(test, "error", type, one.reason);
    case Verdict::not_played: ++tally.errors; return add_outcome(test, "error", type, "not played");
    case Verdict::not_judged:
    case Verdict::not_met: ++tally.skipped; return add_outcome(test, "skipped", type, one.reason);
  }
}

pugi::xml_node add_client_suite(pugi::xml_node root, const ClientResult& result,
                                const std::string& name) {
  auto suite = root.append_child("testsuite");
  set_attribute(suite, "name",
                fmt::format("{}{}{}/{}", result.dialect, result.width.empty() ? "" : "/",
                            result.width, name));
  set_attribute(suite, "timestamp", base::iso_utc(result.started));
  return suite;
}

Tally add_kind(pugi::xml_node root, const ClientResult& result, const std::string& kind) {
  Tally tally;
  auto suite = add_client_suite(root, result, kind);
  for (const PerturbationResult& one : result.perturbations) {
    if (one.kind == kind) add_perturbation(suite, one, tally);
  }
  set_tally(suite, tally);
  return tally;
}

/// A broken MUST fails; what is broken of the other levels is told as skipped.
Tally add_clauses(pugi::xml_node root, const ClientResult& result) {
  Tally tally;
  auto suite = add_client_suite(root, result, "clauses");
  for (const auto& clause : result.clauses) {
    auto test = suite.append_child("testcase");
    set_attribute(test, "name", clause.id);
    set_attribute(test, "classname", "certify-client.clauses");
    ++tally.tests;
    if (clause.verdict == ClauseVerdict::kept) continue;
    const bool fails =
        clause.verdict == ClauseVerdict::broken && clause.level == protocol::Level::must;
    ++(fails ? tally.failures : tally.skipped);
    add_outcome(test, fails ? "failure" : "skipped", clients::name_of(clause.verdict),
                clause.reason.empty() ? clause.text : clause.reason);
  }
  set_tally(suite, tally);
  return tally;
}

Tally add_baseline(pugi::xml_node root, const ClientResult& result) {
  Tally tally{1, 0, 0, 0};
  auto suite = add_client_suite(root, result, "baseline");
  auto test = suite.append_child("testcase");
  set_attribute(test, "name", "baseline");
  set_attribute(test, "classname", "certify-client.baseline");
  set_attribute(test, "time", in_seconds(result.baseline.duration));
  if (!result.baseline.passed) {
    tally.errors = 1;
    add_outcome(test, "error", "error", result.baseline.reason);
  }
  set_tally(suite, tally);
  return tally;
}

}  // namespace

std::string render_client_junit(const ClientResult& result) {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  set_attribute(declaration, "version", "1.0");
  set_attribute(declaration, "encoding", "UTF-8");
  auto root = document.append_child("testsuites");
  set_attribute(root, "name", "hallmark certify-client");
  Tally all = add_baseline(root, result);
  const auto add = [&all](const Tally& one) {
    all = {all.tests + one.tests, all.failures + one.failures, all.errors + one.errors,
           all.skipped + one.skipped};
  };
  std::vector<std::string> kinds;
  for (const PerturbationResult& one : result.perturbations) {
    if (std::ranges::find(kinds, one.kind) == kinds.end()) kinds.push_back(one.kind);
  }
  for (const std::string& kind : kinds) add(add_kind(root, result, kind));
  add(add_clauses(root, result));
  set_tally(root, all);
  set_attribute(root, "time", in_seconds(result.duration));
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

}  // namespace hallmark::cli
