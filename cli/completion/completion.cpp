#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/completion/complete.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "embedded/embedded.hpp"

namespace hallmark::cli {
namespace {

using reports::ExitCode;

ExitCode print_script(const std::string& shell) {
  const auto script = embedded::text_of("completion/hallmark." + shell);
  if (!script)
    return refuse("completion",
                  fmt::format("unknown shell '{}'; expected bash, fish or zsh", shell));
  fmt::print("{}", *script);
  return ExitCode::as_expected;
}

}  // namespace

void add_completion_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand("completion", "Print the script that completes command lines");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, fish or zsh")->required();
  command->footer(
      "The script asks the program what may follow: options, dialects, widths, readings, clauses\n"
      "and the ids of cases and vectors.\n\n"
      "Examples:\n"
      "  source <(hallmark completion bash)\n"
      "  hallmark completion fish > ~/.config/fish/completions/hallmark.fish\n"
      "  hallmark completion zsh > /usr/local/share/zsh/site-functions/_hallmark");
  command->callback([shell, &exit_code] { exit_code = static_cast<int>(print_script(*shell)); });
}

bool completes_words(std::span<const std::string> arguments) {
  return !arguments.empty() && arguments.front() == "complete-words";
}

void print_candidates(const Command& app, std::span<const std::string> arguments) {
  fmt::print("{}", render(complete(app.describe(), arguments.subspan(1))));
}

}  // namespace hallmark::cli
