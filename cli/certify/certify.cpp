#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "base/output_file.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "cli/certify/case_choice.hpp"
#include "cli/certify/certificate_file.hpp"
#include "cli/certify/certify_options.hpp"
#include "cli/certify/certify_progress.hpp"
#include "cli/certify/github_step.hpp"
#include "cli/certify/reproduction_files.hpp"
#include "cli/commands.hpp"
#include "cli/html/html_file.hpp"
#include "cli/live/live_certify.hpp"
#include "cli/live/live_page.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/interrupt.hpp"
#include "cli/options/names.hpp"
#include "cli/options/or_reason.hpp"
#include "cli/vectors/vectors_directory.hpp"
#include "conformance/engine/run_header.hpp"
#include "conformance/findings/findings.hpp"
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
  return {arguments.rules, arguments.estimator, arguments.key_patterns};
}

std::string directory_of(const CertifyArguments& arguments) {
  return arguments.vectors.empty() ? default_vectors_directory() : arguments.vectors;
}

OrReason<CaseChoice> read_choice(const CertifyArguments& arguments,
                                 const conformance::Asked& asked) {
  return CaseChoice::read(directory_of(arguments), arguments.filter, rules_of(arguments), asked);
}

void print(const conformance::CaseEntry& entry) {
  fmt::print("{:<6} {}  {}\n", protocol::name_of(entry.level), entry.id, entry.title);
}

/// Without a target to find them out, a dialect and a width that are open are those that `serve`
/// has.
conformance::Asked as_served(conformance::Asked asked) {
  if (asked.dialect == nullptr) asked.dialect = *dialect_named(FormatArguments().dialect);
  if (!asked.width) asked.width = default_width(*asked.dialect);
  return asked;
}

/// The cases for a target that answers as asked for, and otherwise as released servers.
OrReason<void> list(const CaseChoice& choice, const conformance::Asked& asked) {
  const auto profile = asked.profile.value_or(Profile::deployed);
  const auto cases = choice.chosen({*asked.width, conformance::readings_with_pins(asked, profile)});
  if (!cases) return cases.error();
  for (const conformance::CaseEntry& entry : entries_of(*cases)) print(entry);
  return {};
}

std::string in_words(const conformance::LeftOut& left_out) {
  std::size_t all = 0;
  std::vector<std::string> answers;
  for (const auto& [answer, scenarios] : left_out) {
    all += scenarios;
    answers.push_back(answer);
  }
  return fmt::format("left out, as right under other answers only: {} of {}",
                     base::counted(all, "vector", "vectors"), fmt::join(answers, ", "));
}

/// Expectations have to be of cases that such a target is asked.
OrReason<void> check_expected(const Expectations& expected, const CaseChoice& choice,
                              const protocol::Dialect& dialect, protocol::Width width,
                              const conformance::Asked& asked) {
  if (!expected.any()) return {};
  const auto ids = choice.all_ids(dialect, width, asked.pins);
  if (!ids) return ids.error();
  return expected.check(*ids);
}

/// A target that is started here has no other users.
bool is_exclusive(const conformance::CertifyOptions& options) {
  return options.exclusive || std::holds_alternative<base::ExecEndpoint>(options.target);
}

conformance::CertifyOutcome certify(const CaseChoice& choice,
                                    const conformance::CertifyOptions& options,
                                    const Expectations& expected) {
  conformance::LeftOut left_out;
  auto outcome = conformance::driver_of(options.asked)
                     .certify(
                         [&](const conformance::WireFormat& format)
                             -> conformance::OrReason<conformance::Cases> {
                           const auto checked = check_expected(expected, choice, format.dialect(),
                                                               format.width(), options.asked);
                           if (!checked) return checked.error();
                           auto cases = choice.chosen(format);
                           if (cases) left_out = cases->left_out;
                           return cases;
                         },
                         options);
  if (outcome && !left_out.empty()) outcome->header.notes.push_back(in_words(left_out));
  if (outcome) choice.rules().tell_untested(*outcome, is_exclusive(options));
  return outcome;
}

