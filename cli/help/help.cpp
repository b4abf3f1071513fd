#include "cli/help/help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace hallmark::cli {
namespace {

/// The column at which what is said of an option begins.
constexpr std::size_t text_column = 26;
/// The same for commands.
constexpr std::size_t command_column = 16;

std::string blanks(std::size_t count) { return std::string(count, ' '); }

std::string_view without_blanks_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// `left`, and from `column` on the paragraph; on a line of its own where `left` is too wide.
std::string row(std::string_view left, std::string_view paragraph, std::size_t column) {
  std::string text(without_blanks_behind(left));
  std::size_t at = base::display_width(left);
  for (const std::string& line : wrapped(paragraph, help_columns - column)) {
    if (at > column) {
      text += '\n';
      text += blanks(column);
    } else {
      text += blanks(column - base::display_width(without_blanks_behind(left)));
    }
    text += line;
    left = {};
    at = help_columns;
  }
  return text + '\n';
}

std::string text_of(const OptionDescription& option) {
  std::string text = option.text;
  if (!option.usual.empty())
    text += fmt::format("{}[default: {}]", text.empty() ? "" : " ", option.usual);
  return text;
}

bool is_shown(const OptionDescription& option, HelpExtent extent) {
  return extent == HelpExtent::all || !option.advanced;
}

std::string option_row(const OptionDescription& option) {
  return row("  " + usage_of(option) + "  ", text_of(option), text_column);
}

/// The headings of options in the order in which they first occur; the usual one first.
std::vector<std::string> groups_of(const CommandDescription& command) {
  std::vector<std::string> groups{""};
  for (const OptionDescription& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  return groups;
}

std::string options_part(const CommandDescription& command, HelpExtent extent) {
  std::string text;
  for (const std::string& group : groups_of(command)) {
    std::string rows;
    for (const OptionDescription& option : command.options) {
      if (option.group == group && option.positional.empty() && is_shown(option, extent))
        rows += option_row(option);
    }
    if (!rows.empty()) text += fmt::format("\n{}:\n{}", group.empty() ? "Options" : group, rows);
  }
  return text;
}

std::string arguments_part(const CommandDescription& command) {
  std::string rows;
  for (const OptionDescription& option : command.options) {
    if (!option.positional.empty()) rows += option_row(option);
  }
  return rows.empty() ? rows : "\nArguments:\n" + rows;
}

std::string commands_part(const CommandDescription& command) {
  std::string rows;
  for (const CommandDescription& one : command.commands) {
    const std::string name = one.name.substr(one.name.rfind(' ') + 1);
    rows += row("  " + name + "  ", one.text, command_column);
  }
  return rows.empty() ? rows : "\nCommands:\n" + rows;
}

/// The column of the second part of a line such as "  1  failures", under which what is wrapped
/// stays; where there is none, that of the first.
std::size_t hanging_column(std::string_view line) {
  const auto begin = line.find_first_not_of(' ');
  const auto gap = line.find("  ", begin);
  const auto second = gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
  return second == std::string_view::npos ? begin : second;
}

std::string indented_line(std::string_view line) {
  if (base::display_width(line) <= help_columns) return std::string(line) + '\n';
  if (line.substr(line.find_first_not_of(' ')).starts_with("hallmark")) {
    std::string text;
    for (const std::string& part : wrapped_example(line, help_columns)) text += part + '\n';
    return text;
  }
  const std::size_t column = hanging_column(line);
  return row(line.substr(0, column), line.substr(column), column);
}

std::string footer_part(std::string_view footer) {
  std::string text;
  for (const FooterSection& section : sections_of(footer)) {
    text += '\n';
    if (!section.heading.empty()) text += section.heading + ":\n";
    for (std::size_t i = 0; i < section.lines.size(); ++i) {
      const std::string& line = section.lines[i];
      if (line.starts_with(' ')) {
        text += indented_line(line);
        continue;
      }
      if (i > 0) text += '\n';
      for (const std::string& part : wrapped(line, help_columns)) text += part + '\n';
    }
  }
  return text;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view paragraph, std::size_t columns) {
  std::vector<std::string> lines;
  for (const std::string_view word : base::split(paragraph, ' ')) {
    if (word.empty()) continue;
    if (!lines.empty() &&
        base::display_width(lines.back()) + 1 + base::display_width(word) <= columns) {
      lines.back().append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

std::vector<std::string> wrapped_example(std::string_view line, std::size_t columns) {
  std::vector<std::string> words;
  bool quoted = false;
  const std::size_t indentation = std::min(line.find_first_not_of(' '), line.size());
  for (const char letter : line.substr(indentation)) {
    if (letter == '\'') quoted = !quoted;
    if (letter == ' ' && !quoted) {
      words.emplace_back();
      continue;
    }
    if (words.empty()) words.emplace_back();
    words.back() += letter;
  }
  std::vector<std::string> lines{blanks(indentation)};
  for (std::size_t i = 0; i < words.size(); ++i) {
    // An option and its value stay together.
    std::string piece = words[i];
    if (piece.starts_with('-') && i + 1 < words.size() && !words[i + 1].starts_with('-'))
      piece += " " + words[++i];
    const bool is_first = lines.back().find_last_not_of(' ') == std::string::npos;
    const std::size_t width = base::display_width(lines.back()) + base::display_width(piece);
    if (!is_first &&
        width + 3 > columns) {  // a blank before it, and a blank and a backslash behind
      lines.back() += " \\";
      lines.push_back(blanks(indentation + 4) + piece);
    } else {
      lines.back() += (is_first ? "" : " ") + piece;
    }
  }
  return lines;
}

std::string render_help(const CommandDescription& command, HelpExtent extent) {
  std::string text;
  for (const std::string& line : wrapped(command.text, help_columns)) text += line + '\n';
  text += '\n' + row("Usage: ", synopsis_of(command), 7);
  text += arguments_part(command) + commands_part(command) + options_part(command, extent);
  const auto hidden = std::ranges::count_if(
      command.options, [&](const OptionDescription& one) { return !is_shown(one, extent); });
  if (hidden > 0)
    text += fmt::format(
        "\n`{} --help-all` shows {}.\n", command.name,
        base::counted(static_cast<std::uint64_t>(hidden), "more option", "more options"));
  return text + footer_part(command.footer);
}

}  // namespace hallmark::cli
