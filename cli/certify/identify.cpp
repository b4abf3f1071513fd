#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "base/quantity.hpp"
#include "cli/certify/identified.hpp"
#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "reports/json_report.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::cli {
namespace {

using conformance::Finding;
using conformance::Identification;
using protocol::Profile;
using protocol::Readings;
using reports::ExitCode;

constexpr std::chrono::minutes longest_deadline{1};

struct IdentifyArguments {
  std::string target;
  std::string deadline = "2s";
  bool json = false;
};

/// True if all answers that were found are those of the profile.
bool agrees(const Identification& made, Profile profile) {
  const Readings answers(*made.dialect, profile);
  return std::ranges::all_of(made.findings, [&](const Finding& finding) {
    const std::string_view answer = answers.answer_called(finding.subject);
    return answer.empty() || finding.answer.empty() || answer == finding.answer;
  });
}

/// The profile that the readings agree with; both where nothing tells them apart.
std::string profile_of(const Identification& made) {
  const bool deployed = agrees(made, Profile::deployed);
  const bool literal = agrees(made, Profile::literal);
  if (deployed && literal) return "deployed and literal";
  return deployed ? "deployed" : literal ? "literal" : "";
}

/// The answers told that are not as released servers give them.
std::vector<std::string> not_deployed(const Identification& made) {
  std::vector<std::string> all;
  const Readings deployed(*made.dialect, Profile::deployed);
  for (const Finding& finding : made.findings) {
    const std::string_view usual = deployed.answer_called(finding.subject);
    if (usual.empty() || finding.answer.empty() || finding.answer == usual) continue;
    all.push_back(fmt::format("{}={}", finding.subject, finding.answer));
  }
  return all;
}

reports::IdentifyResult result_of(const Identification& made) {
  reports::IdentifyResult result;
  result.stranger = made.stranger;
  result.findings = made.findings;
  if (made.width) result.header.width = protocol::name_of(*made.width);
  if (made.dialect == nullptr) return result;
  result.header.dialect = made.dialect->name;
  result.header.profile = profile_of(made);
  result.header.readings = not_deployed(made);
  return result;
}

ExitCode run(const IdentifyArguments& arguments) {
  const auto deadline = base::parse_duration(arguments.deadline);
  if (!deadline) return refuse("identify", deadline.error().message, ExitCode::usage);
  if (deadline->count() <= 0 || *deadline > longest_deadline) {
    return refuse(
        "identify",
        fmt::format("--deadline {}; allowed: more than 0, at most 1m", arguments.deadline),
        ExitCode::usage);
  }
  const auto started = std::chrono::system_clock::now();
  const auto begun = std::chrono::steady_clock::now();
  const auto made = identified(arguments.target, *deadline, Depth::behaviour);
  if (!made) return refuse("identify", made.error().message, ExitCode::usage);
  if (!made->unreachable.empty())
    return refuse("identify", made->unreachable, ExitCode::unreachable_or_harness_error);
  reports::IdentifyResult result = result_of(*made);
  result.header.version = HALLMARK_VERSION;
  result.header.target = arguments.target;
  result.header.started = std::chrono::floor<std::chrono::milliseconds>(started);
  result.header.duration = std::chrono::steady_clock::now() - begun;
  result.header.options = {{"deadline", arguments.deadline}};
  fmt::print("{}", arguments.json ? reports::render_json(result)
                                  : reports::render_terminal(result, reports::style_for(stdout)));
  return reports::exit_code(result);
}

}  // namespace

void add_identify_command(Command& app, int& exit_code) {
  auto* command =
      app.add_subcommand("identify", "Find out dialect, width and readings of a server");
  const auto arguments = std::make_shared<IdentifyArguments>();
  command
      ->add_option("TARGET", arguments->target,
                   "tcp://HOST:PORT, unix:///PATH, or exec:COMMAND with {port} in it")
      ->required();
  command->add_option("--deadline", arguments->deadline, "How long all of it may take")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "As JSON");
  command->footer(
      "Sends documented requests only, with keys of its own, which it removes. Judges by layout "
      "and\n"
      "behaviour, never by the version that INFO names. Exit code 1: the target is not a "
      "Throttr.\n\n"
      "Examples:\n"
      "  hallmark identify tcp://127.0.0.1:9000\n"
      "  hallmark identify unix:///tmp/throttr.sock --json");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