conformance::CertifyOutcome play(const CaseChoice& choice, conformance::CertifyOptions options,
                                 const Expectations& expected, const Verbosity& verbosity,
                                 LiveCertify* live) {
  CertifyProgress progress(verbosity);
  options.schedule.on_progress = [&](const conformance::Progress& now) {
    progress.show(now);
    if (live != nullptr) live->add(now);
  };
  options.schedule.on_judged = [&](std::span<const reports::CaseResult> cases) {
    progress.add(cases);
    if (live != nullptr) live->add(cases);
  };
  options.readings_needed = [&](const conformance::WireFormat& format) {
    return choice.readings_needed(format);
  };
  listen_for_interrupts();
  auto outcome = certify(choice, options, expected);
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

/// The page says what `expected` makes of the result.
HtmlFile page_of(const CertifyArguments& arguments, const reports::CertifyResult& result,
                 const Expectations& expected) {
  HtmlFile page(Origin::this_run);
  page.add("certify", result, expected.shown(result, {}));
  if (const auto changes = expected.changes(result))
    page.add_changes(*changes, arguments.expectations.baseline);
  return page;
}

/// The style of the report. With --verbose, the report need not fit the terminal.
reports::TerminalStyle report_style(const Verbosity& verbosity) {
  auto style = reports::style_for(stdout);
  if (!verbosity.verbose) return style;
  style.height = 0;
  style.max_failures = std::numeric_limits<std::size_t>::max();
  return style;
}

ExitCode report(const CertifyArguments& arguments, const reports::CertifyResult& result,
                const Expectations& expected, LivePage& live_page) {
  bool written = write_files(arguments, result);
  HtmlFile page = page_of(arguments, result, expected);
  written = page.write_or_complain("certify", arguments.html) && written;
  if (const auto list = expected.write(); !list) {
    complain("certify", list.error());
    written = false;
  }
  if (result.cases.empty() && !result.run_error.empty()) {
    complain("certify", result.run_error);
  } else {
    const Verbosity& verbosity = arguments.verbosity;
    fmt::print("{}", told(expected.shown(result, report_style(verbosity)), verbosity));
  }
  const bool told =
      !arguments.github || tell_github("certify", reports::render_github_annotations(result),
                                       reports::render_github_summary(result));
  const ExitCode code = expected.exit_code(result);
  std::fflush(stdout);  // the results are there while readers take the page
  live_page.finish(page);
  return written && told ? code : reports::worst(code, ExitCode::unreachable_or_harness_error);
}

/// The certificate, if one is asked for.
base::Result<void> keep(CertificateFile& file, const CertifyArguments& arguments,
                        const CaseChoice& choice, const conformance::Asked& asked,
                        const reports::CertifyResult& result) {
  return file.finish(
      {asked, arguments.filter, choice.rules().text(), arguments.estimator, arguments.key_patterns},
      result);
}

/// Failures cut down, where that is asked for.
void reproduce(const CertifyArguments& arguments, const CaseChoice& choice,
               const conformance::Failures& failures, const conformance::CertifyOptions& options,
               reports::CertifyResult& result) {
  if (arguments.reproductions.empty() || result.interrupted) return;
  const auto files =
      write_reproductions(arguments.reproductions, choice.sources(), failures, options, result);
  if (!files) return complain("certify", files.error().message);
  result.header.notes.push_back(
      fmt::format("{} in {}, and what {} sent that could not be cut down",
                  base::counted(files->cut_down, "reproduction", "reproductions"),
                  arguments.reproductions, base::counted(files->scripts, "case", "cases")));
}

ExitCode run(const CertifyArguments& arguments) {
  auto options = read_certify_options(arguments);
  if (!options) return refuse("certify", options.error());
  const conformance::Asked& asked = options->asked;
  const auto choice = read_choice(arguments, asked);
  if (!choice) return refuse("certify", choice.error());
  if (arguments.list) {
    const auto listed = list(*choice, as_served(asked));
    return listed ? ExitCode::as_expected : refuse("certify", listed.error());
  }
  if (const auto checked = choice->check(asked); !checked)
    return refuse("certify", checked.error());
  auto expected = Expectations::read(arguments.expectations);
  if (!expected) return refuse("certify", expected.error());
  if (asked.dialect != nullptr && asked.width) {
    const auto checked = check_expected(*expected, *choice, *asked.dialect, *asked.width, asked);
    if (!checked) return refuse("certify", checked.error());
  }
  auto certificate =
      CertificateFile::create(arguments.certificate, arguments.packets, directory_of(arguments));
  if (!certificate) return refuse("certify", certificate.error().message);
  options->recorder = certificate->recorder();
  conformance::Failures failures;
  if (!arguments.reproductions.empty()) options->failures = &failures;
  LiveCertify live(*options);
  auto live_page = LivePage::open("certify", arguments.live, live);
  if (!live_page) return refuse("certify", live_page.error().message);
  auto outcome = play(*choice, *options, *expected, arguments.verbosity,
                      live_page->wanted() ? &live : nullptr);
  if (!outcome) return refuse("certify", outcome.error());
  const auto kept = keep(*certificate, arguments, *choice, asked, *outcome);
  options->recorder = nullptr;
  reproduce(arguments, *choice, failures, *options, *outcome);
  expected->apply(*outcome);
  outcome->findings = conformance::findings_of(*outcome);
  const ExitCode code = report(arguments, *outcome, *expected, *live_page);
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
      "Hallmark first finds out what the target speaks and how it answers what the documents "
      "leave\n"
      "open. With --profile auto it holds the target to those answers; otherwise other answers "
      "are\n"
      "failures. If the target speaks something else than --dialect and --width say, the run "
      "fails\n"
      "and names the options that are right.\n\n"
      "Examples:\n"
      "  hallmark certify tcp://127.0.0.1:9000\n"
      "  hallmark certify tcp://127.0.0.1:9000 --dialect throttr-7.3 --width u16\n"
      "  hallmark certify tcp://127.0.0.1:9000 --profile literal --reading ip-field=text\n"
      "  hallmark certify udp://127.0.0.1:2000 --rules my.rules --estimator exponential\n"
      "  hallmark certify 'exec:./server --port {port}' --width u8 --junit certify.xml\n"
      "  hallmark certify 'pipe:python3 docs/adapter/ratelimit_state.py'\n"
      "  hallmark certify --list --operation insert --level MUST\n"
      "  hallmark certify tcp://127.0.0.1:9000 --filter '*/query/*' --clause 'ttl.*'\n"
      "  hallmark certify tcp://127.0.0.1:9000 --exclude '*/robustness/*'");
  command->callback([command, arguments, &exit_code] {
    follow_target(*command, arguments->target, arguments->format);
    exit_code = static_cast<int>(run(*arguments));
  });
}

}  // namespace hallmark::cli
