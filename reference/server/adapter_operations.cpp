#include "reference/server/adapter_operations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reference/mutants/mutant.hpp"
#include "reference/protocol/dialects.hpp"
#include "reference/protocol/text.hpp"
#include "reference/server/state_faults.hpp"

namespace hallmark::server::adapter {
namespace {

using mutants::on;
using mutants::operator""_mutant;
using protocol::ratelimit_state;
namespace state = protocol::state;

constexpr std::int64_t ns_per_ms = 1'000'000;

Json hello(const std::string& version, const protocol::Readings& readings) {
  Json decode = Json::array();
  for (const protocol::Format& format : ratelimit_state.formats) {
    if (readings.holds(format.message.when)) decode.push_back(format.name);
  }
  Json strategies = state::strategies(ratelimit_state);
  if (on("adapter.lists-less"_mutant)) std::erase(strategies.mutable_items(), "gcra");
  return {{"protocol", on("adapter.other-protocol"_mutant) ? 2 : 1},
          {"implementation", "hallmark " + version},
          {"supports", {{"decode", decode}, {"encode", strategies}, {"decide", strategies}}}};
}

/// What the request takes the state for.
Asked<state::Taken> taken_for(const Json& request) {
  const auto name = text_in(request, "strategy");
  if (!name) return name.error();
  const auto strategy = known_strategy(*name);
  if (!strategy) return strategy.error();
  state::Taken taken{.strategy = *strategy};
  if (taken.strategy != "composite") return taken;
  const Json& of = request["of"];
  if (!of.is_array() || of.size() != 2) return wrong("of", "expected the strategies of both parts");
  for (std::size_t i = 0; i < 2; ++i) {
    if (!of[i].is_string()) return wrong("of", "expected names of strategies");
    const auto part = known_strategy(of[i].string());
    if (!part) return part.error();
    (i == 0 ? taken.primary : taken.secondary) = *part;
  }
  return taken;
}

std::int64_t spoilt_reset(std::int64_t reset) {
  return on("reset.in-seconds"_mutant) ? reset / 1'000'000'000 : reset;
}

std::string fresh_state(std::string_view strategy) {
  if (strategy == "token-bucket") return "12|0|0";
  if (strategy == "fixed-window") return "23|1|default|0|0";
  return strategy == "leaky-bucket" ? "32|0|0" : "42|0";
}

/// What a mutant reads in place of a state that is refused; false where it refuses it, too.
bool spoil_refused(std::string& text, const state::Taken& taken, const protocol::Malformed& error) {
  if (on("read.more-than-a-state"_mutant)) text.resize(error.offset);
  if (on("read.anything"_mutant)) {
    text = taken.strategy == "composite"
               ? fmt::format("51|{}${}", fresh_state(taken.primary), fresh_state(taken.secondary))
               : fresh_state(taken.strategy);
  }
  return on("read.more-than-a-state"_mutant) || on("read.anything"_mutant);
}

/// Not of a state: see `wrong`.
bool is_of_request(const protocol::Malformed& error) {
  return error.reason.starts_with("expected");
}

bool is_of_history(const state::Parsed& parsed) {
  return !parsed.format->current || std::ranges::any_of(parsed.parts, is_of_history);
}

/// Times have 19 digits in this century; nothing else that is told has as many.
void spoil_told(Json& told) {
  constexpr std::size_t digits = 19;
  if (told.is_array()) std::ranges::for_each(told.mutable_items(), spoil_told);
  if (told.is_object()) {
    for (Json::Member& one : told.mutable_members()) spoil_told(one.value);
  }
  if (!told.is_string() || told.size() != digits) return;
  told.string().replace(digits - 6, 6, "000000");
}

Asked<Json> decode(const Json& request, const protocol::Readings& readings) {
  const auto taken = taken_for(request);
  if (!taken) return taken.error();
  const auto text = text_in(request, "state");
  if (!text) return text.error();
  std::string read = *text;
  protocol::Readings held_to = readings;
  if (on("read.splits-at-last"_mutant)) (void)held_to.set("nested-split", "last");
  auto parsed = state::parse(read, held_to, *taken);
  if (!parsed && spoil_refused(read, *taken, parsed.error()))
    parsed = state::parse(read, held_to, *taken);
  if (!parsed) return Refusal{false, parsed.error()};
  if (on("read.old-refused"_mutant) && is_of_history(*parsed))
    return Refusal{false, {"header", 0, "is of an old format"}};
  Json told{{"format", parsed->format->name}, {"fields", fields_of(*parsed)}};
  if (on("read.times-cut"_mutant)) spoil_told(told);
  return told;
}

Asked<Json> encode(const Json& request, const protocol::Readings& readings) {
  const auto name = text_in(request, "strategy");
  if (!name) return name.error();
  const auto strategy = known_strategy(*name);
  if (!strategy) return strategy.error();
  const auto fields = object_in(request, "fields");
  if (!fields) return fields.error();
  const auto text = state_of(*strategy, *fields, readings);
  if (!text) return text.error();
  return Json{{"state", spoilt_state(*text)}};
}

Json shown(const model::Decision& decision) {
  Json results = Json::array();
  for (const model::QuotaResult& one : decision.results)
    results.push_back({{"quota", one.quota},
                       {"allowed", one.allowed},
                       {"remaining", std::to_string(one.remaining)},
                       {"reset", std::to_string(spoilt_reset(one.reset))}});
  Json answer = {
      {"allowed", decision.allowed}, {"results", std::move(results)}, {"state", nullptr}};
  if (!decision.state) return answer;
  answer["state"] = spoilt_state(*decision.state);
  // Cut off, a state could be dropped while it still matters.
  const std::int64_t whole = decision.expires_in / ns_per_ms;
  const bool more = decision.expires_in % ns_per_ms != 0;
  answer["expires_in_ms"] = std::to_string(whole + (more ? 1 : 0));
  return answer;
}

Asked<Json> decide(const Json& request) {
  const auto configuration = object_in(request, "configuration");
  if (!configuration) return configuration.error();
  const auto strategy = strategy_of(*configuration);
  if (!strategy) return strategy.error();
  const Json* const held = request.find("state");
  if (held == nullptr || (!held->is_null() && !held->is_string()))
    return wrong("state", "expected a text or null");
  const auto now = number_in(request, "now");
  if (!now) return now.error();
  const std::string text = held->is_string() ? held->string() : "";
  const auto before = held->is_null() ? std::nullopt : std::optional<std::string_view>(text);
  auto decision = model::decide(*strategy, before, *now);
  if (!decision && on("read.anything"_mutant))
    decision = model::decide(*strategy, std::nullopt, *now);
  if (!decision) return Refusal{false, decision.error()};
  return shown(*decision);
}

Asked<Json> asked_for(const Json& request, const std::string& version,
                      const protocol::Readings& readings) {
  const auto operation = text_in(request, "op");
  if (!operation) return operation.error();
  if (*operation == "hello") return hello(version, readings);
  if (*operation == "decode") return decode(request, readings);
  if (*operation == "encode") return encode(request, readings);
  if (*operation == "decide") return decide(request);
  return Refusal{true, protocol::Malformed{"op", 0, fmt::format("no operation '{}'", *operation)}};
}

}  // namespace

Json answer(const Json& request, const std::string& version, const protocol::Readings& readings) {
  auto given = asked_for(request, version, readings);
  if (given) return std::move(*given);
  const Refusal& refusal = given.error();
  const protocol::Malformed& error = refusal.error;
  if (on("adapter.wrong-unsaid"_mutant) && is_of_request(error)) return Json::object();
  if (refusal.unsupported && !on("adapter.unknown-is-wrong"_mutant))
    return {{"unsupported", error.reason}};
  return {{"error", {{"offset", error.offset}, {"field", error.field}, {"reason", error.reason}}}};
}

Asked<std::string_view> known_strategy(const std::string& name) {
  for (const std::string_view known : state::strategies(ratelimit_state)) {
    if (known == name) return known;
  }
  return Refusal{true, protocol::Malformed{"strategy", 0, fmt::format("no strategy '{}'", name)}};
}

Asked<std::string> text_in(const Json& holder, const char* name) {
  const Json& found = holder[name];
  if (!found.is_string()) return wrong(name, "expected a text");
  return Asked<std::string>(boost::system::in_place_value, found.string());
}

Asked<Json> object_in(const Json& holder, const char* name) {
  const Json& found = holder[name];
  if (!found.is_object()) return wrong(name, "expected an object");
  return found;
}

Asked<std::int64_t> number_in(const Json& holder, const char* name) {
  const auto text = text_in(holder, name);
  if (!text) return text.error();
  const auto number = protocol::text::signed_at_front(*text);
  if (!number || number->length != text->size())
    return wrong(name, "expected a whole number of 64 bits in a text");
  return number->number;
}

Asked<double> real_in(const Json& holder, const char* name) {
  const auto text = text_in(holder, name);
  if (!text) return text.error();
  const auto number = protocol::text::real_at_front(*text);
  if (!number || number->length != text->size())
    return wrong(name, "expected a decimal number in a text");
  return number->number;
}

}  // namespace hallmark::server::adapter
