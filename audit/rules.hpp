#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/glob.hpp"
#include "reference/model/states/migration.hpp"

namespace hallmark::audit {

/// Turns versions 1 and 2 of a fixed window, which have one key for each quota, into one key. The
/// key of a part is the pattern with the new key in place of `{key}` and the quota in place of
/// `{quota}`.
class MergePattern {
 public:
  /// `pattern`: text with `{key}` and `{quota}`, each once, and something between them.
  /// `quotas`: one to eight different names. Error: what is wrong, in one line.
  static base::Result<MergePattern> parse(const std::string& pattern,
                                          std::vector<std::string> quotas);

  struct Part {
    std::string_view key;    ///< of the state that this is a part of
    std::string_view quota;  ///< refers to this pattern
  };
  /// The part that the key belongs to; empty if it does not belong to one. `Part::key` refers to
  /// `key`.
  std::optional<Part> part_of(std::string_view key) const;

  /// The key of the part of that quota.
  std::string key_of(std::string_view key, std::string_view quota) const;

  const std::vector<std::string>& quotas() const { return quotas_; }

 private:
  std::string before_, between_, after_;  ///< around the two places
  bool key_first_ = true;
  std::vector<std::string> quotas_;
};

/// Facts about one strategy; a member is empty where nothing is known.
struct Configured {
  std::string strategy{};
  std::string quota{};  ///< of a fixed window whose version names none
};

/// The expected content of the keys that match.
struct Rule {
  std::string match = "*";  ///< the glob of stores::ScanOptions
  Configured whole{};
  Configured primary{};  ///< of composites
  Configured secondary{};
  std::optional<MergePattern> merge{};

  /// Refers to this rule.
  model::MigrationHints hints() const;
};

/// The first rule that matches decides.
class Rules {
 public:
  /// No rules: nothing is known of any key.
  Rules() = default;
  /// Error: a strategy that there is not, a part where there is no composite, a quota that its
  /// format cannot hold; in one line that names the rule by its number from 1.
  static base::Result<Rules> make(std::vector<Rule> rules);
  /// One rule, which error messages do not number.
  static base::Result<Rules> only(Rule rule);
  /// From JSON as reports/schema/audit-config.schema.json describes it. Error: with its place.
  static base::Result<Rules> parse(std::string_view json);

  /// Null: none matches.
  const Rule* rule_for(std::string_view key);
  bool empty() const { return rules_.empty(); }
  /// The patterns of the rules that `rule_for` has not returned yet.
  std::vector<std::string> unused() const;

 private:
  std::vector<Rule> rules_;
  std::vector<char> used_;  ///< by rule: 1 if `rule_for` returned it
  std::vector<base::Glob> globs_;
};

}  // namespace hallmark::audit
