#include "cli/certify/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/output_file.hpp"
#include "cli/options/command_line.hpp"
#include "reports/saved_result.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::cli {

using reports::CertifyResult;

void add_expectation_options(Command& command, ExpectationArguments& arguments) {
  command
      .add_option("--known-failures", arguments.known_failures,
                  "Failures that do not fail the run, pinned to their codes\n"
                  "(docs/known-failures.md)")
      ->type_name("FILE");
  command
      .add_output("--write-known-failures", arguments.write_known_failures,
                  "Write what fails now as such a file; entries of --known-failures that still\n"
                  "hold are kept")
      ->type_name("FILE");
  command
      .add_option("--baseline", arguments.baseline,
                  "An earlier result of --json: only what changed since is shown, and only what\n"
                  "became worse fails the run")
      ->type_name("FILE");
}

base::Expected<Expectations, std::string> Expectations::read(
    const ExpectationArguments& arguments) {
  Expectations made;
  made.arguments_ = arguments;
  if (!arguments.known_failures.empty()) {
    auto list = conformance::read_known_failures(arguments.known_failures);
    if (!list) return "--known-failures " + list.error();
    made.list_ = std::move(*list);
  }
  if (!arguments.baseline.empty()) {
    auto saved = reports::read_result(arguments.baseline);
    if (!saved) return "--baseline " + saved.error().message;
    auto* const certified = std::get_if<CertifyResult>(&*saved);
    if (certified == nullptr) {
      return fmt::format("--baseline {} is a result of `hallmark load`; allowed: of certify",
                         arguments.baseline);
    }
    made.baseline_ = std::move(*certified);
  }
  return made;
}

base::Expected<void, std::string> Expectations::check(const std::set<std::string>& ids) const {
  if (list_) {
    if (const auto checked = conformance::check_known_failures(*list_, ids); !checked)
      return fmt::format("--known-failures {}: {}", arguments_.known_failures, checked.error());
  }
  if (!baseline_) return {};
  const bool related = std::ranges::any_of(
      baseline_->cases, [&](const reports::CaseResult& one) { return ids.contains(one.id); });
  if (related) return {};
  const reports::RunHeader& header = baseline_->header;
  return fmt::format("--baseline {} is of {} {} with {} cases, none of them one of this target",
                     arguments_.baseline, header.dialect, header.width, baseline_->cases.size());
}

void Expectations::apply(CertifyResult& result) {
  if (!arguments_.write_known_failures.empty()) {
    const auto old = list_.value_or(conformance::KnownFailures{});
    written_ = conformance::render_known_failures(conformance::known_failures_of(result, old));
  }
  if (!list_) return;
  result.header.options.push_back({"known-failures", arguments_.known_failures});
  conformance::apply_known_failures(*list_, result);
}

base::Expected<void, std::string> Expectations::write() const {
  if (arguments_.write_known_failures.empty()) return {};
  const auto written = base::write_file(arguments_.write_known_failures, written_);
  if (!written) return written.error().message;
  return {};
}

std::string Expectations::shown(const CertifyResult& result,
                                const reports::TerminalStyle& style) const {
  if (!baseline_) return reports::render_terminal(result, style);
  return reports::render_comparison(reports::compare(*baseline_, result), result,
                                    arguments_.baseline, style);
}

std::optional<reports::Comparison> Expectations::changes(const CertifyResult& result) const {
  if (!baseline_) return {};
  return reports::compare(*baseline_, result);
}

reports::ExitCode Expectations::exit_code(const CertifyResult& result) const {
  if (!baseline_) return reports::exit_code(result);
  return reports::exit_code(reports::compare(*baseline_, result), result);
}

}  // namespace hallmark::cli
