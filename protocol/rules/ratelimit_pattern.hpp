#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hallmark::protocol::ratelimit {

/// The bytes that the stars of a pattern stand for in a key, in their order.
using Captures = std::vector<std::string_view>;

/// A pattern of keys: literal bytes, `?` for one byte, `*` for any run of bytes. Every star but the
/// last stands for as few bytes as it can, from left to right.
class Pattern {
 public:
  Pattern& add_literal(char byte);
  Pattern& add_any_byte();
  Pattern& add_star();

  /// Returns true if the key matches. Takes at most as many steps as the length of the key times
  /// that of the pattern.
  bool matches(std::string_view key) const;
  /// Does the same as `matches`. If the key matches, `captures` then holds what each star stands
  /// for, within `key`.
  bool matches(std::string_view key, Captures& captures) const;

  /// Returns true only if this pattern matches every key that `other` matches. It misses some cases
  /// in which a `?` of this pattern stands for more than one step of the other.
  bool covers(const Pattern& other) const;

  /// The one key that matches, where there is only one.
  std::optional<std::string> literal() const;

  /// The bytes between star number `index` - 1 and star number `index`, or an end of the pattern;
  /// each `?` as a 0. `index` is at most the number of stars.
  std::string between(std::size_t index) const;

  std::size_t stars() const { return segments_.size() - 1; }
  /// Bytes of the shortest key that matches.
  std::size_t shortest() const;
  bool ends_with_star() const { return stars() > 0 && segments_.back().empty(); }

  friend bool operator==(const Pattern&, const Pattern&) = default;

 private:
  /// One byte of a key: a literal of 0 to 255, or one of the two below.
  using Symbol = int;
  static constexpr Symbol any_byte = 256;
  static constexpr Symbol star = 257;
  using Segment = std::vector<Symbol>;

  static Symbol symbol_of(char byte) { return static_cast<unsigned char>(byte); }
  static Symbol symbol_of(Symbol symbol) { return symbol; }
  template <class Text>
  static bool is_at(const Segment& segment, std::span<const Text> text, std::size_t position);
  template <class Text, class OnStar>
  bool match(std::span<const Text> text, OnStar&& on_star) const;
  /// Equal for patterns that match the same keys: in a run of `?` and `*`, each `?` comes first and
  /// one star last.
  std::vector<Symbol> normal_form() const;
  bool begins_otherwise(const Pattern& other) const;

  std::vector<Segment> segments_{1};  ///< the parts between the stars
};

}  // namespace hallmark::protocol::ratelimit
