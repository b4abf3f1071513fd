#include "cli/help/description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"

namespace hallmark::cli {
namespace {

bool is_indented(std::string_view line) { return line.starts_with(' '); }

/// "Exit codes:" is a heading; "Exit codes: 0 SOUND" is not, and neither is a sentence.
bool is_heading(std::string_view line) {
  constexpr std::size_t longest = 24;
  return line.ends_with(':') && line.size() <= longest && !is_indented(line);
}

std::string positional_usage(const OptionDescription& option) {
  const std::string name = option.positional + (option.repeats ? "..." : "");
  return option.required ? name : "[" + name + "]";
}

}  // namespace

std::vector<FooterSection> sections_of(std::string_view footer) {
  std::vector<FooterSection> sections;
  bool in_paragraph = false;
  while (!footer.empty()) {
    const std::string_view line = base::take_line(footer);
    if (is_heading(line)) {
      sections.push_back({std::string(line.substr(0, line.size() - 1)), {}});
      in_paragraph = false;
      continue;
    }
    if (line.empty()) {
      in_paragraph = false;
      continue;
    }
    if (sections.empty() || (!is_indented(line) && !in_paragraph &&
                             !sections.back().lines.empty() && !sections.back().heading.empty()))
      sections.push_back({});
    auto& lines = sections.back().lines;
    if (in_paragraph && !is_indented(line)) {
      lines.back().append(" ").append(line);
    } else {
      lines.emplace_back(line);
    }
    in_paragraph = !is_indented(line);
  }
  return sections;
}

std::string usage_of(const OptionDescription& option) {
  if (!option.positional.empty()) return option.positional;
  std::string text = fmt::format("{}", fmt::join(option.names, ", "));
  if (!option.value.empty()) text += " " + option.value;
  return text;
}

std::string synopsis_of(const CommandDescription& command) {
  std::string text = command.name;
  const bool has_options = std::ranges::any_of(
      command.options, [](const OptionDescription& one) { return one.positional.empty(); });
  if (has_options) text += " [OPTIONS]";
  for (const OptionDescription& option : command.options) {
    if (!option.positional.empty()) text += " " + positional_usage(option);
  }
  const bool takes_words = std::ranges::any_of(
      command.options, [](const OptionDescription& one) { return !one.positional.empty(); });
  if (!command.commands.empty()) text += takes_words ? " [COMMAND]" : " COMMAND";
  return text;
}

}  // namespace hallmark::cli
