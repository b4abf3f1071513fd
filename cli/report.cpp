#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cli/commands.hpp"
#include "reports/atomic_file.hpp"
#include "reports/comparison.hpp"
#include "reports/json_report.hpp"
#include "reports/junit_report.hpp"
#include "reports/saved_result.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::cli {
namespace {

using reports::CertifyResult;
using reports::ExitCode;
using reports::SavedResult;

struct ReportOptions {
  std::vector<std::string> files;
  std::string json;
  std::string junit;
  bool comparing = false;  ///< it was all done by `compare`
};

void complain(const std::string& message) { fmt::print(stderr, "hallmark report: {}\n", message); }

/// All of the files, or none after a line for each that cannot be read.
std::vector<SavedResult> read_all(const std::vector<std::string>& files) {
  std::vector<SavedResult> results;
  for (const auto& file : files) {
    auto read = reports::read_result(file);
    if (read) {
      results.push_back(std::move(*read));
    } else {
      complain(read.error().message);
    }
  }
  if (results.size() != files.size()) results.clear();
  return results;
}

bool write(const std::string& path, const std::string& content) {
  const auto written = reports::write_file_atomically(path, content);
  if (!written) complain(written.error().message);
  return static_cast<bool>(written);
}

/// The certify results, or none where a load result is among them.
std::vector<CertifyResult> certify_results(const std::vector<SavedResult>& results) {
  std::vector<CertifyResult> chosen;
  for (const auto& result : results) {
    if (const auto* one = std::get_if<CertifyResult>(&result)) chosen.push_back(*one);
  }
  if (chosen.size() != results.size()) chosen.clear();
  return chosen;
}

ExitCode write_json(const std::string& path, const std::vector<SavedResult>& results) {
  if (results.size() > 1) {
    complain(fmt::format("--json takes one result, came {}", results.size()));
    return ExitCode::usage;
  }
  const auto json =
      std::visit([](const auto& one) { return reports::render_json(one); }, results.front());
  return write(path, json) ? ExitCode::as_expected : ExitCode::unreachable_or_harness_error;
}

ExitCode write_junit(const std::string& path, const std::vector<SavedResult>& results) {
  const auto certified = certify_results(results);
  if (certified.empty()) {
    complain("--junit takes results of `hallmark certify`, came one of `hallmark load`");
    return ExitCode::usage;
  }
  const auto xml = reports::render_junit(certified);
  return write(path, xml) ? ExitCode::as_expected : ExitCode::unreachable_or_harness_error;
}

ExitCode show(const std::vector<SavedResult>& results) {
  const auto style = reports::style_for(stdout);
  auto code = ExitCode::as_expected;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto text = std::visit(
        [&](const auto& one) {
          code = reports::worst(code, reports::exit_code(one));
          return reports::render_terminal(one, style);
        },
        results[i]);
    fmt::print("{}{}", i > 0 ? "\n" : "", text);
  }
  return code;
}

ExitCode run(const ReportOptions& options) {
  if (options.files.empty()) {
    complain("FILE is missing; allowed: results written with --json, or compare OLD NEW");
    return ExitCode::usage;
  }
  const auto results = read_all(options.files);
  if (results.empty()) return ExitCode::usage;
  auto written = ExitCode::as_expected;
  if (!options.json.empty()) written = write_json(options.json, results);
  if (written == ExitCode::as_expected && !options.junit.empty()) {
    written = write_junit(options.junit, results);
  }
  return written == ExitCode::as_expected ? show(results) : written;
}

ExitCode compare(const std::string& before, const std::string& now) {
  const auto results = read_all({before, now});
  if (results.empty()) return ExitCode::usage;
  const auto certified = certify_results(results);
  if (certified.empty()) {
    complain("compare takes results of `hallmark certify`, came one of `hallmark load`");
    return ExitCode::usage;
  }
  const auto comparison = reports::compare(certified[0], certified[1]);
  if (comparison.unrelated()) {
    complain(fmt::format("{} and {} have no case in common", before, now));
    return ExitCode::usage;
  }
  fmt::print("{}", reports::render_comparison(comparison, certified[1], before,
                                              reports::style_for(stdout)));
  return reports::exit_code(comparison, certified[1]);
}

struct CompareOptions {
  std::string before;
  std::string now;
};

void add_compare_command(CLI::App& report, const std::shared_ptr<ReportOptions>& whole,
                         int& exit_code) {
  auto* command = report.add_subcommand("compare", "Show what changed between two certify results");
  const auto options = std::make_shared<CompareOptions>();
  command->add_option("OLD", options->before, "The earlier result")->required();
  command->add_option("NEW", options->now, "The later result")->required();
  command->footer(
      "The exit code is 1 where something became worse; docs/known-failures.md says what that "
      "is.\n\n"
      "Example:\n"
      "  hallmark report compare yesterday.json today.json");
  command->callback([options, whole, &exit_code] {
    whole->comparing = true;
    exit_code = static_cast<int>(compare(options->before, options->now));
  });
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("report", "Render saved results of certify or load again");
  const auto options = std::make_shared<ReportOptions>();
  command->add_option("FILE", options->files, "Results written with --json");
  command->add_option("--json", options->json, "Write the result as JSON, checked and rewritten")
      ->type_name("FILE");
  command->add_option("--junit", options->junit, "Write certify results as one JUnit XML file")
      ->type_name("FILE");
  command->footer(
      "The exit code is that of the worst result.\n\n"
      "Examples:\n"
      "  hallmark report certify-u16.json\n"
      "  hallmark report certify-u8.json certify-u16.json --junit certify.xml\n"
      "  hallmark report load.json");
  add_compare_command(*command, options, exit_code);
  command->callback([options, &exit_code] {
    if (!options->comparing) exit_code = static_cast<int>(run(*options));
  });
}

}  // namespace hallmark::cli
