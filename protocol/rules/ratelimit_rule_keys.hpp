#pragma once
#include <optional>
#include <string>

#include "protocol/rules/ratelimit_key_template.hpp"
#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::protocol::ratelimit {

/// The keys that a run makes of one rule.
class RuleKeys {
 public:
  /// The others who use the keys that uses are counted under.
  enum class Users : std::uint8_t {
    nobody,    ///< there are so many keys that no run meets one again
    runs,      ///< a run may meet keys of an earlier one
    everybody  ///< real users have the same keys
  };

  /// Keys of the rule; of `given` where that is not null: the user says that they are nobody's. The
  /// rule is one of `rules`; both have to outlive this.
  RuleKeys(const Rules& rules, const Rule& rule, const KeyTemplate* given = nullptr);

  /// A key that the rule decides on. Takes numbers from `next` on, and leaves the next one there.
  /// Empty if a bounded search finds none: rules before it take them, or they are too long.
  std::optional<std::string> key(std::uint64_t run, std::uint64_t& next) const;

  /// The key that uses of `key` are counted under.
  std::string counted_under(const std::string& key) const { return rules_->match(key).key; }

  const Rule& rule() const { return *rule_; }
  Users users() const { return users_; }
  /// True if the rule has keys that are counted apart.
  bool several() const { return several_; }
  /// The reason why real users have the same keys, or why there is none; empty otherwise.
  const std::string& why() const { return why_; }
  /// True if a key was found.
  bool any() const { return any_; }

 private:
  bool take(KeyTemplate text);
  void choose(const KeyTemplate* given);
  void judge_users(bool given, bool in_network);
  std::string why_shared(bool given, bool in_network) const;
  std::string why_none() const;

  const Rules* rules_;
  const Rule* rule_;
  KeyTemplate text_;
  Users users_ = Users::everybody;
  bool several_ = false;
  bool any_ = false;
  std::string why_;
};

/// A key that no rule is for, and nobody else uses. Takes numbers from `next` on, and leaves the
/// next one there. Empty if none was found.
std::optional<std::string> unruled_key(const Rules& rules, std::uint64_t run, std::uint64_t& next);

/// The rule that decides on the keys of the template. Error: one line; none does, or not one alone.
base::Result<const Rule*> rule_of(const Rules& rules, const KeyTemplate& text,
                                  std::string_view as_typed);

}  // namespace hallmark::protocol::ratelimit
