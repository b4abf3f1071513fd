#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hallmark::audit {

/// A kind of mistake in an entry of a store.
enum class Kind : std::uint8_t {
  malformed,       ///< no state
  json,            ///< a state from before version 1
  other_type,      ///< of Redis: no string
  overlong,        ///< of a file: a line longer than allowed
  unexpected,      ///< a state of another strategy than the configuration says
  future,          ///< a time later than clocks can explain
  past,            ///< a time so long ago that the entry should be gone
  wrong_unit,      ///< a time in seconds, milliseconds or microseconds
  zero_time,       ///< the zero time of Go: written without a time
  senseless,       ///< a number that its field cannot have
  not_canonical,   ///< reads, but would be written otherwise
  mixed_versions,  ///< a composite of old and new
  nested,          ///< a composite in a composite
};

inline constexpr std::size_t kinds = 13;

/// "not-canonical": the name in reports.
std::string_view name_of(Kind kind);
/// A few words for people that say what the kind means.
std::string_view meaning_of(Kind kind);

/// One thing that is wrong, and where in the text: the bytes from `offset`, `length` of them.
struct Finding {
  Kind kind = Kind::malformed;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string field{};   ///< with its path: `secondary.tokens`
  std::string reason{};  ///< does not hold the value itself: findings are counted by it
  std::string detail{};  ///< about this value only, such as its date; often empty
};

/// The most bytes of a text that reports keep.
inline constexpr std::size_t longest_shown = 200;

/// The part of a text that reports keep.
struct Excerpt {
  std::string_view text;
  std::size_t begin;  ///< in the whole text
};

/// The first `longest_shown` bytes of a text; where its finding lies beyond them, those around it.
Excerpt excerpt_of(std::string_view text, const Finding& finding);

/// The reason with the detail: "is later than allowed: 2030-01-01T00:00:00.000Z".
std::string explanation(const Finding& finding);

}  // namespace hallmark::audit
