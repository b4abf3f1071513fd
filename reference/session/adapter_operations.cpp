#include "reference/session/adapter_operations.hpp"

#include <fmt/format.h>

#include "protocol/dialects.hpp"
#include "protocol/text/text.hpp"

namespace hallmark::server::adapter {
namespace {

using protocol::ratelimit_state;
namespace state = protocol::state;

constexpr std::int64_t ns_per_ms = 1'000'000;

Json hello(const std::string& version, const protocol::Readings& readings) {
  Json decode = Json::array();
  for (const protocol::Format& format : ratelimit_state.formats) {
    if (readings.holds(format.message.when)) decode.push_back(format.name);
  }
  const Json strategies = state::strategies(ratelimit_state);
  return {{"protocol", 1},
          {"implementation", "hallmark " + version},
          {"supports", {{"decode", decode}, {"encode", strategies}, {"decide", strategies}}}};
}

/// The strategy that the request takes the state for.
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

Asked<Json> decode(const Json& request, const protocol::Readings& readings) {
  const auto taken = taken_for(request);
  if (!taken) return taken.error();
  const auto text = text_in(request, "state");
  if (!text) return text.error();
  const auto parsed = state::parse(*text, readings, *taken);
  if (!parsed) return Refusal{false, parsed.error()};
  return Json{{"format", parsed->format->name}, {"fields", fields_of(*parsed)}};
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
  return Json{{"state", *text}};
}

Json shown(const model::Decision& decision) {
  Json results = Json::array();
  for (const model::QuotaResult& one : decision.results)
    results.push_back({{"quota", one.quota},
                       {"allowed", one.allowed},
                       {"remaining", std::to_string(one.remaining)},
                       {"reset", std::to_string(one.reset)}});
  Json answer = {
      {"allowed", decision.allowed}, {"results", std::move(results)}, {"state", nullptr}};
  if (!decision.state) return answer;
  answer["state"] = *decision.state;
  // Cut off, a state could be dropped while it still matters.
  const std::int64_t whole = decision.expires_in / ns_per_ms;
  const bool more = decision.expires_in % ns_per_ms != 0;
  answer["expires_in_ms"] = std::to_string(whole + (more ? 1 : 0));
  return answer;
}

Asked<Json> decide(const Json& request, const model::Decide& by) {
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
  const auto decision = by(*strategy, before, *now);
  if (!decision) return Refusal{false, decision.error()};
  return shown(*decision);
}

Asked<Json> asked_for(const Json& request, const std::string& version,
                      const protocol::Readings& readings, const model::Decide& by) {
  const auto operation = text_in(request, "op");
  if (!operation) return operation.error();
  if (*operation == "hello") return hello(version, readings);
  if (*operation == "decode") return decode(request, readings);
  if (*operation == "encode") return encode(request, readings);
  if (*operation == "decide") return decide(request, by);
  return Refusal{true, protocol::Malformed{"op", 0, fmt::format("no operation '{}'", *operation)}};
}

class Reference final : public Adapter {
 public:
  Reference(std::string version, const protocol::Readings& readings, model::Decide by)
      : version_(std::move(version)), readings_(readings), by_(std::move(by)) {}

  Json answer(const Json& request) override {
    auto given = asked_for(request, version_, readings_, by_);
    if (given) return std::move(*given);
    const auto& [unsupported, error] = given.error();
    if (unsupported) return {{"unsupported", error.reason}};
    return {
        {"error", {{"offset", error.offset}, {"field", error.field}, {"reason", error.reason}}}};
  }

 private:
  std::string version_;
  protocol::Readings readings_;
  model::Decide by_;
};

}  // namespace

std::unique_ptr<Adapter> make_adapter(std::string version, const protocol::Readings& readings,
                                      model::Decide by) {
  return std::make_unique<Reference>(std::move(version), readings, std::move(by));
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
  return found.string();
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
