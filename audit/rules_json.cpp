#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "audit/rules.hpp"

namespace hallmark::audit {
namespace {

using reports::Error;
using reports::Result;

using Json = nlohmann::json;

/// Thrown where the file is not as it should be; never leaves `parse`.
struct Invalid {
  std::string message;
};

[[noreturn]] void refuse(const std::string& place, std::string_view expected) {
  throw Invalid{fmt::format("{}: expected {}", place.empty() ? "/" : place, expected)};
}

/// A misspelt member would be a rule that is not obeyed.
void allow(const Json& json, const std::string& place,
           std::initializer_list<std::string_view> names) {
  if (!json.is_object()) refuse(place, "an object");
  for (const auto& [name, value] : json.items()) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      refuse(place + "/" + name, fmt::format("one of {}", fmt::join(names, ", ")));
  }
}

std::string string_at(const Json& json, const std::string& place, const char* name) {
  if (!json.contains(name)) return {};
  if (!json[name].is_string()) refuse(fmt::format("{}/{}", place, name), "a string");
  return json[name].get<std::string>();
}

Configured part_at(const Json& json, const std::string& place, const char* name) {
  if (!json.contains(name)) return {};
  const std::string at = fmt::format("{}/{}", place, name);
  allow(json[name], at, {"strategy", "quota"});
  return {string_at(json[name], at, "strategy"), string_at(json[name], at, "quota")};
}

std::vector<std::string> strings_at(const Json& json, const std::string& place, const char* name) {
  std::vector<std::string> all;
  if (!json.contains(name)) return all;
  const std::string at = fmt::format("{}/{}", place, name);
  if (!json[name].is_array()) refuse(at, "an array of strings");
  for (const Json& one : json[name]) {
    if (!one.is_string()) refuse(at, "an array of strings");
    all.push_back(one.get<std::string>());
  }
  return all;
}

std::optional<MergePattern> merge_at(const Json& json, const std::string& place) {
  const auto quotas = strings_at(json, place, "quotas");
  if (!json.contains("merge")) {
    if (!quotas.empty())
      refuse(place + "/quotas", "merge beside them: they are those that it merges");
    return std::nullopt;
  }
  auto merge = MergePattern::parse(string_at(json, place, "merge"), quotas);
  if (!merge) throw Invalid{fmt::format("{}: {}", place, merge.error().message)};
  return *std::move(merge);
}

Rule rule_of(const Json& json, const std::string& place) {
  allow(json, place, {"match", "strategy", "quota", "primary", "secondary", "merge", "quotas"});
  Rule rule;
  if (json.contains("match")) rule.match = string_at(json, place, "match");
  rule.whole = {string_at(json, place, "strategy"), string_at(json, place, "quota")};
  rule.primary = part_at(json, place, "primary");
  rule.secondary = part_at(json, place, "secondary");
  rule.merge = merge_at(json, place);
  return rule;
}

std::vector<Rule> rules_of(const Json& json) {
  allow(json, "", {"rules"});
  if (!json.contains("rules") || !json["rules"].is_array()) refuse("/rules", "an array of rules");
  std::vector<Rule> rules;
  for (const Json& one : json["rules"])
    rules.push_back(rule_of(one, fmt::format("/rules/{}", rules.size())));
  return rules;
}

}  // namespace

Result<Rules> Rules::parse(std::string_view text) {
  try {
    return make(rules_of(Json::parse(text)));
  } catch (const Invalid& invalid) {
    return Error{invalid.message};
  } catch (const Json::parse_error& error) {
    return Error{fmt::format("at byte {}: not JSON, expected {{\"rules\": [...]}}", error.byte)};
  }
}

}  // namespace hallmark::audit
