#include "cli/help/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/help/help.hpp"

namespace hallmark::cli {
namespace {

/// Characters that would be a request, an escape or a typographic sign.
std::string roff_escaped(std::string_view text) {
  std::string roff;
  for (const char letter : text) {
    switch (letter) {
      case '\\': roff += "\\e"; break;
      case '-': roff += "\\-"; break;
      case '\'': roff += "\\(aq"; break;
      case '`': roff += "\\(ga"; break;
      case '^': roff += "\\(ha"; break;
      case '~': roff += "\\(ti"; break;
      case '"': roff += "\\(dq"; break;
      default: roff += letter;
    }
  }
  return roff;
}

/// A paragraph; what is between backquotes is bold. An odd backquote stands for itself.
std::string paragraph_text(std::string_view text) {
  const auto parts = base::split(text, '`');
  if (parts.size() % 2 == 0) return roff_escaped(text);
  std::string roff;
  for (std::size_t i = 0; i < parts.size(); ++i)
    roff += i % 2 == 0 ? roff_escaped(parts[i]) : "\\fB" + roff_escaped(parts[i]) + "\\fR";
  return roff;
}

/// Text that man(7) fills, in short lines. One that begins with a point is no request.
std::string filled_text(std::string_view roff) {
  std::string text;
  for (const std::string& line : wrapped(roff, 78))
    text += (line.starts_with('.') ? "\\&" : "") + line + '\n';
  return text;
}

std::string page_header(const std::string& name, const ManualFacts& facts) {
  return fmt::format(".TH {} 1 {} \"Hallmark {}\" \"User Commands\"\n",
                     roff_escaped(base::upper_case(name)), facts.date, facts.version);
}

/// "Play vectors and …" as the one line that apropos(1) shows.
std::string name_part(const std::string& name, std::string_view text) {
  return fmt::format(".SH NAME\n{} \\- {}\n", roff_escaped(name), roff_escaped(text));
}

std::string synopsis(const CommandDescription& command) {
  const std::string words = synopsis_of(command);
  const std::string rest = words.substr(std::min(words.size(), command.name.size() + 1));
  return fmt::format(".B {}\n{}\n", roff_escaped(command.name), roff_escaped(rest));
}

std::string option_names(const OptionDescription& option) {
  if (!option.positional.empty()) return fmt::format("\\fI{}\\fR", roff_escaped(option.positional));
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff_escaped(name));
  if (!option.value.empty()) names += fmt::format(" \\fI{}\\fR", roff_escaped(option.value));
  return names;
}

std::string option_entry(const OptionDescription& option) {
  std::string text = paragraph_text(option.text);
  if (!option.usual.empty())
    text += fmt::format("{}Default: {}.",
                        text.empty()          ? ""
                        : text.ends_with('.') ? " "
                                              : ". ",
                        roff_escaped(option.usual));
  if (text.empty()) text = "A value.";
  return fmt::format(".TP\n{}\n{}", option_names(option), filled_text(text));
}

std::string option_entries(const CommandDescription& command) {
  std::string text;
  for (const OptionDescription& option : command.options) text += option_entry(option);
  return text;
}

/// Examples and tables as they stand; paragraphs filled.
std::string lines_of(const FooterSection& section) {
  std::string text;
  bool as_it_stands = false;
  for (const std::string& line : section.lines) {
    const bool is_indented = line.starts_with(' ');
    if (is_indented != as_it_stands) text += is_indented ? ".PP\n.nf\n" : ".fi\n";
    if (!is_indented) text += ".PP\n" + filled_text(paragraph_text(line));
    if (is_indented) text += roff_escaped(line) + '\n';
    as_it_stands = is_indented;
  }
  if (as_it_stands) text += ".fi\n";
  return text;
}

/// The lines of footer sections without a heading, which belong to the description.
std::string description_lines(const std::vector<FooterSection>& sections) {
  std::string text;
  for (const FooterSection& section : sections) {
    if (section.heading.empty()) text += lines_of(section);
  }
  return text;
}

std::string headed_sections(const std::vector<FooterSection>& sections, std::string_view macro) {
  std::string text;
  for (const FooterSection& section : sections) {
    if (section.heading.empty()) continue;
    const bool is_exit = section.heading == "Exit codes";
    const std::string heading = is_exit ? "EXIT STATUS" : base::upper_case(section.heading);
    std::string lines = lines_of(section);
    constexpr std::string_view paragraph = ".PP\n";
    if (lines.starts_with(paragraph)) lines.erase(0, paragraph.size());  // a heading begins one
    text += fmt::format("{} {}\n{}", macro, roff_escaped(heading), lines);
  }
  return text;
}

/// A command of a command: a section of its page.
std::string subcommand_section(const CommandDescription& command) {
  const auto sections = sections_of(command.footer);
  return fmt::format(
      ".SS {}\n{}.PP\n{}{}{}", roff_escaped(command.name.substr(command.name.find(' ') + 1)),
      synopsis(command), filled_text(paragraph_text(command.text) + "."),
      description_lines(sections) + option_entries(command), headed_sections(sections, ".PP\n.B"));
}

}  // namespace

std::string page_name(const CommandDescription& command) {
  std::string name = command.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string render_program_page(const CommandDescription& program, const ManualFacts& facts) {
  const auto sections = sections_of(program.footer);
  std::string text =
      page_header(page_name(program), facts) + name_part(page_name(program), program.text);
  text += ".SH SYNOPSIS\n" + synopsis(program);
  text += ".SH DESCRIPTION\n" + filled_text(paragraph_text(program.text) + ".") +
          description_lines(sections);
  text += ".SH COMMANDS\n";
  for (const CommandDescription& one : program.commands)
    text += fmt::format(".TP\n.BR {} (1)\n{}", roff_escaped(page_name(one)),
                        filled_text(paragraph_text(one.text) + "."));
  text += ".SH OPTIONS\n" + option_entries(program);
  return text + headed_sections(sections, ".SH");
}

std::string render_command_page(const CommandDescription& command, const ManualFacts& facts) {
  const std::string name = page_name(command);
  const auto sections = sections_of(command.footer);
  std::string text = page_header(name, facts) + name_part(name, command.text);
  text += ".SH SYNOPSIS\n" + synopsis(command);
  text += ".SH DESCRIPTION\n" + filled_text(paragraph_text(command.text) + ".") +
          description_lines(sections);
  text += ".SH OPTIONS\n" + option_entries(command);
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  for (const CommandDescription& one : command.commands) text += subcommand_section(one);
  text += headed_sections(sections, ".SH");
  return text + ".SH SEE ALSO\n.BR hallmark (1)\n";
}

}  // namespace hallmark::cli
