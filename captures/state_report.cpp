#include "captures/state_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.hpp"
#include "base/text.hpp"

namespace hallmark::captures {
namespace {

using base::Json;
using protocol::Annotation;
using protocol::Malformed;
using protocol::state::Parsed;
using reports::Colour;

constexpr std::size_t longest_shown = 60;

std::string_view part_of(std::string_view text, const Annotation& annotation) {
  return text.substr(annotation.offset, annotation.length);
}

/// Bars and what else only stands between fields.
bool is_separator(std::string_view text) { return text == "|" || text == "$"; }

std::string names_of(const Parsed& parsed) {
  std::string names(parsed.format->name);
  for (const auto* const other : parsed.others) names += fmt::format(" or {}", other->name);
  return names;
}

/// The whole string as it is written today; empty when it is written so already, or cannot be.
std::string written_today(const Parsed& parsed, const protocol::Readings& readings) {
  if (protocol::state::canonical(parsed) || !parsed.parts.empty()) return {};
  const auto text = protocol::state::write(*parsed.format, parsed.values(), readings);
  return text ? *text : std::string();
}

std::string title(const StateText& state, std::size_t number, std::string_view what) {
  const std::string key = state.key.empty() ? "" : base::printable(state.key) + ", ";
  return fmt::format("#{} {}{}, {} bytes", number, key, what, state.text.size());
}

std::string explain(const StateText& state, std::size_t number, const Parsed& parsed,
                    const protocol::Readings& readings, const reports::TerminalStyle& style) {
  std::string text =
      paint(style, Colour::bold,
            title(state, number, names_of(parsed) + (parsed.format->current ? "" : ", historic"))) +
      "\n";
  using reports::Align;
  reports::Table table({Align::right, Align::left, Align::left, Align::left});
  for (const Annotation& one : protocol::state::annotate(parsed)) {
    const std::string_view bytes = part_of(state.text, one);
    if (is_separator(bytes)) continue;
    table.add({std::to_string(one.offset), base::excerpt(bytes, longest_shown), one.path,
               base::printable(one.meaning)});
  }
  text += table.render(4);
  if (!parsed.others.empty())
    text += "    its header names no strategy, and its fields fit several; --strategy says which\n";
  if (const std::string today = written_today(parsed, readings); !today.empty())
    text += fmt::format("    today written as {}\n", base::printable(today));
  return text;
}

/// The string around the offset, so that a mark below it stands under the offending byte.
std::string mark(std::string_view text, std::size_t offset) {
  constexpr std::size_t before = 40;
  const std::size_t from = offset > before ? offset - before : 0;
  const std::string lead = base::printable(text.substr(from, offset - from));
  const std::string rest = base::excerpt(text.substr(std::min(offset, text.size())), before);
  return fmt::format("    {}{}{}\n    {:>{}}\n", from == 0 ? "" : "…", lead, rest, "^",
                     base::display_width(lead) + (from == 0 ? 1 : 2));
}

std::string explain(const StateText& state, std::size_t number, const Malformed& error,
                    const reports::TerminalStyle& style) {
  const std::string where = error.field.empty() ? "" : error.field + " ";
  return paint(style, Colour::red,
               title(state, number, fmt::format("malformed at {}", error.offset))) +
         "\n" + mark(state.text, error.offset) +
         fmt::format("    {}{}\n", where, base::printable(error.reason));
}

Json as_json(const Parsed& parsed, const StateText& state, const protocol::Readings& readings) {
  Json json{{"format", parsed.format->name}, {"current", parsed.format->current}};
  json["others"] = Json::array();
  for (const auto* const other : parsed.others) json["others"].push_back(other->name);
  json["canonical"] = protocol::state::canonical(parsed);
  if (const std::string today = written_today(parsed, readings); !today.empty())
    json["written_today"] = today;
  json["fields"] = Json::array();
  for (const Annotation& one : protocol::state::annotate(parsed)) {
    json["fields"].push_back({{"path", one.path},
                              {"offset", one.offset},
                              {"length", one.length},
                              {"text", part_of(state.text, one)},
                              {"meaning", one.meaning}});
  }
  return json;
}

Json as_json(const Malformed& error) {
  return {{"error", {{"offset", error.offset}, {"field", error.field}, {"reason", error.reason}}}};
}

}  // namespace

std::string explain_state(const StateText& state, std::size_t number,
                          const protocol::Readings& readings, const protocol::state::Taken& taken,
                          const reports::TerminalStyle& style) {
  const auto parsed = protocol::state::parse(state.text, readings, taken);
  return parsed ? explain(state, number, *parsed, readings, style)
                : explain(state, number, parsed.error(), style);
}

StatesAsJson states_as_json(const std::vector<StateText>& states,
                            const protocol::Readings& readings,
                            const protocol::state::Taken& taken) {
  StatesAsJson result;
  Json all{{"format", "hallmark-states"},
           {"format_version", 1},
           {"dialect", readings.dialect().name},
           {"states", Json::array()}};
  for (const StateText& state : states) {
    const auto parsed = protocol::state::parse(state.text, readings, taken);
    Json json = Json::object();
    if (!state.key.empty()) json["key"] = state.key;
    json["text"] = state.text;
    json.update(parsed ? as_json(*parsed, state, readings) : as_json(parsed.error()));
    if (!parsed) ++result.malformed;
    all["states"].push_back(std::move(json));
  }
  all["malformed"] = result.malformed;
  result.text = all.dump(2) + "\n";
  return result;
}

}  // namespace hallmark::captures
