#pragma once
#include <chrono>
#include <string>

#include "audit/run.hpp"
#include "reports/terminal.hpp"

namespace hallmark::audit {

/// The subject of a run and its outcome.
struct Report {
  std::string version{};
  std::string store{};  ///< without a password
  std::string match = "*";
  Limits limits{};
  std::chrono::sys_time<std::chrono::milliseconds> started{};
  RunResult run{};
};

/// Renders the report for people. The findings come at the end, where a terminal's last screen
/// shows them.
std::string render_terminal(const Report& report, const reports::TerminalStyle& style);

/// Renders the report as reports/schema/audit.schema.json describes it.
std::string render_json(const Report& report);

}  // namespace hallmark::audit
