#include "cli/options/usage_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "cli/options/nearest.hpp"

namespace hallmark::cli {
namespace {

/// A command has up to fifty options; so many fit in one line that people read.
constexpr std::size_t most_listed = 5;

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

std::string without_dashes(const std::string& option) {
  return option.substr(std::min(option.find_first_not_of('-'), option.size()));
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

/// Suggests what the option may have been meant to be, or all options where they are few. A typing
/// error is in the name: neither dashes nor a value behind `=` count.
std::string options_instead(const CLI::App& command, const std::string& name,
                            const std::string& came) {
  const auto options = options_of(command);
  std::vector<std::string> bare;
  for (const std::string& option : options) bare.push_back(without_dashes(option));
  if (const auto near = nearest(without_dashes(came.substr(0, came.find('='))), bare))
    return fmt::format("did you mean --{}?", *near);
  if (options.size() <= most_listed) return fmt::format("allowed: {}", fmt::join(options, ", "));
  return fmt::format("see {} --help", name);
}

std::string refused_argument(const CLI::App& command, const std::string& name,
                             const std::string& came) {
  if (is_option(came))
    return fmt::format("unknown option '{}'; {}", came, options_instead(command, name, came));
  if (const auto subcommands = subcommands_of(command); !subcommands.empty()) {
    const auto all = fmt::format("; allowed: {}", fmt::join(subcommands, ", "));
    return fmt::format("unknown command '{}'{}", came, did_you_mean(came, subcommands, all));
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
    what = refused_argument(*command, name, came);
  } else if (!subcommands.empty() && command->get_subcommands().empty() &&
             dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    what = fmt::format("no command came; allowed: {}", fmt::join(subcommands, ", "));
  } else {
    what = fmt::format("{}; see {} --help", error.what(), name);
  }
  return one_line(fmt::format("{}: {}", name, what));
}

}  // namespace hallmark::cli
