#include "audit/rules.hpp"
#include "base/json_reader.hpp"

namespace hallmark::audit {
namespace {

using base::JsonMembers;
using base::JsonReader;
using base::Result;

std::string string_or_empty(JsonMembers& members, std::string_view name) {
  const auto found = members.find(name);
  return found ? found->string() : std::string();
}

Configured read_part(JsonMembers& members, std::string_view name) {
  const auto found = members.find(name);
  if (!found) return {};
  JsonMembers part(*found);
  Configured configured{string_or_empty(part, "strategy"), string_or_empty(part, "quota")};
  part.no_more();
  return configured;
}

std::optional<MergePattern> read_merge(JsonMembers& members) {
  const auto pattern = members.find("merge");
  const auto quotas = members.find("quotas");
  std::vector<std::string> names;
  if (quotas) {
    for (const JsonReader& quota : quotas->items()) names.push_back(quota.string());
  }
  if (!pattern) {
    if (!names.empty())
      quotas->complain("expected merge beside them: they are those that it merges");
    return std::nullopt;
  }
  auto merge = MergePattern::parse(pattern->string(), std::move(names));
  if (!merge) pattern->complain(merge.error().message);
  return *std::move(merge);
}

Rule read_rule(const JsonReader& reader) {
  JsonMembers members(reader);
  Rule rule;
  if (const auto match = members.find("match")) rule.match = match->string();
  rule.whole = {string_or_empty(members, "strategy"), string_or_empty(members, "quota")};
  rule.primary = read_part(members, "primary");
  rule.secondary = read_part(members, "secondary");
  rule.merge = read_merge(members);
  members.no_more();
  return rule;
}

std::vector<Rule> read_rules(const JsonReader& reader) {
  JsonMembers members(reader);
  std::vector<Rule> rules;
  for (const JsonReader& rule : members["rules"].items()) rules.push_back(read_rule(rule));
  members.no_more();
  return rules;
}

}  // namespace

Result<Rules> Rules::parse(std::string_view text) {
  auto rules = base::read_json(text, read_rules);
  if (!rules) return rules.error();
  return make(std::move(*rules));
}

}  // namespace hallmark::audit
