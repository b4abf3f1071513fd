#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "base/log_file.hpp"
#include "base/output_file.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "cli/certify/certificate_file.hpp"
#include "cli/certify/certify_options.hpp"
#include "cli/certify/reproduction_files.hpp"
#include "cli/certify/suites.hpp"
#include "cli/certify/target_rules.hpp"
#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/interrupt.hpp"
#include "cli/options/or_reason.hpp"
#include "cli/vectors/vectors_directory.hpp"
#include "conformance/drivers/adapter/adapter_certify.hpp"
#include "conformance/drivers/datagram/datagram_certify.hpp"
#include "conformance/engine/basis.hpp"
#include "conformance/engine/run_header.hpp"
#include "reports/badge.hpp"
#include "reports/github_report.hpp"
#include "reports/json_report.hpp"
#include "reports/junit_report.hpp"
#include "reports/tap_report.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::cli {
namespace {

using protocol::Profile;
using reports::ExitCode;

RulesArguments rules_of(const CertifyArguments& arguments) {
  return {arguments.rules, arguments.estimator};
}

std::string directory_of(const CertifyArguments& arguments) {
  return arguments.vectors.empty() ? default_vectors_directory() : arguments.vectors;
}

/// The cases of a dialect of datagrams that the command line chooses.
OrReason<conformance::DatagramCases> make_cases(const CertifyArguments& arguments,
                                                const conformance::KnownRules& known,
                                                const conformance::WireFormat& format) {
  auto cases = all_datagram_cases(directory_of(arguments), format, known);
  if (!cases) return cases.error();
  return conformance::chosen(std::move(*cases), arguments.filter);
}

/// The cases of states that the command line chooses.
OrReason<conformance::AdapterCases> make_adapter_cases(const CertifyArguments& arguments,
                                                       const conformance::Asked& asked,
                                                       LeftOut* left_out = nullptr) {
  const conformance::WireFormat format(protocol::Width::none, conformance::adapter_readings(asked));
  auto cases = all_adapter_cases(directory_of(arguments), format, left_out);
  if (!cases) return cases.error();
  return conformance::chosen_of(std::move(*cases), arguments.filter);
}

/// The suite for what a target is held to, without what the command line does not choose.
OrReason<conformance::Suite> make_suite(const CertifyArguments& arguments,
                                        const conformance::WireFormat& format,
                                        LeftOut* left_out = nullptr) {
  auto suite = whole_suite(directory_of(arguments), format, left_out);
  if (!suite) return suite.error();
  return conformance::chosen(std::move(*suite), arguments.filter);
}

/// Refuses filters that choose no case under either profile, before the target is contacted.
OrReason<void> check_choice(const CertifyArguments& arguments, const conformance::Asked& asked) {
  if (asked.dialect == nullptr || !asked.width) return {};
  if (is_of_states(asked)) {
    const auto cases = make_adapter_cases(arguments, asked);
    return cases ? OrReason<void>() : OrReason<void>(cases.error());
  }
  if (is_of_datagrams(asked)) {
    const auto rules = TargetRules::read(rules_of(arguments), asked);
    if (!rules) return rules.error();
    const auto cases =
        make_cases(arguments, rules->known(),
                   {*asked.width, protocol::Readings(*asked.dialect, Profile::deployed)});
    return cases ? OrReason<void>() : OrReason<void>(cases.error());
  }
  std::string error;
  for (const Profile profile : {Profile::literal, Profile::deployed}) {
    const auto readings = readings_of(*asked.dialect, profile, asked.pins);
    if (!readings) return readings.error().message;
    const auto suite = make_suite(arguments, conformance::WireFormat(*asked.width, *readings));
    if (suite) return {};
    error = suite.error();
  }
  return error;
}

void print(const conformance::CaseEntry& entry) {
  fmt::print("{:<6} {}  {}\n", protocol::name_of(entry.level), entry.id, entry.title);
}

/// The cases for a target that answers as asked for, and otherwise as released servers.
OrReason<void> list(const CertifyArguments& arguments, const conformance::Asked& asked) {
  if (asked.dialect == nullptr || !asked.width) {
    return std::string("--list; allowed: with a --dialect and a --width, not with auto");
  }
  const auto readings =
      readings_of(*asked.dialect, asked.profile.value_or(Profile::deployed), asked.pins);
  if (!readings) return readings.error().message;
  if (is_of_states(asked)) {
    const auto cases = make_adapter_cases(arguments, asked);
    if (!cases) return cases.error();
    for (const auto& one : *cases) print(one.entry);
    return {};
  }
  const conformance::WireFormat format(*asked.width, *readings);
  if (is_of_datagrams(asked)) {
    const auto rules = TargetRules::read(rules_of(arguments), asked);
    if (!rules) return rules.error();
    const auto cases = make_cases(arguments, rules->known(), format);
    if (!cases) return cases.error();
    for (const auto& one : *cases) print(one.entry);
    return {};
  }
  const auto suite = make_suite(arguments, format);
  if (!suite) return suite.error();
  for (const auto& unit : *suite) {
    for (const auto& entry : unit.cases) print(entry);
  }
  return {};
}

std::string in_words(const LeftOut& left_out) {
  std::size_t all = 0;
  std::vector<std::string> answers;
  for (const auto& [answer, scenarios] : left_out) {
    all += scenarios;
    answers.push_back(answer);
  }
  return fmt::format("left out, as right under other answers only: {} of {}",
                     base::counted(all, "vector", "vectors"), fmt::join(answers, ", "));
}

conformance::CertifyOutcome with_note(conformance::CertifyOutcome outcome,
                                      const LeftOut& left_out) {
  if (outcome && !left_out.empty()) outcome->header.notes.push_back(in_words(left_out));
  return outcome;
}

/// Refuses expectations about cases that do not exist for such a target.
OrReason<void> check_expected(const Expectations& expected, const CertifyArguments& arguments,
                              const protocol::Dialect& dialect, protocol::Width width,
                              const conformance::Asked& asked) {
  if (!expected.any()) return {};
  const auto rules = TargetRules::read(rules_of(arguments), asked);
  if (!rules) return rules.error();
  const auto ids =
      all_case_ids(directory_of(arguments), dialect, width, asked.pins, rules->known());
  if (!ids) return ids.error();
  return expected.check(*ids);
}

conformance::CertifyOutcome certify(const CertifyArguments& arguments,
                                    const conformance::CertifyOptions& options,
                                    const Expectations& expected) {
  const auto rules = TargetRules::read(rules_of(arguments), options.asked);
  if (!rules) return rules.error();
  LeftOut left_out;
  if (is_of_states(options.asked)) {
    const auto cases = make_adapter_cases(arguments, options.asked, &left_out);
    if (!cases) return cases.error();
    return with_note(conformance::certify_adapter(*cases, options), left_out);
  }
  if (!is_of_datagrams(options.asked)) {
    auto outcome = conformance::certify(
        [&](const conformance::WireFormat& format) -> OrReason<conformance::Suite> {
          const auto checked =
              check_expected(expected, arguments, format.dialect(), format.width(), options.asked);
          if (!checked) return checked.error();
          return make_suite(arguments, format, &left_out);
        },
        options);
    return with_note(std::move(outcome), left_out);
  }
  return conformance::certify_datagrams(
      [&](const conformance::WireFormat& format) {
        return make_cases(arguments, rules->known(), format);
      },
      options);
}

conformance::CertifyOutcome play(const CertifyArguments& arguments,
                                 conformance::CertifyOptions options,
                                 const Expectations& expected) {
  reports::ProgressLine line(stderr, reports::is_terminal(stderr),
                             reports::style_for(stderr).width);
  options.schedule.on_progress = [&](const conformance::Progress& progress) {
    line.update(progress.done, progress.total, fmt::format("cases · {} failed", progress.failed));
  };
  listen_for_interrupts();
  auto outcome = certify(arguments, options, expected);
  if (outcome) outcome->header.version = HALLMARK_VERSION;
  return outcome;
}

bool write(const std::string& path, const std::string& content) {
  if (path.empty()) return true;
  const auto written = base::write_file(path, content);
  if (!written) complain("certify", written.error().message);
  return static_cast<bool>(written);
}

/// All files that were asked for, each written whole or not at all.
bool write_files(const CertifyArguments& arguments, const reports::CertifyResult& result) {
  using Render = std::string (*)(const reports::CertifyResult&);
  const std::pair<const std::string&, Render> files[] = {{arguments.json, reports::render_json},
                                                         {arguments.junit, reports::render_junit},
                                                         {arguments.tap, reports::render_tap},
                                                         {arguments.badge, reports::render_badge}};
  bool all = true;
  for (const auto& [path, render] : files) {
    if (!path.empty() && !write(path, render(result))) all = false;
  }
  return all;
}

/// Writes what GitHub Actions reads: annotations to standard output, a summary to the file that it
/// names.
bool tell_github(const reports::CertifyResult& result) {
  fmt::print("{}", reports::render_github_annotations(result));
  const char* const summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') return true;
  auto file = base::LogFile::open(summary, base::LogFile::Start::behind_the_end);
  if (file) file->write(reports::render_github_summary(result));
  const auto written = file ? file->flush() : base::Result<void>(file.error());
  if (!written) complain("certify", "GITHUB_STEP_SUMMARY: " + written.error().message);
  return static_cast<bool>(written);
}

ExitCode report(const CertifyArguments& arguments, const reports::CertifyResult& result,
                const Expectations& expected) {
  bool written = write_files(arguments, result);
  if (const auto list = expected.write(); !list) {
    complain("certify", list.error());
    written = false;
  }
  if (result.cases.empty() && !result.run_error.empty()) {
    complain("certify", result.run_error);
  } else {
    fmt::print("{}", expected.shown(result, reports::style_for(stdout)));
  }
  const bool told = !arguments.github || tell_github(result);
  const ExitCode code = expected.exit_code(result);
  return written && told ? code : reports::worst(code, ExitCode::unreachable_or_harness_error);
}

/// The certificate, if one is asked for.
base::Result<void> keep(CertificateFile& file, const CertifyArguments& arguments,
                        const conformance::Asked& asked, const reports::CertifyResult& result) {
  const auto rules = TargetRules::read(rules_of(arguments), asked);
  if (!rules) return base::Error{rules.error()};
  return file.finish({asked, arguments.filter, rules->text(), arguments.estimator}, result);
}

/// Failures cut down, where that is asked for.
void reproduce(const CertifyArguments& arguments, const conformance::Failures& failures,
               const conformance::CertifyOptions& options, reports::CertifyResult& result) {
  if (arguments.reproductions.empty() || result.interrupted) return;
  const auto files = write_reproductions(arguments.reproductions, directory_of(arguments), failures,
                                         options, result);
  if (!files) return complain("certify", files.error().message);
  result.header.notes.push_back(
      fmt::format("{} in {}, and what {} sent that could not be cut down",
                  base::counted(files->cut_down, "reproduction", "reproductions"),
                  arguments.reproductions, base::counted(files->scripts, "case", "cases")));
}

ExitCode run(const CertifyArguments& arguments) {
  auto options = read_certify_options(arguments);
  if (!options) return refuse("certify", options.error());
  if (arguments.list) {
    const auto listed = list(arguments, options->asked);
    return listed ? ExitCode::as_expected : refuse("certify", listed.error());
  }
  const auto choice = check_choice(arguments, options->asked);
  if (!choice) return refuse("certify", choice.error());
  auto expected = Expectations::read(arguments.expectations);
  if (!expected) return refuse("certify", expected.error());
  const conformance::Asked& asked = options->asked;
  if (asked.dialect != nullptr && asked.width) {
    const auto checked = check_expected(*expected, arguments, *asked.dialect, *asked.width, asked);
    if (!checked) return refuse("certify", checked.error());
  }
  auto certificate = CertificateFile::create(arguments.certificate, directory_of(arguments));
  if (!certificate) return refuse("certify", certificate.error().message);
  options->recorder = certificate->recorder();
  conformance::Failures failures;
  if (!arguments.reproductions.empty()) options->failures = &failures;
  auto outcome = play(arguments, *options, *expected);
  if (!outcome) return refuse("certify", outcome.error());
  const auto kept = keep(*certificate, arguments, asked, *outcome);
  options->recorder = nullptr;
  reproduce(arguments, failures, *options, *outcome);
  expected->apply(*outcome);
  const ExitCode code = report(arguments, *outcome, *expected);
  if (kept) return code;
  complain("certify", kept.error().message);
  return reports::worst(code, ExitCode::unreachable_or_harness_error);
}

}  // namespace

