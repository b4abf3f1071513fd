#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/finding.hpp"
#include "audit/format_set.hpp"
#include "audit/limits.hpp"
#include "reference/model/states/migration.hpp"

namespace hallmark::audit {

/// The outcome of a migration for one entry.
enum class Plan : std::uint8_t {
  current,  ///< nothing: it is as it would be written today
  rewrite,
  merge,  ///< one quota of several that become one key
  left,   ///< it cannot be migrated
};

/// Facts about an entry beside its text.
struct Expectation {
  model::MigrationHints hints{};
  /// The entry is one of the keys that a fixed window had for each quota; `hints.quota` is that
  /// quota.
  bool is_part = false;
};

/// The findings about one text.
struct Checked {
  FormatSet formats{};  ///< that it could be of; empty: it is no state
  model::Evidence evidence{};
  std::vector<Finding> findings{};
  Plan plan = Plan::left;
  std::string rewritten{};                       ///< with `rewrite`
  std::optional<model::NotMigrated> obstacle{};  ///< with `left`

  /// Resets it to its initial state, but keeps the memory that it has allocated.
  void clear();
};

/// Says if a checker also puts together the text that an entry is to become.
enum class Rewriting : std::uint8_t { no, yes };

/// Finds what is wrong with the text of a state, and what a migration would make of it. Knows
/// nothing of stores and clocks.
class Checker {
 public:
  explicit Checker(const Limits& limits, Rewriting rewriting = Rewriting::yes);

  /// `checked` holds the answer; offsets are in bytes of `text`.
  void check(std::string_view text, const Expectation& expected, Checked& checked) const;

  /// The same without shortcuts, whatever the text.
  void check_by_tables(std::string_view text, const Expectation& expected, Checked& checked) const;

 private:
  Limits limits_;
  bool rewriting_;
};

}  // namespace hallmark::audit
