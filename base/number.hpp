#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace hallmark::base {

/// The notations in which a number may be written.
enum class Notation {
  fixed,   ///< 1.5
  general  ///< 1.5, and also 15e-1
};

/// A number at the beginning of a text.
template <class Number>
struct Leading {
  Number number{};
  std::size_t length = 0;  ///< in characters
};

/// Reads the number that `text` begins with: decimal digits, a minus before them where the type has
/// one, and for doubles a point or what `notation` allows. Nothing: there is none, or it does not
/// fit the type. Doubles also read "inf" and "nan". For std::uint16_t, std::uint32_t,
/// std::uint64_t, std::int32_t, std::int64_t and double.
template <class Number>
std::optional<Leading<Number>> leading_number(std::string_view text,
                                              Notation notation = Notation::general);

/// Reads all of `text` as a number, as `leading_number` does.
template <class Number>
std::optional<Number> number_in(std::string_view text, Notation notation = Notation::general) {
  const auto leading = leading_number<Number>(text, notation);
  if (!leading || leading->length != text.size()) return std::nullopt;
  return leading->number;
}

}  // namespace hallmark::base
