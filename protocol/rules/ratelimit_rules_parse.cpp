// The rules of a file beside each other: what a line cannot know by itself.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "protocol/rules/ratelimit_rule_line.hpp"
#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::protocol::ratelimit {
namespace {

/// The key that uses are counted under, where it is the same for all keys of the rule.
std::optional<std::string> one_key(const Rule& rule) {
  std::string key;
  if (rule.rewrites) {
    if (!rule.rewrite.is_constant()) return std::nullopt;
    rule.rewrite.write({}, key);
    return key;
  }
  return rule.pattern.literal();
}

std::optional<RulesError> conflict(const std::vector<Rule>& earlier, const RuleLine& found) {
  const std::size_t line = found.rule.line;
  if (earlier.size() == Rules::most_rules) {
    return RulesError{
        line, 1,
        fmt::format("more than {} rules; one rule with a '*' can take the keys of many",
                    Rules::most_rules)};
  }
  const auto key = one_key(found.rule);
  for (const Rule& one : earlier) {
    if (one.pattern.covers(found.rule.pattern)) {
      return RulesError{line, found.pattern_column,
                        fmt::format("no key comes here: the pattern of line {} takes them all; the "
                                    "first rule that matches decides",
                                    one.line)};
    }
    if (key && !(one.limit == found.rule.limit) && one_key(one) == key) {
      return RulesError{line, found.rule.rewrites ? found.rewrite_column : found.pattern_column,
                        fmt::format("uses are counted under the same key as those of line {}, but "
                                    "the limits differ; allowed: one limit for a key",
                                    one.line)};
    }
  }
  return std::nullopt;
}

}  // namespace

base::Expected<Rules, RulesError> Rules::parse(std::string_view text) {
  Rules read;
  for (std::size_t number = 1; !text.empty(); ++number) {
    auto found = read_rule_line(base::take_line(text), number);
    if (!found) return found.error();
    if (!*found) continue;
    if (const auto error = conflict(read.rules_, **found)) return *error;
    read.rules_.push_back(std::move((*found)->rule));
  }
  if (!read.rules_.empty()) return read;
  return RulesError{
      1, 1, "no rule in the file; expected at least one, such as: 22/20 strict \"ws ip=*\""};
}

}  // namespace hallmark::protocol::ratelimit
