#include "vectors/generator/states/rehearsed_states.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/dialects.hpp"
#include "protocol/text/state.hpp"
#include "reference/session/adapter_session.hpp"
#include "vectors/format/state_match.hpp"
#include "vectors/generator/states/state_suite.hpp"

namespace hallmark::vectors::generator {
namespace {

using base::Error;
using base::Json;
using base::Result;
using protocol::Readings;

const std::map<std::string, std::string>& state_flag_meanings() {
  static const std::map<std::string, std::string> meanings = {
      {std::string(rounding_flag),
       "what is computed is no exact float64: floats of the answer may differ by a relative 1e-9"}};
  return meanings;
}

Result<Readings> readings_of(const StateVector& vector) {
  Readings readings(protocol::ratelimit_state, protocol::Profile::deployed);
  for (const auto& [reading, answer] : vector.readings) {
    if (auto set = readings.set(reading, answer); !set) return set.error();
  }
  return readings;
}

/// A vector must cite clauses that exist and carry flags that are explained.
Result<void> check(const StateVector& vector) {
  if (vector.clauses.empty()) return Error{"cites no clause"};
  for (const std::string& clause : vector.clauses) {
    if (protocol::find_clause(protocol::ratelimit_state, clause) == nullptr)
      return Error{"cites the clause " + clause + ", which the dialect does not have"};
  }
  for (const std::string& flag : vector.flags) {
    if (!state_flag_meanings().contains(flag))
      return Error{"carries the flag " + flag + ", which nothing explains"};
  }
  return {};
}

std::string text_of(const Json& json, std::string_view member) {
  return json.contains(member) ? json[member].string() : std::string();
}

/// The strategies that a request names: its own and, of a composite, those of the parts.
std::array<std::string, 3> strategies_of(const Json& request) {
  if (request["op"] == "decide") {
    const Json& configuration = request["configuration"];
    const auto part = [&](const char* name) {
      return configuration.contains(name) ? text_of(configuration[name], "strategy") : "";
    };
    return {text_of(configuration, "strategy"), part("primary"), part("secondary")};
  }
  const auto of = [&](std::size_t part) {
    return request.contains("of") ? request["of"][part].string() : "";
  };
  return {text_of(request, "strategy"), of(0), of(1)};
}

void add_formats(const protocol::state::Parsed& parsed, std::vector<std::string>& formats) {
  if (std::ranges::find(formats, std::string_view(parsed.format->name)) == formats.end())
    formats.emplace_back(parsed.format->name);
  for (const auto& part : parsed.parts) add_formats(part, formats);
}

/// Formats of the states that the requests hold.
void add_formats(const StateStep& step, const Readings& readings, StateVector& vector) {
  if (!step.request.contains("state") || !step.request["state"].is_string()) return;
  const auto [strategy, primary, secondary] = strategies_of(step.request);
  const std::string& state = step.request["state"].string();
  if (const auto parsed = protocol::state::parse(state, readings, {strategy, primary, secondary}))
    add_formats(*parsed, vector.formats);
}

Json reference_answer(const Json& request, const Readings& readings) {
  server::AdapterSession session("rehearsal", readings);
  Json numbered{{"id", 1}};
  numbered.update(request);
  std::string out;
  session.receive(numbered.dump() + "\n", out);
  return base::parse_json(out).value();
}

/// The vector's author writes where a state is refused; the reference supplies the words.
Result<void> rehearse(StateStep& step, const Readings& readings, bool rounding) {
  const Json answer = reference_answer(step.request, readings);
  const auto wrong = [&] {
    return Error{fmt::format("{} gets {}, expected is {}", step.request.dump(), answer.dump(),
                             step.answer.dump())};
  };
  if (mismatch(step.answer, answer, rounding)) return wrong();
  if (!step.answer.contains("error")) return {};
  Json& error = step.answer["error"];
  for (const auto& [name, value] : error.members()) {
    if (answer["error"][name] != value) return wrong();
  }
  error["reason"] = answer["error"]["reason"];
  return {};
}

Result<void> rehearse(StateVector& vector) {
  const auto checked = check(vector);
  if (!checked) return checked.error();
  const auto readings = readings_of(vector);
  if (!readings) return readings.error();
  const bool rounding = std::ranges::find(vector.flags, rounding_flag) != vector.flags.end();
  for (std::size_t i = 0; i < vector.steps.size(); ++i) {
    if (auto right = rehearse(vector.steps[i], *readings, rounding); !right)
      return Error{fmt::format("step {}: {}", i + 1, right.error().message)};
    add_formats(vector.steps[i], *readings, vector);
  }
  return {};
}

}  // namespace

Result<std::vector<StateVectorFile>> rehearsed_states() {
  constexpr std::pair<std::string_view, void (*)(StateSuite&)> writers[] = {
      {"token-bucket", add_token_bucket}, {"fixed-window", add_fixed_window},
      {"leaky-bucket", add_leaky_bucket}, {"gcra", add_gcra},
      {"composite", add_composite},
  };
  std::vector<StateVectorFile> files;
  for (const auto& [strategy, write] : writers) {
    StateSuite suite(strategy);
    write(suite);
    StateVectorFile& file = files.emplace_back();
    file.strategy = strategy;
    for (StateVector& vector : suite.vectors()) {
      if (auto right = rehearse(vector); !right)
        return Error{vector.id + ": " + right.error().message};
      for (const std::string& flag : vector.flags)
        file.flags[flag] = state_flag_meanings().at(flag);
      file.vectors.push_back(std::move(vector));
    }
  }
  return files;
}

}  // namespace hallmark::vectors::generator
