#pragma once
#include <optional>
#include <string_view>

#include "base/expected.hpp"
#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::protocol::ratelimit {

/// A rule, and where its parts stand in the line: what is wrong with it beside others is told
/// there.
struct RuleLine {
  Rule rule;
  std::size_t pattern_column = 1;
  std::size_t rewrite_column = 1;
};

/// Reads one line without its end; nothing where it holds no rule.
/// Error: the first mistake of the line.
base::Expected<std::optional<RuleLine>, RulesError> read_rule_line(std::string_view line,
                                                                   std::size_t number);

}  // namespace hallmark::protocol::ratelimit
