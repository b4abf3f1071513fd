#pragma once

#include "conformance/drivers/datagram/datagram_case.hpp"
#include "protocol/rules/ratelimit_rule_keys.hpp"

namespace hallmark::conformance {

/// A rule that is tested, the keys that are made for it, and what is known of the target's rates.
struct Subject {
  using Users = protocol::ratelimit::RuleKeys::Users;

  protocol::ratelimit::RuleKeys keys;
  std::size_t place;  ///< among the rules, from 1
  bool exponential;
  oracle::OverWhen over_when;

  const protocol::ratelimit::Rule& rule() const { return keys.rule(); }
  const protocol::ratelimit::Limit& limit() const { return rule().limit; }
  bool is_shared() const { return keys.users() == Users::everybody; }
  /// True if no key has been used before.
  bool is_fresh() const { return keys.users() == Users::nobody; }

  /// A key of the rule: another one each time, if it has several. Ends the case if there is none.
  std::string key(Attempt& attempt) const;
  /// Assumptions under which rates of its keys are judged.
  oracle::Assumptions assumptions() const {
    return {.over_when = over_when, .fresh_key = is_fresh()};
  }
};

/// The number that stands for the run in the keys that it makes of rules.
std::uint64_t number_of_run(const DatagramContext& context);

/// The rules for which keys can be made.
std::vector<Subject> subjects_of(const KnownRules& known);

/// The most uses in a row that a case makes: more take too long, and lose too many datagrams.
inline constexpr double most_climbed = 500;

/// Stable as long as the rule is: what it allows and its place among the rules.
std::string name_of(const Subject& subject);

/// Nanoseconds, as the oracle counts them.
inline std::int64_t at(Time time) { return static_cast<std::int64_t>(time); }

/// Ends the case where a reply has another limit or period than the rule.
void judge_limit(Attempt& attempt, const Subject& subject, const Message& reply);

/// Ends the case where the reply to a use is not as the rule and the bounds of its rate say.
void judge_use(Attempt& attempt, const Subject& subject, std::uint64_t use, const Message& reply,
               const oracle::Judgement& judged);

/// Uses of one key from several sockets, all under way before any reply is read, until the key is
/// over its limit and some time beyond.
void uses_at_a_time(Attempt& attempt, const Subject& subject);

}  // namespace hallmark::conformance
