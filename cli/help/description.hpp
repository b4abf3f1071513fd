#pragma once
#include <string>
#include <string_view>
#include <vector>

/// The commands and options of the program as data: what its help, its man pages and its completion
/// are made of. `Command::describe` reads it off the declarations that parse the command line.
namespace hallmark::cli {

/// An option, a flag or a positional argument.
struct OptionDescription {
  std::vector<std::string> names = {};  ///< with their dashes, the short one first
  std::string positional = {};          ///< the name of a positional argument; empty: an option
  std::string value = {};               ///< the placeholder of the value; empty: a flag
  std::string text = {};                ///< one paragraph
  std::string usual = {};               ///< the default; empty: none that is shown
  std::string group = {};               ///< its heading, such as "Limits"; empty: the usual one
  bool required = false;
  bool repeats = false;   ///< may be given several times
  bool advanced = false;  ///< shown by --help-all only
};

struct CommandDescription {
  std::string name;  ///< with the commands that it belongs to: "hallmark vectors list"
  std::string text;
  std::string footer;  ///< paragraphs; lines that are indented stand as they are
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> commands;
};

/// A part of a footer: a heading such as "Examples", empty for what stands before any, and lines.
/// Lines of a paragraph are joined; indented lines are kept apart.
struct FooterSection {
  std::string heading;
  std::vector<std::string> lines;
};
std::vector<FooterSection> sections_of(std::string_view footer);

/// The name of an option's value as the command line takes it: "--json FILE", "-q, --quiet".
std::string usage_of(const OptionDescription& option);

/// The words behind the program's name: "certify [OPTIONS] [TARGET]".
std::string synopsis_of(const CommandDescription& command);

}  // namespace hallmark::cli
