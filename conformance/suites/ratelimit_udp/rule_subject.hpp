#pragma once

#include "conformance/drivers/datagram/datagram_case.hpp"

namespace hallmark::conformance {

/// A rule, and what makes keys of it that nobody else uses.
struct Subject {
  const protocol::ratelimit::Rules* rules;
  const protocol::ratelimit::Rule* rule;
  KnownRules known;

  /// A key of the rule with these bytes in it.
  std::string key(std::string_view fill) const { return rule->pattern.example(fill); }
  std::string counted_under(const std::string& key) const { return rules->match(key).key; }
};

/// A rule for one key has only that: it may be in use by others.
bool has_keys_of_its_own(const protocol::ratelimit::Rules& rules,
                         const protocol::ratelimit::Rule& rule);

/// Stable as long as the rule is: what it allows and its place among the rules.
std::string name_of(const Subject& subject);

/// A limit as replies have it.
std::uint64_t tenths(double uses);

/// Nanoseconds, as the oracle counts them.
inline std::int64_t at(Time time) { return static_cast<std::int64_t>(time); }

/// Ends the case where the reply to a use is not as the bounds of its rate say.
void judge_use(Attempt& attempt, const Subject& subject, std::uint64_t use, const Message& reply,
               const oracle::Judgement& judged);

/// Uses of one key from several sockets, all under way before any reply is read, until the key is
/// over its limit and some time beyond.
void uses_at_a_time(Attempt& attempt, const Subject& subject);

}  // namespace hallmark::conformance
