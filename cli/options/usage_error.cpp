#include "cli/options/usage_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace hallmark::cli {
namespace {

/// The command that was being read when parsing stopped, and its full name.
struct Innermost {
  const CLI::App* command;
  std::string name;
};

Innermost innermost(const CLI::App& app) {
  Innermost found{&app, app.get_name()};
  for (auto parsed = app.get_subcommands(); !parsed.empty();
       parsed = found.command->get_subcommands()) {
    found.command = parsed.back();
    found.name += " " + found.command->get_name();
  }
  return found;
}

std::vector<std::string> subcommands_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* sub : command.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    if (option->nonpositional()) names.push_back(option->get_name());
  }
  return names;
}

std::vector<std::string> positionals_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    if (option->get_positional()) names.push_back(option->get_name(true));
  }
  return names;
}

bool is_option(const std::string& argument) { return argument.size() > 1 && argument[0] == '-'; }

/// The argument that nothing takes: an option rather than the words behind it, which are often only
/// the values of that option.
std::string unexpected_argument(const CLI::App& app) {
  const auto left = app.remaining(true);
  if (left.empty()) return {};
  const auto option = std::ranges::find_if(left, is_option);
  return option != left.end() ? *option : left.front();
}

std::string refused_option(const CLI::App& command, const std::string& came) {
  if (is_option(came)) {
    return fmt::format("unknown option '{}'; allowed: {}", came,
                       fmt::join(options_of(command), ", "));
  }
  const auto subcommands = subcommands_of(command);
  if (!subcommands.empty()) {
    return fmt::format("unknown command '{}'; allowed: {}", came, fmt::join(subcommands, ", "));
  }
  const auto positionals = positionals_of(command);
  if (positionals.empty()) return fmt::format("unexpected argument '{}'; allowed: none", came);
  return fmt::format("unexpected argument '{}'; allowed: one {}", came,
                     fmt::join(positionals, ", one "));
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return base::printable(text);
}

}  // namespace

std::string explain_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto [command, name] = innermost(app);
  const auto subcommands = subcommands_of(*command);
  std::string what;
  if (const auto came = unexpected_argument(app); !came.empty()) {
    what = refused_option(*command, came);
  } else if (!subcommands.empty() && command->get_subcommands().empty() &&
             dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    what = fmt::format("no command came; allowed: {}", fmt::join(subcommands, ", "));
  } else {
    what = fmt::format("{}; see {} --help", error.what(), name);
  }
  return one_line(fmt::format("{}: {}", name, what));
}

}  // namespace hallmark::cli
