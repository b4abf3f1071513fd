#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "protocol/rules/ratelimit_pattern.hpp"

/// The rules that give each key of a rate limiter its limit: the rule file of docs/rules.md. The
/// document leaves the rules to each server, so whoever judges or loads a server has to be told the
/// same rules.
namespace hallmark::protocol::ratelimit {

/// The trace that a use over the limit leaves: a strict key counts it, a leaky one does not.
enum class Discipline : std::uint8_t { strict, leaky };

std::string_view name_of(Discipline discipline);

/// The limit of a key.
struct Limit {
  double uses = 0;                   ///< in a period; 0 to 999999999.9, a whole number of tenths
  std::uint32_t period_seconds = 1;  ///< 1 to 2147483647
  Discipline discipline = Discipline::strict;
  bool statistics = false;  ///< get_stats counts its uses

  friend bool operator==(const Limit&, const Limit&) = default;
};

/// The limit as a rule file writes it: "22/20", "0.5/1".
std::string limit_text(std::uint64_t tenths_of_uses, std::uint64_t period_seconds);
std::string to_string(const Limit& limit);

/// Uses as replies count them.
std::uint64_t tenths_of(const Limit& limit);

/// The key that uses are counted under: bytes, and what stars of the pattern stand for.
class Rewrite {
 public:
  struct Star {
    std::size_t index;  ///< the first star is 0

    friend bool operator==(const Star&, const Star&) = default;
  };

  void add_literal(char byte);
  void add_star(std::size_t index) { parts_.emplace_back(Star{index}); }

  /// Several keys become one, whatever their bytes.
  bool is_constant() const;
  bool uses(std::size_t star) const;
  /// The number of bytes that are always there.
  std::size_t literal_bytes() const;

  /// Sets `key` to the bytes with what the stars stand for.
  void write(const Captures& captures, std::string& key) const;

  friend bool operator==(const Rewrite&, const Rewrite&) = default;

 private:
  std::vector<std::variant<std::string, Star>> parts_;
};

/// One line of the file.
struct Rule {
  Limit limit;
  Pattern pattern;
  bool rewrites = false;
  Rewrite rewrite = {};      ///< where it rewrites
  std::string pattern_text;  ///< as in the file, without its quotes
  std::string rewrite_text;  ///< if it rewrites; as in the file, without its quotes
  std::size_t line = 0;      ///< 1-based
};

/// The rule as a rule file writes it: `22/20 leaky stats "ws ip=*" as "ws \1"`.
std::string to_string(const Rule& rule);

/// The place where a rule file goes wrong, and the reason.
struct RulesError {
  // Declared, or a number alone would make an error too, and a result could not tell it from a
  // value.
  RulesError() = default;
  RulesError(std::size_t at_line, std::size_t at_column, std::string why)
      : line(at_line), column(at_column), reason(std::move(why)) {}

  std::size_t line = 1;    ///< 1-based
  std::size_t column = 1;  ///< 1-based, in bytes
  std::string reason;      ///< one line: what came and what is allowed

  friend bool operator==(const RulesError&, const RulesError&) = default;
};

/// `FILE:LINE:COLUMN: reason`.
std::string to_string(const RulesError& error, std::string_view file);

[[noreturn]] void throw_error(const RulesError& error);

/// The bytes that released servers read of a request.
inline constexpr std::size_t longest_request = 1000;
/// The bytes of the longest key that such a request can use: after `over_limit `.
inline constexpr std::size_t longest_key = 989;

/// The rules of a server. The first whose pattern matches a key decides.
class Rules {
 public:
  static constexpr std::size_t most_rules = 4'096;
  static constexpr std::size_t longest_line = 8'192;

  /// Error: the first mistake. A text without a rule is one.
  static base::Expected<Rules, RulesError> parse(std::string_view text);

  struct Match {
    const Limit* limit = nullptr;  ///< lives as long as the rules; null: no rule, `key` as it came
    std::string key;               ///< that uses are counted under
  };
  Match match(std::string_view key) const;

  /// The same as Match, without an allocation of its own.
  struct MatchView {
    const Limit* limit = nullptr;
    std::string_view key;  ///< within the key that came, or in the room
  };
  /// The memory that `match` keeps between two calls to write into.
  struct Room {
    Captures captures;
    std::string key;
  };
  MatchView match(std::string_view key, Room& room) const;

  std::span<const Rule> rules() const { return rules_; }

 private:
  std::vector<Rule> rules_;
};

/// The text of a file of rules. Error: one line with the file and the reason.
base::Result<std::string> read_rules_text(const std::string& path);

/// Reads a file of rules. Error: one line with the file, and where it can be read with line, column
/// and reason.
base::Result<Rules> read_rules_file(const std::string& path);

/// docs/example.rules, which reproduces the examples of the document.
const Rules& example_rules();
std::string_view example_rules_text();

}  // namespace hallmark::protocol::ratelimit
