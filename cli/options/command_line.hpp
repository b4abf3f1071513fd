#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Commands and options as the program declares them, in front of CLI11: its header costs seconds
/// in every source that includes it, so only cli/options/command_line.cpp does.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hallmark::cli {

struct CommandDescription;

/// An option, a flag or a positional argument of a command; lives as long as the command. Each
/// function returns the option itself, so that calls can be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option* required();
  /// The placeholder of the value in the help.
  Option* type_name(std::string name);
  /// The heading under which the help lists it.
  Option* group(const std::string& name);
  /// The help shows the variable's present value as the default.
  Option* capture_default_str();
  /// The help shows this text as the default.
  Option* default_str(std::string text);
  /// Both ends are allowed.
  Option* range(int least, int most);
  Option* range(unsigned least, unsigned most);
  Option* range(std::uint64_t least, std::uint64_t most);
  Option* range(double least, double most);
  /// Number of values that may follow.
  Option* expected(int least, int most);
  /// May be given several times; all values count.
  Option* take_all();
  /// An empty value is refused.
  Option* not_empty();
  /// Values in one argument are separated by that letter.
  Option* delimiter(char letter);
  /// If false, each value needs the option's name in front of it.
  Option* allow_extra_args(bool allowed);
  /// At most one of the two may be given.
  Option* excludes(Option* other);
  /// The other one has to be given, too.
  Option* needs(Option* other);

  /// Number of times that it was given.
  std::size_t count() const;
  /// True for a flag: no value has to follow.
  bool is_flag() const;
  /// Takes the values as if the command line had given them, and stores them in the variable.
  /// Returns the reason if they are refused; nothing otherwise.
  std::optional<std::string> set(std::span<const std::string> values);

 private:
  CLI::Option* option_;
};

/// A command line that was not run, and the text to print.
struct NotRun {
  bool asked;  ///< --help, --help-all or --version: the text is the answer, not a complaint
  std::string text;
};

/// A command with its options and subcommands; the program itself is one. Variables that options
/// are bound to have to outlive the parsing.
class Command {
 public:
  /// The program.
  Command(std::string description, std::string name);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  Command* add_subcommand(std::string name, std::string description = {});
  /// `least` subcommands have to be named.
  void require_subcommand(int least);
  void footer(std::string text);
  void set_version_flag(std::string name, const std::string& version,
                        const std::string& description);
  /// Called when the command was named and all of the command line is legal.
  void callback(std::function<void()> run);

  /// A name with dashes is an option, one without a positional argument.
  Option* add_option(std::string name, std::string& value, std::string description = {});
  Option* add_option(std::string name, std::optional<std::string>& value,
                     std::string description = {});
  Option* add_option(std::string name, std::vector<std::string>& values,
                     std::string description = {});
  Option* add_option(std::string name, int& value, std::string description = {});
  Option* add_option(std::string name, std::uint16_t& value, std::string description = {});
  Option* add_option(std::string name, unsigned& value, std::string description = {});
  Option* add_option(std::string name, std::uint64_t& value, std::string description = {});
  Option* add_option(std::string name, std::optional<std::uint64_t>& value,
                     std::string description = {});
  Option* add_option(std::string name, double& value, std::string description = {});
  Option* add_flag(std::string name, bool& value, std::string description = {});
  /// The path of a file that the command writes. An empty one is refused, and so are two of these
  /// options that name one file, of which one would be lost.
  Option* add_output(std::string name, std::string& path, std::string description);
  /// --help leaves these options out, --help-all shows them. They have to exist.
  void advanced(std::initializer_list<const char*> names);

  std::string name() const;
  /// Number of times that the option was given.
  std::size_t count(const std::string& option) const;
  /// The option of that name, with its dashes, which has to exist.
  Option* get_option(const std::string& name);
  /// The same; null if there is none.
  Option* find_option(const std::string& name);
  /// Names without dashes of all options that have one of more than a letter, in their order.
  std::vector<std::string> long_names() const;
  /// The command with its options and subcommands. `parent`: the names in front of its own.
  CommandDescription describe(const std::string& parent = {}) const;

  /// Parses `arguments`, without the program's name, and runs the command that they name. Returns
  /// nothing if it was run.
  std::optional<NotRun> run(std::vector<std::string> arguments);

 private:
  explicit Command(CLI::App* app);
  template <class T>
  Option* add(std::string name, T& value, std::string description);
  Option* handle(CLI::Option* option);
  /// The help of the command that the last command line named.
  std::string help(bool all) const;
  /// Throws CLI::ValidationError when two outputs are one file.
  void check_outputs() const;

  std::unique_ptr<CLI::App> owned_;  ///< of the program only
  CLI::App* app_;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<Command>> subcommands_;
  std::vector<std::pair<std::string, const std::string*>> outputs_;  ///< options and their paths
  std::vector<const CLI::Option*> advanced_;
};

}  // namespace hallmark::cli
