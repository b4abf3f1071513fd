#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/text.hpp"
#include "cli/certify_client/client_options.hpp"
#include "cli/certify_client/client_report.hpp"
#include "cli/commands.hpp"
#include "cli/html/html_file.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/interrupt.hpp"

namespace hallmark::cli {
namespace {

using reports::ExitCode;

ExitCode list_perturbations(const clients::RunOptions& options) {
  using reports::Align;
  reports::Table table({Align::left, Align::left, Align::left, Align::left});
  const auto all = clients::chosen(options.format, options.filters);
  for (const clients::Perturbation& one : all) {
    table.add({one.id, one.legal ? "legal" : "wrong", std::string(clients::name_of(one.demand)),
               one.title});
  }
  fmt::print("{}{}\n", table.render(), base::counted(all.size(), "perturbation", "perturbations"));
  return ExitCode::as_expected;
}

/// Shows how far the run is, and with --verbose each perturbation as it is judged.
class Progress {
 public:
  explicit Progress(const Verbosity& verbosity)
      : verbose_(verbosity.verbose), lines_(stderr, !verbosity.quiet) {}

  void judged(const clients::PerturbationResult& one, std::size_t done, std::size_t total) {
    failed_ += one.verdict == clients::Verdict::fails ? 1 : 0;
    if (verbose_) {
      lines_.clear();
      fmt::print("{}", render_perturbation_line(one, reports::style_for(stdout)));
      std::fflush(stdout);
    }
    lines_.update(done, total, fmt::format("perturbations · {} failed", failed_));
  }
  void clear() { lines_.clear(); }

 private:
  bool verbose_;
  std::size_t failed_ = 0;
  reports::ProgressLines lines_;
};

/// Returns false after a complaint.
bool write_reports(const CertifyClientArguments& arguments, const clients::ClientResult& result) {
  const bool json = arguments.json.empty() ||
                    write_or_complain("certify-client", arguments.json, render_client_json(result));
  const bool junit = arguments.junit.empty() || write_or_complain("certify-client", arguments.junit,
                                                                  render_client_junit(result));
  HtmlFile page(Origin::this_run);
  if (!arguments.html.empty())
    page.add("certify-client", render_client_terminal(result, uncut, true),
             render_client_json(result));
  const bool html = page.write_or_complain("certify-client", arguments.html);
  return json && junit && html;
}

/// Returns false after a complaint.
bool commit(std::optional<pcapng::Writer>& packets) {
  if (!packets) return true;
  const auto written = packets->commit();
  if (!written) complain("certify-client", written.error().message);
  return written.has_value();
}

ExitCode run(const CertifyClientArguments& arguments) {
  auto options = read_certify_client_options(arguments);
  if (!options) return refuse("certify-client", options.error().message);
  if (arguments.list) return list_perturbations(*options);
  std::optional<pcapng::Writer> packets;
  if (!arguments.packets.empty()) {
    auto opened = pcapng::Writer::create(arguments.packets, "hallmark " HALLMARK_VERSION);
    if (!opened)
      return refuse("certify-client", opened.error().message,
                    ExitCode::unreachable_or_harness_error);
    packets.emplace(std::move(*opened));
    options->packets = &*packets;
  }
  listen_for_interrupts();
  Progress progress(arguments.verbosity);
  options->judged = [&progress](const auto& one, std::size_t done, std::size_t total) {
    progress.judged(one, done, total);
  };
  const clients::ClientResult result = clients::certify_client(*options);
  progress.clear();
  const std::string report =
      render_client_terminal(result, reports::style_for(stdout), arguments.verbosity.verbose);
  fmt::print("{}", told(report, arguments.verbosity));
  if (arguments.verbosity.quiet && !result.baseline.passed)
    complain("certify-client", result.baseline.reason);
  const bool captured = commit(packets);
  if (!write_reports(arguments, result) || !captured) return ExitCode::unreachable_or_harness_error;
  return clients::exit_code_of(result);
}

}  // namespace

void add_certify_client_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand(
      "certify-client", "Run a client's own tests against a server that is disturbed on purpose");
  const auto arguments = std::make_shared<CertifyClientArguments>();
  add_certify_client_options(*command, *arguments);
  command->footer(
      "Runs the command once against the reference server as it is, which has to pass, and then\n"
      "once per perturbation. Where what comes is legal and what the tests expect, the command "
      "has\nto exit with 0; where no server may send it, with another code. In no case may it die "
      "of a\nsignal, or not end. docs/clients.md says what each verdict means.\n"
      "Exit codes: 0 nothing failed; 1 a perturbation failed, or a MUST about clients is broken; "
      "2\nusage; 3 the command does not pass undisturbed, or Hallmark could not go on; 4 not "
      "everything\nwas played, or nothing could be judged.\n\n"
      "Examples:\n"
      "  hallmark certify-client --width u16 -- python3 client_test.py --port {port}\n"
      "  hallmark certify-client --filter 'cut/*' --verbose -- ./client-tests {host} {port}\n"
      "  hallmark certify-client --dialect ratelimit-udp --json client.json -- make test\n"
      "  hallmark certify-client --dialect throttr-7.1 --list");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
