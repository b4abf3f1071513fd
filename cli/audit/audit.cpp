#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "audit/listing.hpp"
#include "audit/report.hpp"
#include "audit/verdict.hpp"
#include "base/output_file.hpp"
#include "base/text.hpp"
#include "cli/audit/audit_options.hpp"
#include "cli/commands.hpp"
#include "cli/html/html_file.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/interrupt.hpp"

namespace hallmark::cli {
namespace {

using audit::Report;
using reports::ExitCode;
using stores::ErrorKind;

/// Exit code 2 stands for mistakes in the command line, such as the name of something that does not
/// exist.
ExitCode code_of(ErrorKind kind) {
  return kind == ErrorKind::usage || kind == ErrorKind::missing
             ? ExitCode::usage
             : ExitCode::unreachable_or_harness_error;
}

std::string progress_text(const stores::Progress& progress, std::uint64_t faulty) {
  const std::string findings = fmt::format("{} with findings", base::grouped(faulty));
  if (progress.bytes) {
    constexpr double megabyte = 1e6;
    return fmt::format("{:.0f}/{:.0f} MB · {}", static_cast<double>(progress.done) / megabyte,
                       static_cast<double>(progress.total) / megabyte, findings);
  }
  const std::string total = progress.total == 0 ? "" : "/" + base::grouped(progress.total);
  return fmt::format("{}{} keys · {}", base::grouped(progress.done), total, findings);
}

class AuditRun {
 public:
  AuditRun(const AuditArguments& arguments, AuditOptions options)
      : arguments_(arguments), options_(std::move(options)) {}

  ExitCode run() {
    if (!arguments_.list.empty()) {
      auto listing = audit::Listing::create(arguments_.list);
      if (!listing)
        return refuse("audit", listing.error().message, ExitCode::unreachable_or_harness_error);
      listing_.emplace(*std::move(listing));
    }
    Report report{
        .version = HALLMARK_VERSION,
        .store = to_string(options_.source.address),
        .match = options_.source.scan.match,
        .limits = options_.run.limits,
        .started = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())};
    auto ran = watched_run();
    if (!ran) return refuse("audit", ran.error().message, code_of(ran.error().kind));
    report.run = *std::move(ran);
    return finish(report);
  }

 private:
  stores::Result<audit::RunResult> watched_run() {
    listen_for_interrupts();
    reports::ProgressLines line(stderr);
    audit::RunOptions& run = options_.run;
    run.stop = was_interrupted;
    run.on_progress = [&](const stores::Progress& progress, std::uint64_t faulty) {
      line.update(progress_text(progress, faulty));
    };
    if (listing_) {
      run.on_finding = [this](std::string_view key, std::string_view text,
                              const audit::Finding& finding) { listing_->add(key, text, finding); };
    }
    return audit::run(options_.source, options_.rules, run);
  }

  ExitCode finish(const Report& report) {
    fmt::print("{}", audit::render_terminal(report, reports::style_for(stdout)));
    base::Result<void> written;
    if (listing_) written = listing_->commit();
    if (written && !arguments_.json.empty())
      written = base::write_file(arguments_.json, audit::render_json(report));
    if (!written)
      return refuse("audit", written.error().message, ExitCode::unreachable_or_harness_error);
    HtmlFile page(Origin::this_run);
    page.add("audit", audit::render_terminal(report, {}), audit::render_json(report));
    if (!page.write_or_complain("audit", arguments_.html))
      return ExitCode::unreachable_or_harness_error;
    return audit::exit_code(report.run);
  }

  const AuditArguments& arguments_;
  AuditOptions options_;
  std::optional<audit::Listing> listing_;
};

ExitCode run(const AuditArguments& arguments) {
  auto options = read_audit_options(arguments);
  if (!options) return refuse("audit", options.error().message, ExitCode::usage);
  return AuditRun(arguments, *std::move(options)).run();
}

constexpr const char* audit_footer =
    "Reads every state of a store and changes nothing: what formats there are, what is malformed,\n"
    "implausible or mixed, and what a migration would rewrite. --migrate rewrites, each key by "
    "one\n"
    "compare-and-set that keeps its expiry; a run that was interrupted is finished by another "
    "one.\n"
    "docs/audit.md says more.\n\n"
    "Exit codes: 0 nothing found, or all of it repaired; 1 findings that are left, or entries "
    "that\n"
    "could not be migrated; 2 usage, or no key that matches; 3 the store cannot be reached, or "
    "was\n"
    "lost; 4 nothing found until it was interrupted.\n\n"
    "Examples:\n"
    "  hallmark audit redis://127.0.0.1:6379 --match 'rl:*'\n"
    "  hallmark audit postgres://app@127.0.0.1/limits --table limits.ratelimit_kv --json "
    "audit.json\n"
    "  hallmark audit states.tsv --list findings.jsonl\n"
    "  hallmark audit redis://127.0.0.1:6379 --strategy token-bucket --migrate --dry-run\n"
    "  hallmark audit redis://127.0.0.1:6379 --config keys.json --migrate";

}  // namespace

void add_audit_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand("audit", "Check the states in a store, and migrate old ones");
  const auto arguments = std::make_shared<AuditArguments>();
  add_audit_options(*command, *arguments);
  command->footer(audit_footer);
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
