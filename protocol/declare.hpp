#pragma once

#include <array>

#include "protocol/dialect.hpp"

/// The words in which dialect tables are written.
namespace hallmark::protocol::declare {

using kinds::value_width;

consteval Field opcode() { return {"opcode", kinds::Opcode{}}; }

consteval Field status(When when = {}) { return {"status", kinds::Status{}, when}; }

consteval Field integer(FieldName name, std::uint8_t width, std::string_view unit = {},
                        When when = {}) {
  return {name, kinds::Integer{width, unit}, when};
}

consteval Field choice(FieldName name, std::span<const Choice> choices) {
  return {name, kinds::ChoiceOf{1, choices}};
}

consteval Field size_of(FieldName measured, FieldName name, std::uint8_t width, When when = {}) {
  return {name, kinds::Size{width, measured}, when};
}

consteval Field count_of(FieldName group, FieldName name, std::uint8_t width, When when = {}) {
  return {name, kinds::Count{width, group}, when};
}

consteval Field bytes(FieldName name) { return {name, kinds::Bytes{}}; }

consteval Field opaque(FieldName name, std::uint8_t width, When when = {}) {
  return {name, kinds::Opaque{width}, when};
}

consteval Field text(FieldName name, std::uint8_t width, When when = {}) {
  return {name, kinds::Text{width}, when};
}

consteval Field group(FieldName name, std::span<const Field> head,
                      std::span<const Field> tail = {}) {
  return {name, kinds::Group{head, tail}};
}

consteval Field literal(std::string_view text, When when = {}) {
  return {FieldName::unchecked(text), kinds::Literal{text}, when};
}

/// A space; fields of one message have different names.
consteval Field separator(FieldName name) { return {name, kinds::Literal{" "}}; }

consteval Field tag(FieldName name) { return {name, kinds::Tag{}}; }

consteval Field decimal(FieldName name, std::uint8_t decimals = 0, std::string_view unit = {}) {
  return {name, kinds::Decimal{decimals, unit}};
}

/// A decimal that says how many records `group` has.
consteval Field decimal_count_of(FieldName group, FieldName name, std::uint64_t least,
                                 std::uint64_t most, When when = {}) {
  return {name, kinds::DecimalCount{group, least, most}, when};
}

consteval Field signed_decimal(FieldName name, std::string_view unit = {}) {
  return {name, kinds::SignedDecimal{unit}};
}

consteval Field real(FieldName name, std::string_view unit = {}) {
  return {name, kinds::Real{unit}};
}

/// A bar; fields of one message have different names.
consteval Field bar(FieldName name, When when = {}) { return {name, kinds::Literal{"|"}, when}; }

consteval Field word_until(char until, FieldName name, When when = {}) {
  return {name, kinds::Word{until}, when};
}

consteval Field nested_state(FieldName name) { return {name, kinds::State{}}; }

consteval Field nested_state_until(char until, bool last, FieldName name, When when) {
  return {name, kinds::State{until, last}, when};
}

consteval Field word(FieldName name) { return {name, kinds::Word{}}; }

consteval Field line(FieldName name) { return {name, kinds::Line{}}; }

/// Several lists of fields or clauses as one.
template <class T, std::size_t... sizes>
consteval auto joined(const T (&... lists)[sizes]) {
  std::array<T, (sizes + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& list) {
    for (const T& one : list) all[at++] = one;
  };
  (append(lists), ...);
  return all;
}

}  // namespace hallmark::protocol::declare
