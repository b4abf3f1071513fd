#include "cli/decode/decode_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/text.hpp"
#include "captures/load.hpp"
#include "captures/state_report.hpp"
#include "reports/terminal.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using captures::StateText;
using protocol::state::Taken;
using reports::ExitCode;

Result<void> check_strategy(const protocol::Dialect& dialect, const std::string& name,
                            std::string_view option) {
  const auto known = protocol::state::strategies(dialect);
  if (name.empty() || std::ranges::find(known, name) != known.end()) return {};
  return Error{fmt::format("{} {}; allowed: {}", option, name, fmt::join(known, ", "))};
}

Result<Taken> taken_for(const StateDecoding& asked, const protocol::Dialect& dialect) {
  if (auto known = check_strategy(dialect, asked.strategy, "--strategy"); !known)
    return known.error();
  for (const std::string& part : asked.of) {
    if (auto known = check_strategy(dialect, part, "--of"); !known) return known.error();
  }
  if (asked.of.empty()) return Taken{.strategy = asked.strategy};
  if (asked.of.size() != 2 || (!asked.strategy.empty() && asked.strategy != "composite"))
    return Error{"--of; allowed: two strategies, those of the parts of a composite"};
  return Taken{.strategy = "composite", .primary = asked.of[0], .secondary = asked.of[1]};
}

StateText state_of(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return {.text = std::string(line)};
  return {std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))};
}

std::vector<StateText> lines_of(std::string_view text) {
  std::vector<StateText> states;
  while (!text.empty()) {
    const std::string_view line = base::take_line(text);
    if (!line.empty()) states.push_back(state_of(line));
  }
  return states;
}

struct Input {
  std::string name;
  std::vector<StateText> states;
};

bool is_file(const std::vector<std::string>& words) {
  std::error_code ignored;
  return words.empty() || words == std::vector<std::string>{"-"} ||
         (words.size() == 1 && std::filesystem::exists(words[0], ignored));
}

Result<Input> read(const std::vector<std::string>& words) {
  if (!is_file(words)) {
    Input input{"command line", {}};
    for (const std::string& word : words) input.states.push_back({.text = word});
    return input;
  }
  auto loaded = captures::load(words, captures::InputFormat::binary);
  if (!loaded) return loaded.error();
  return Input{loaded->name, lines_of(base::as_text(loaded->bytes))};
}

}  // namespace

bool looks_like_states(const std::vector<std::string>& input) {
  return !input.empty() && std::ranges::all_of(input, [](const std::string& word) {
    return word.find('|') != std::string::npos;
  });
}

Result<ExitCode> decode_states(const StateDecoding& asked, const protocol::Readings& readings) {
  const auto taken = taken_for(asked, readings.dialect());
  if (!taken) return taken.error();
  const auto input = read(asked.input);
  if (!input) return input.error();
  if (asked.json) {
    const auto json = captures::states_as_json(input->states, readings, *taken);
    fmt::print("{}", json.text);
    return json.malformed == 0 ? ExitCode::as_expected : ExitCode::failures;
  }
  const auto style = reports::style_for(stdout);
  fmt::print("{}: {}; {}\n", base::printable(input->name),
             base::counted(input->states.size(), "string", "strings"), readings.dialect().name);
  std::size_t malformed = 0;
  for (std::size_t i = 0; i < input->states.size(); ++i) {
    const StateText& state = input->states[i];
    if (!protocol::state::parse(state.text, readings, *taken)) ++malformed;
    fmt::print("\n{}", captures::explain_state(state, i + 1, readings, *taken, style));
  }
  fmt::print("\nDECODED  {}{}\n",
             base::counted(input->states.size() - malformed, "state", "states"),
             malformed == 0 ? "" : fmt::format(", {} malformed", malformed));
  return malformed == 0 ? ExitCode::as_expected : ExitCode::failures;
}

}  // namespace hallmark::cli
