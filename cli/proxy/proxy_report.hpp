#pragma once

#include <chrono>
#include <string>

#include "proxy/proxy.hpp"
#include "reports/terminal.hpp"

/// The output of `hallmark proxy`, for terminals and files.
namespace hallmark::cli {

struct ProxyRun {
  proxy::ProxyOptions options{};
  std::string listen;  ///< with the port that the system chose
  std::string target;  ///< with the address of its name
  std::chrono::sys_time<std::chrono::milliseconds> started{};
  std::chrono::nanoseconds duration{};
  proxy::Summary summary{};
};

/// A table with a column for each direction, and a line for whatever the proxy lost of its own.
std::string render_proxy_terminal(const ProxyRun& run, const reports::TerminalStyle& style);

/// JSON after proxy/schema/proxy.schema.json.
std::string render_proxy_json(const ProxyRun& run);

/// One line of the log, JSON after proxy/schema/decision.schema.json, with its newline. Nothing in
/// it tells the time: the logs of two runs differ where their faults do.
std::string render_decision(const proxy::Decision& decision);

}  // namespace hallmark::cli