void add_certify_command(Command& app, int& exit_code) {
  auto* command =
      app.add_subcommand("certify", "Play vectors and cases against a server and judge");
  const auto arguments = std::make_shared<CertifyArguments>();
  arguments->seed = base::random_seed();
  add_certify_options(*command, *arguments);
  command->footer(
      "Options that choose may be given several times; the cases that all of them choose are\n"
      "played. A choice without a case is an error.\n\n"
      "The target is asked first what it speaks and how it answers what the documents leave open:\n"
      "with --profile auto those answers are what it is held to, otherwise others are failures.\n"
      "Where it speaks something else than what was asked for, nothing more is played.\n\n"
      "Examples:\n"
      "  hallmark certify tcp://127.0.0.1:9000 --width u16\n"
      "  hallmark certify tcp://127.0.0.1:9000 --dialect auto --width auto\n"
      "  hallmark certify tcp://127.0.0.1:9000 --profile literal --reading ip-field=text\n"
      "  hallmark certify udp://127.0.0.1:2000 --rules my.rules --estimator exponential\n"
      "  hallmark certify 'exec:./server --port {port}' --width u8 --junit certify.xml\n"
      "  hallmark certify 'pipe:python3 docs/adapter/ratelimit_state.py'\n"
      "  hallmark certify --list --operation insert --level MUST\n"
      "  hallmark certify tcp://127.0.0.1:9000 --filter '*/query/*' --clause 'ttl.*'");
  command->callback([command, arguments, &exit_code] {
    follow_target(*command, arguments->target, arguments->format);
    exit_code = static_cast<int>(run(*arguments));
  });
}

}  // namespace hallmark::cli
