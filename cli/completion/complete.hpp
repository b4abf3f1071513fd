#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/help/description.hpp"

/// Completion of command lines. The shells' scripts ask the program itself what may follow, so one
/// implementation serves all of them and never falls behind the options.
namespace hallmark::cli {

/// A text that may stand where the command line is being typed.
struct Candidate {
  std::string text;
  std::string about = {};  ///< a few words; may be empty
};

/// The paths that the shell itself completes, besides the candidates.
enum class Paths { none, files, directories };

struct Candidates {
  std::vector<Candidate> all;
  Paths paths = Paths::none;
};

/// A command line up to the word that is being typed.
struct TypedLine {
  const CommandDescription* command;  ///< the innermost one that is named
  /// Options with their values, in their order; a flag has an empty value.
  std::vector<std::pair<std::string, std::string>> given = {};
  std::size_t positionals = 0;                     ///< the number of those that are complete
  const OptionDescription* open_option = nullptr;  ///< its value is being typed
  bool only_positionals = false;                   ///< behind `--`
  std::string word = {};  ///< the typed part of the value, option or argument

  /// The last value of an option; empty if it was not given.
  std::string_view value_of(std::string_view option) const;
};

/// `words`: those behind the program's name; the last one, which may be empty, is being typed.
TypedLine read_line(const CommandDescription& program, std::span<const std::string> words);

/// Returns the words that may follow, all of which begin with what is typed. If many of them have
/// parts between slashes, as the ids of cases do, they end at the next slash.
Candidates complete(const CommandDescription& program, std::span<const std::string> words);

/// The answer to a shell: a line that says "none", "files" or "directories", then a line for each
/// candidate with a tab before what is said about it.
std::string render(const Candidates& candidates);

}  // namespace hallmark::cli
