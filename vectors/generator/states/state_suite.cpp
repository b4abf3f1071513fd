#include "vectors/generator/states/state_suite.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::vectors::generator {

using base::Json;

StateScenario& StateScenario::cites(std::initializer_list<std::string_view> clauses) {
  for (const std::string_view clause : clauses) vector_.clauses.emplace_back(clause);
  return *this;
}

StateScenario& StateScenario::should() {
  vector_.level = protocol::Level::should;
  return *this;
}

StateScenario& StateScenario::may() {
  vector_.level = protocol::Level::may;
  return *this;
}

StateScenario& StateScenario::flag(std::string_view flag) {
  vector_.flags.emplace_back(flag);
  return *this;
}

StateScenario& StateScenario::where(protocol::Chosen answer) {
  vector_.readings[std::string(answer.reading)] = answer.answer;
  return *this;
}

Json StateScenario::about(std::string_view operation, const std::vector<std::string>& of) const {
  const std::string_view id = vector_.id;
  const std::size_t begin = id.find('/') + 1;
  Json request{{"op", operation}, {"strategy", id.substr(begin, id.find('/', begin) - begin)}};
  if (!of.empty()) request["of"] = of;
  return request;
}

StateScenario& StateScenario::reads(std::string_view state, protocol::MessageName format,
                                    Json fields, const std::vector<std::string>& of) {
  Json request = about("decode", of);
  request["state"] = state;
  vector_.steps.push_back(
      {std::move(request), {{"format", format}, {"fields", std::move(fields)}}});
  return *this;
}

StateScenario& StateScenario::refuses(std::string_view state, std::size_t offset,
                                      std::string_view field, const std::vector<std::string>& of) {
  Json request = about("decode", of);
  request["state"] = state;
  vector_.steps.push_back({std::move(request), refusal(offset, field)});
  return *this;
}

StateScenario& StateScenario::writes(Json fields, std::string_view state) {
  Json request = about("encode", {});
  request["fields"] = std::move(fields);
  vector_.steps.push_back({std::move(request), {{"state", state}}});
  return *this;
}

StateScenario& StateScenario::keeps(std::string_view state, protocol::MessageName format,
                                    const Json& fields, const std::vector<std::string>& of) {
  reads(state, format, fields, of);
  return writes(fields, state);
}

StateScenario& StateScenario::decides(const Json& configuration, const Json& before,
                                      std::string_view now, Json answer) {
  vector_.steps.push_back(
      {{{"op", "decide"}, {"configuration", configuration}, {"state", before}, {"now", now}},
       std::move(answer)});
  return *this;
}

StateScenario StateSuite::add(std::string_view operation, std::string_view name,
                              std::string_view title) {
  StateVector& vector = vectors_.emplace_back();
  vector.id = fmt::format("{}/{}/{}/{}", state_dialect, strategy_, operation, name);
  vector.title = title;
  vector.operation = operation;
  return StateScenario(vector);
}

StateScenario StateSuite::add_refused(std::string_view name, std::string_view title,
                                      std::initializer_list<std::string_view> clauses,
                                      std::string_view state, std::size_t offset,
                                      std::string_view field, const std::vector<std::string>& of) {
  StateScenario scenario = add("decode", name, title);
  scenario.should().cites({"silence.malformed"}).cites(clauses).refuses(state, offset, field, of);
  return scenario;
}

Json allowed(std::string_view remaining, std::string_view after) {
  return {{"allowed", true},
          {"results",
           Json::array({{{"quota", "default"}, {"allowed", true}, {"remaining", remaining}}})},
          {"state", after}};
}

Json denied(std::string_view remaining) {
  return {{"allowed", false},
          {"results",
           Json::array({{{"quota", "default"}, {"allowed", false}, {"remaining", remaining}}})},
          {"state", nullptr}};
}

Json denied_until(std::string_view remaining, std::string_view reset) {
  Json answer = denied(remaining);
  answer["results"][0]["reset"] = reset;
  return answer;
}

Json refusal(std::size_t offset, std::string_view field) {
  return {{"error", {{"offset", offset}, {"field", field}}}};
}

void add_foreign_strings(StateSuite& suite) {
  const std::string& strategy = suite.strategy();
  const std::vector<std::string> of = strategy == "composite"
                                          ? std::vector<std::string>{"token-bucket", "gcra"}
                                          : std::vector<std::string>{};
  const auto refused = [&](std::string_view name, std::string_view title, std::string_view state) {
    suite.add_refused(name, title, {"header.form", "header.strategy"}, state, 0, "header", of);
  };
  refused("empty", "an empty string is no state", "");
  refused("no-header", "a string without a header is no state", "hello");
  refused("header-without-bar", "a header alone is no state", "42");
  refused("half-a-header", "one digit is no header", "1");
  refused("comma", "fields are separated by bars", "12,8.5,1761884055342794596");
  refused("unknown-strategy", "no strategy has the number 6", "62|1|1761884055342794596");
  refused("unknown-version", "no strategy has a version 9", "19|1|1761884055342794596");
  refused("json", "JSON, as states were before version 1", R"({"Tokens":5})");
  refused("space-before", "nothing stands before the header", " 42|1761884055342794596");
  const std::pair<std::string_view, std::string_view> others[] = {
      {"token-bucket", "12|8.5|1761884055342794596"},
      {"fixed-window", "23|1|default|2|1761884055342794596"},
      {"leaky-bucket", "32|5|1761884055342794596"},
      {"gcra", "42|1761884055342794596"},
      {"composite", "51|12|8.5|1761884055342794596$42|1761884055342794596"}};
  for (const auto& [other, state] : others) {
    if (other == strategy) continue;
    refused(fmt::format("of-{}", other),
            fmt::format("a state of {} is none of {}", other, strategy), state);
  }
}

}  // namespace hallmark::vectors::generator
