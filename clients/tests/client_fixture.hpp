#pragma once

#include <string>
#include <vector>

#include "clients/run/certify_client.hpp"
#include "cmake/places/places.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::clients::testing {

/// Far beyond what is needed, also under sanitizers.
inline constexpr std::chrono::seconds patience{60};

inline Format format_of(const protocol::Dialect& dialect, protocol::Width width) {
  return {width, protocol::Readings(dialect, protocol::Profile::deployed)};
}

inline Format usual_format() { return format_of(protocol::throttr_7_3, protocol::Width::u16); }

/// The tests of the client that is written in Python, with mistakes.
inline std::vector<std::string> client_command(const Format& format,
                                               const std::vector<std::string>& bugs = {},
                                               const std::string& deadline = "10") {
  const std::string directory = std::string(places::source()) + "/clients/tests/client/";
  // -S and -E: half of the time that Python takes to start.
  // Debian's own: a version manager in front of another takes ten times as long to start.
  std::vector<std::string> command = {"/usr/bin/python3", "-S", "-E", "-B"};
  if (format.over_datagrams()) {
    command.insert(command.end(), {directory + "limiter_client.py"});
  } else {
    command.insert(command.end(), {directory + "throttr_client_test.py", "--dialect",
                                   std::string(format.dialect().name), "--width",
                                   std::string(protocol::name_of(format.width))});
  }
  command.insert(command.end(), {"--port", "{port}", "--deadline", deadline});
  for (const std::string& bug : bugs) command.insert(command.end(), {"--bug", bug});
  return command;
}

inline RunOptions options_for(Format format, std::vector<std::string> command,
                              std::vector<std::string> filters) {
  RunOptions options{std::move(format)};
  options.command = std::move(command);
  options.filters = std::move(filters);
  options.timeout = patience;
  return options;
}

/// Describes what is wrong with a result, for the message of a test.
inline std::string in_words(const ClientResult& result) {
  std::string text = result.baseline.reason;
  for (const std::string& line : result.baseline.output) text += "\n| " + line;
  for (const auto& one : result.perturbations) {
    if (one.verdict == Verdict::passed || one.verdict == Verdict::not_met) continue;
    text += "\n" + one.id + ": " + std::string(name_of(one.verdict)) + ": " + one.reason;
    for (const std::string& line : one.output) text += "\n| " + line;
  }
  for (const auto& clause : result.clauses) {
    if (clause.verdict == ClauseVerdict::broken)
      text += "\n" + clause.id + ": " + clause.reason + " (" + clause.shown_by + ")";
  }
  return text;
}

}  // namespace hallmark::clients::testing
