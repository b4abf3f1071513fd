#include "cli/completion/complete.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "cli/completion/values.hpp"

namespace hallmark::cli {
namespace {

/// The number of candidates that a person reads; of more, those that share a part are shown as that
/// part.
constexpr std::size_t most_whole = 40;
constexpr std::size_t longest_about = 60;

const OptionDescription* option_named(const CommandDescription& command, std::string_view name) {
  for (const OptionDescription& option : command.options) {
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  }
  return nullptr;
}

const CommandDescription* command_named(const CommandDescription& command, std::string_view name) {
  for (const CommandDescription& one : command.commands) {
    if (one.name.substr(one.name.rfind(' ') + 1) == name) return &one;
  }
  return nullptr;
}

bool looks_like_option(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

/// A word that is complete.
void take(TypedLine& line, const std::string& word) {
  if (line.open_option != nullptr) {
    line.given.back().second = word;
    line.open_option = nullptr;
    return;
  }
  if (!line.only_positionals && word == "--") {
    line.only_positionals = true;
  } else if (!line.only_positionals && looks_like_option(word)) {
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    line.given.emplace_back(name, equals == std::string::npos ? "" : word.substr(equals + 1));
    const OptionDescription* const option = option_named(*line.command, name);
    if (option != nullptr && !option->value.empty() && equals == std::string::npos)
      line.open_option = option;
  } else if (const auto* const command = command_named(*line.command, word)) {
    line = {.command = command};
  } else {
    ++line.positionals;
  }
}

/// The positional argument that is being typed; the last one if it takes several.
const OptionDescription* open_positional(const TypedLine& line) {
  const OptionDescription* found = nullptr;
  std::size_t number = 0;
  for (const OptionDescription& option : line.command->options) {
    if (option.positional.empty()) continue;
    found = &option;
    if (number++ == line.positionals) return found;
  }
  return found != nullptr && found->repeats ? found : nullptr;
}

Candidates names_of_options(const TypedLine& line) {
  Candidates made;
  for (const OptionDescription& option : line.command->options) {
    for (const std::string& name : option.names) {
      if (name.starts_with("--")) made.all.push_back({name, option.text});
    }
  }
  return made;
}

Candidates words_of(const TypedLine& line) {
  Candidates made;
  for (const CommandDescription& command : line.command->commands)
    made.all.push_back({command.name.substr(command.name.rfind(' ') + 1), command.text});
  if (const OptionDescription* const open = open_positional(line)) {
    Candidates values = values_of(*open, line);
    made.paths = values.paths;
    std::ranges::move(values.all, std::back_inserter(made.all));
  }
  return made;
}

/// Takes `--option=` from the word that is being typed and returns it; the shell has to get it
/// back. Returns an empty text if there is none.
std::string take_option_of_value(TypedLine& line) {
  const auto equals = line.word.find('=');
  if (line.only_positionals || !line.word.starts_with("--") || equals == std::string::npos)
    return {};
  const std::string prefix = line.word.substr(0, equals + 1);
  line.open_option = option_named(*line.command, line.word.substr(0, equals));
  line.word.erase(0, equals + 1);
  return prefix;
}

/// Those that share what comes up to the next slash, as one.
std::vector<Candidate> folded(const std::vector<Candidate>& all, std::size_t typed) {
  std::map<std::string, std::vector<const Candidate*>> parts;
  for (const Candidate& one : all)
    parts[one.text.substr(0, std::min(one.text.find('/', typed), one.text.size() - 1) + 1)]
        .push_back(&one);
  std::vector<Candidate> made;
  for (const auto& [part, members] : parts) {
    if (members.size() == 1)
      made.push_back(*members.front());
    else
      made.push_back({part, base::counted(members.size(), "name", "names")});
  }
  return made;
}

}  // namespace

std::string_view TypedLine::value_of(std::string_view option) const {
  std::string_view value;
  for (const auto& [name, given_value] : given) {
    if (name == option) value = given_value;
  }
  return value;
}

TypedLine read_line(const CommandDescription& program, std::span<const std::string> words) {
  TypedLine line{.command = &program};
  if (words.empty()) return line;
  for (const std::string& word : words.first(words.size() - 1)) take(line, word);
  line.word = words.back();
  return line;
}

Candidates complete(const CommandDescription& program, std::span<const std::string> words) {
  TypedLine line = read_line(program, words);
  const std::string prefix = line.open_option == nullptr ? take_option_of_value(line) : "";
  Candidates made;
  if (line.open_option != nullptr)
    made = values_of(*line.open_option, line);
  else if (!line.only_positionals && line.word.starts_with('-'))
    made = names_of_options(line);
  else
    made = words_of(line);
  std::erase_if(made.all, [&](const Candidate& one) { return !one.text.starts_with(line.word); });
  if (made.all.size() > most_whole) made.all = folded(made.all, line.word.size());
  for (Candidate& one : made.all) one.text.insert(0, prefix);
  return made;
}

std::string render(const Candidates& candidates) {
  std::string text = candidates.paths == Paths::files         ? "files\n"
                     : candidates.paths == Paths::directories ? "directories\n"
                                                              : "none\n";
  for (const Candidate& one : candidates.all) {
    text += one.text;
    if (!one.about.empty()) text += '\t' + base::excerpt(one.about, longest_about);
    text += '\n';
  }
  return text;
}

}  // namespace hallmark::cli
