#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/output_file.hpp"
#include "base/quantity.hpp"
#include "base/read_file.hpp"
#include "base/text.hpp"
#include "cli/certify/github_step.hpp"
#include "cli/commands.hpp"
#include "cli/html/html_file.hpp"
#include "cli/html/saved_document.hpp"
#include "cli/html/this_machine.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "loadgen/results/compare.hpp"
#include "loadgen/results/merge.hpp"
#include "reports/badge.hpp"
#include "reports/certify/comparison.hpp"
#include "reports/certify/joined.hpp"
#include "reports/github_report.hpp"
#include "reports/json_report.hpp"
#include "reports/junit_report.hpp"
#include "reports/saved_result.hpp"
#include "reports/tap_report.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::cli {
namespace {

using reports::CertifyResult;
using reports::ExitCode;
using reports::LoadResult;
using reports::SavedResult;

struct CompareOptions {
  std::string before;
  std::string now;
  std::string json;
  std::string html;
  double at_least = 5;  ///< percent
};

struct ReportOptions {
  std::vector<std::string> files;
  std::string json;
  std::string html;
  std::string junit;
  std::string tap;
  std::string badge;
  std::string csv;
  bool github = false;
  bool done = false;  ///< by `compare` or `merge`
};

/// All of the files, or none after a line for each that cannot be read.
std::vector<SavedResult> read_results(const std::vector<std::string>& files) {
  std::vector<SavedResult> results;
  for (const auto& file : files) {
    auto read = reports::read_result(file);
    if (read) {
      results.push_back(std::move(*read));
    } else {
      complain("report", read.error().message);
    }
  }
  if (results.size() != files.size()) results.clear();
  return results;
}

/// The results, or none where one of another kind is among them.
template <class T>
std::vector<T> all_of_kind(const std::vector<SavedResult>& results) {
  std::vector<T> chosen;
  for (const auto& result : results) {
    if (const auto* one = std::get_if<T>(&result)) chosen.push_back(*one);
  }
  if (chosen.size() != results.size()) chosen.clear();
  return chosen;
}

ExitCode write_json(const std::string& path, const std::vector<SavedResult>& results) {
  if (results.size() > 1) {
    complain("report", fmt::format("--json takes one result, came {}", results.size()));
    return ExitCode::usage;
  }
  const auto json =
      std::visit([](const auto& one) { return reports::render_json(one); }, results.front());
  return write_or_complain("report", path, json) ? ExitCode::as_expected
                                                 : ExitCode::unreachable_or_harness_error;
}

template <class T>
void add_to_page(HtmlFile& page, const std::string& name, const T& result) {
  constexpr bool series =
      std::is_same_v<T, reports::Knee> || std::is_same_v<T, reports::LoadComparison>;
  if constexpr (series) {
    page.add(name, reports::render_terminal(result, {}), reports::render_json(result));
  } else {
    page.add(name, result);
  }
}

/// Kill matrices and audits by the file that they are in.
using Documents = std::map<std::string, SavedDocument>;

/// All results and documents on one page, in the order in which they were named.
bool write_page(const ReportOptions& options, const std::vector<SavedResult>& results,
                const Documents& documents) {
  if (options.html.empty()) return true;
  HtmlFile page(Origin::files, options.files.size());
  auto result = results.begin();
  for (const std::string& file : options.files) {
    if (const auto found = documents.find(file); found != documents.end()) {
      page.add(file, found->second.verdict, found->second.json);
    } else {
      std::visit([&](const auto& one) { add_to_page(page, file, one); }, *result++);
    }
  }
  return page.write_or_complain("report", options.html);
}

/// A file that results of certify can be written as, all of them as one.
struct CertifyOutput {
  std::string_view option;
  const std::string& path;  ///< empty: not asked for
  std::string (*render)(const std::vector<CertifyResult>&);
};

std::vector<CertifyOutput> certify_outputs(const ReportOptions& options) {
  using Results = std::vector<CertifyResult>;
  return {{"--junit", options.junit, [](const Results& all) { return reports::render_junit(all); }},
          {"--tap", options.tap,
           [](const Results& all) { return reports::render_tap(reports::joined(all)); }},
          {"--badge", options.badge,
           [](const Results& all) { return reports::render_badge(reports::joined(all)); }}};
}

/// The first option that is given and has no meaning for results of `hallmark load`; or empty.
std::string_view option_of_certify(const ReportOptions& options) {
  for (const CertifyOutput& output : certify_outputs(options)) {
    if (!output.path.empty()) return output.option;
  }
  return options.github ? "--github" : "";
}

bool write_certified(const ReportOptions& options, const std::vector<CertifyResult>& certified) {
  bool all = true;
  for (const CertifyOutput& output : certify_outputs(options)) {
    if (!output.path.empty() && !write_or_complain("report", output.path, output.render(certified)))
      all = false;
  }
  return all;
}

/// The seconds of a load, or the runs of a search.
ExitCode write_csv(const std::string& path, const std::vector<SavedResult>& results) {
  std::string csv;
  if (const auto loads = all_of_kind<LoadResult>(results); loads.size() == 1)
    csv = reports::render_csv(loads.front().series);
  if (const auto knees = all_of_kind<reports::Knee>(results); knees.size() == 1)
    csv = reports::render_csv(knees.front());
  if (csv.empty()) {
    complain("report", "--csv takes one result of `hallmark load`: a run, or a search");
    return ExitCode::usage;
  }
  return write_or_complain("report", path, csv) ? ExitCode::as_expected
                                                : ExitCode::unreachable_or_harness_error;
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

/// Results of certify are one summary.
ExitCode show_certified(const ReportOptions& options, const std::vector<CertifyResult>& certified) {
  const bool written = write_certified(options, certified);
  fmt::print("{}", reports::render_terminal(certified, reports::style_for(stdout)));
  const CertifyResult all = reports::joined(certified);
  const bool told =
      !options.github || tell_github("report", reports::render_github_annotations(all),
                                     reports::render_github_summary(certified));
  const ExitCode code = reports::exit_code(all);
  return written && told ? code : reports::worst(code, ExitCode::unreachable_or_harness_error);
}

/// The first option besides --html that asks for a file; or empty.
std::string_view other_option(const ReportOptions& options) {
  if (!options.json.empty()) return "--json";
  return options.csv.empty() ? option_of_certify(options) : "--csv";
}

/// Reads all of the files, each of them once. Returns false after a line for each that cannot be
/// read.
bool read_all(const std::vector<std::string>& files, std::vector<SavedResult>& results,
              Documents& documents) {
  const auto read = [&](const std::string& file) -> base::Result<void> {
    const auto text = base::read_file(file, reports::most_saved_bytes, "a saved result");
    if (!text) return text.error();
    auto document = parse_document(*text, file);
    if (!document) return document.error();
    if (*document) {
      documents.emplace(file, std::move(**document));
      return {};
    }
    auto result = reports::parse_result(*text, file, document_formats());
    if (!result) return result.error();
    results.push_back(std::move(*result));
    return {};
  };
  bool all = true;
  for (const std::string& file : files) {
    if (const auto done = read(file); !done) {
      complain("report", done.error().message);
      all = false;
    }
  }
  return all;
}

ExitCode show(const std::vector<std::string>& files, const Documents& documents) {
  auto code = ExitCode::as_expected;
  for (const std::string& file : files) {
    const auto found = documents.find(file);
    if (found == documents.end()) continue;
    fmt::print("{}: {}\n", base::printable(file), found->second.verdict);
    code = reports::worst(code, found->second.code);
  }
  return code;
}

ExitCode run(const ReportOptions& options) {
  if (options.files.empty()) {
    complain("report",
             "FILE is missing; allowed: results written with --json, or compare OLD NEW, or merge "
             "FILE…");
    return ExitCode::usage;
  }
  std::vector<SavedResult> results;
  Documents documents;
  if (!read_all(options.files, results, documents)) return ExitCode::usage;
  if (results.empty()) {
    if (const auto option = other_option(options); !option.empty())
      return refuse("report", fmt::format("{} does not take kill matrices and audits; allowed: "
                                          "--html",
                                          option));
    const bool page = write_page(options, results, documents);
    const ExitCode code = show(options.files, documents);
    return page ? code : ExitCode::unreachable_or_harness_error;
  }
  const auto certified = all_of_kind<CertifyResult>(results);
  if (const auto option = option_of_certify(options); certified.empty() && !option.empty()) {
    complain("report", fmt::format("{} takes results of `hallmark certify`, came one of `hallmark "
                                   "load`",
                                   option));
    return ExitCode::usage;
  }
  if (!options.json.empty()) {
    const auto written = write_json(options.json, results);
    if (written != ExitCode::as_expected) return written;
  }
  if (!options.csv.empty()) {
    const auto written = write_csv(options.csv, results);
    if (written != ExitCode::as_expected) return written;
  }
  const bool page = write_page(options, results, documents);
  const ExitCode shown = certified.empty() ? show(results) : show_certified(options, certified);
  const ExitCode code = reports::worst(shown, show(options.files, documents));
  return page ? code : reports::worst(code, ExitCode::unreachable_or_harness_error);
}

/// How a load was made: its target, its time and its options.
base::Json run_of(const std::string& file, const LoadResult& load) {
  base::Json options = base::Json::array();
  options.push_back(
      {{"name", "rate"},
       {"value", load.rate_asked ? fmt::format("{}/s", *load.rate_asked) : "closed loop"}});
  options.push_back({{"name", "duration"}, {"value", base::human_duration(load.header.duration)}});
  for (const reports::Option& option : load.header.options)
    options.push_back({{"name", option.name}, {"value", option.value}});
  return {{"file", file}, {"target", load.header.target}, {"options", std::move(options)}};
}

/// Shows a comparison of what was saved in two files, and writes it where that was asked for.
/// `runs`: how these were made, as far as the files say so.
ExitCode show_comparison(reports::LoadComparison comparison, const CompareOptions& options,
                         base::Json runs = base::Json::array()) {
  comparison.before = fmt::format("{}  {}", options.before, comparison.before);
  comparison.now = fmt::format("{}  {}", options.now, comparison.now);
  fmt::print("{}", reports::render_terminal(comparison, reports::style_for(stdout)));
  HtmlFile page(Origin::files);
  page.add("compare", reports::render_terminal(comparison, {}), reports::render_json(comparison));
  page.add_fact("command", command_of_this_process());
  page.add_fact("runs", std::move(runs));
  if (!page.write_or_complain("report", options.html))
    return ExitCode::unreachable_or_harness_error;
  if (!options.json.empty() &&
      !write_or_complain("report", options.json, reports::render_json(comparison)))
    return ExitCode::unreachable_or_harness_error;
  return reports::exit_code(comparison);
}

ExitCode compare_loads(const std::vector<LoadResult>& loads, const CompareOptions& options) {
  auto comparison = loadgen::compare(loads[0], loads[1], options.at_least / 100);
  if (!comparison) {
    complain("report", comparison.error().message);
    return ExitCode::usage;
  }
  base::Json runs = base::Json::array();
  runs.push_back(run_of(options.before, loads[0]));
  runs.push_back(run_of(options.now, loads[1]));
  return show_comparison(std::move(*comparison), options, std::move(runs));
}

ExitCode merge(const std::vector<std::string>& files, const std::string& json,
               const std::string& html) {
  const auto results = read_results(files);
  if (results.empty()) return ExitCode::usage;
  const auto loads = all_of_kind<LoadResult>(results);
  if (loads.empty()) {
    complain("report",
             "merge takes results of runs of `hallmark load`; another kind of result came");
    return ExitCode::usage;
  }
  const auto merged = loadgen::merge(loads, files);
  if (!merged) {
    complain("report", merged.error().message);
    return ExitCode::usage;
  }
  if (!json.empty() && !write_or_complain("report", json, reports::render_json(*merged)))
    return ExitCode::unreachable_or_harness_error;
  HtmlFile page(Origin::files, 1 + loads.size());
  page.add("all together", *merged);
  for (std::size_t i = 0; i < loads.size(); ++i) page.add(files[i], loads[i]);
  if (!page.write_or_complain("report", html)) return ExitCode::unreachable_or_harness_error;
  return show({*merged});
}

ExitCode compare_results(const CompareOptions& options) {
  const std::string& before = options.before;
  const std::string& now = options.now;
  const auto results = read_results({before, now});
  if (results.empty()) return ExitCode::usage;
  if (const auto loads = all_of_kind<LoadResult>(results); !loads.empty())
    return compare_loads(loads, options);
  if (const auto knees = all_of_kind<reports::Knee>(results); !knees.empty())
    return show_comparison(loadgen::compare(knees[0], knees[1], options.at_least / 100), options);
  if (!options.json.empty()) {
    complain("report", "compare --json takes results of `hallmark load`");
    return ExitCode::usage;
  }
  const auto certified = all_of_kind<CertifyResult>(results);
  if (certified.empty()) {
    complain("report",
             "compare takes two results of `hallmark certify`, two of `hallmark load`, or two of "
             "its --search");
    return ExitCode::usage;
  }
  const auto comparison = reports::compare(certified[0], certified[1]);
  if (comparison.unrelated()) {
    complain("report", fmt::format("{} and {} have no case in common", before, now));
    return ExitCode::usage;
  }
  fmt::print("{}", reports::render_comparison(comparison, certified[1], before,
                                              reports::style_for(stdout)));
  HtmlFile page(Origin::files);
  page.add(now, certified[1], reports::render_comparison(comparison, certified[1], before, {}));
  page.add_changes(comparison, before);
  if (!page.write_or_complain("report", options.html))
    return ExitCode::unreachable_or_harness_error;
  return reports::exit_code(comparison, certified[1]);
}

void add_compare_command(Command& report, const std::shared_ptr<ReportOptions>& whole,
                         int& exit_code) {
  auto* command = report.add_subcommand("compare", "Show what changed between two results");
  const auto options = std::make_shared<CompareOptions>();
  command->add_option("OLD", options->before, "The earlier result")->required();
  command->add_option("NEW", options->now, "The later result")->required();
  command
      ->add_option("--at-least", options->at_least,
                   "Of loads: percent below which no difference counts")
      ->range(0.0, 1000.0)
      ->capture_default_str();
  command->add_output("--json", options->json, "Of loads: write the comparison as JSON");
  command->add_output("--html", options->html, "Write the comparison as a page");
  command->footer(
      "The exit code is 1 where something became worse; docs/known-failures.md says what that "
      "is.\nOf loads: where a quantile or the throughput differs by more than chance and "
      "--at-least explain.\n\n"
      "Example:\n"
      "  hallmark report compare yesterday.json today.json");
  command->callback([options, whole, &exit_code] {
    whole->done = true;
    exit_code = static_cast<int>(compare_results(*options));
  });
}

void add_merge_command(Command& report, const std::shared_ptr<ReportOptions>& whole,
                       int& exit_code) {
  auto* command = report.add_subcommand("merge", "Add several load results up, without loss");
  const auto files = std::make_shared<std::vector<std::string>>();
  const auto json = std::make_shared<std::string>();
  const auto html = std::make_shared<std::string>();
  command->add_option("FILE", *files, "Results of `hallmark load --json`")->required();
  command->add_output("--json", *json, "Write the sum as JSON");
  command->add_output("--html", *html, "Write the sum and its parts as a page");
  command->footer(
      "Counts and histograms are added; quantiles follow from the sum. Runs at the same time add "
      "up\n"
      "their rates, runs one after the other their durations.\n\n"
      "Example:\n"
      "  hallmark report merge machine-1.json machine-2.json --json both.json");
  command->callback([files, json, html, whole, &exit_code] {
    whole->done = true;
    exit_code = static_cast<int>(merge(*files, *json, *html));
  });
}

}  // namespace

void add_report_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand("report", "Render saved results of certify or load again");
  const auto options = std::make_shared<ReportOptions>();
  command->add_option("FILE", options->files, "Results written with --json");
  command->add_output("--json", options->json, "Write the result as JSON, checked and rewritten");
  command->add_output(
      "--html", options->html,
      "Write the results as one page with charts; of kill matrices and audits, too");
  command->add_output("--csv", options->csv,
                      "Write the seconds of a load, or the runs of a search, as CSV");
  command->add_output("--junit", options->junit, "Write certify results as one JUnit XML file");
  command->add_output("--tap", options->tap, "Write certify results as one run of TAP version 14");
  command->add_output("--badge", options->badge, "Write one SVG badge of all certify results");
  command->add_flag(
      "--github", options->github,
      "In a step of GitHub Actions: annotate failures, and add to the step's summary");
  command->footer(
      "Several results of certify, such as those of the four widths, are one summary. The exit "
      "code\n"
      "is that of the worst result.\n\n"
      "Examples:\n"
      "  hallmark report certify-u16.json\n"
      "  hallmark report certify-u8.json certify-u16.json --junit certify.xml --badge badge.svg\n"
      "  hallmark report load.json");
  add_compare_command(*command, options, exit_code);
  add_merge_command(*command, options, exit_code);
  command->callback([options, &exit_code] {
    if (!options->done) exit_code = static_cast<int>(run(*options));
  });
}

}  // namespace hallmark::cli
