#pragma once

#include <array>

#include "protocol/dialect.hpp"

/// The words in which dialect tables are written.
namespace hallmark::protocol::declare {

constexpr std::uint8_t value_width = 0;

consteval Field opcode() { return {.name = "opcode", .kind = Kind::opcode, .width = 1}; }

inline constexpr Choice statuses[] = {{0x00, "failure"}, {0x01, "success"}};

consteval Field status(When when = {}) {
  return {.name = "status", .kind = Kind::status, .width = 1, .choices = statuses, .when = when};
}

consteval Field integer(std::string_view name, std::uint8_t width, std::string_view unit = {},
                        When when = {}) {
  return {.name = name, .kind = Kind::integer, .width = width, .unit = unit, .when = when};
}

consteval Field choice(std::string_view name, std::span<const Choice> choices) {
  return {.name = name, .kind = Kind::choice, .width = 1, .choices = choices};
}

consteval Field size_of(std::string_view measured, std::string_view name, std::uint8_t width,
                        When when = {}) {
  return {.name = name,
          .kind = Kind::size,
          .width = width,
          .of = measured,
          .unit = "bytes",
          .when = when};
}

consteval Field count_of(std::string_view group, std::string_view name, std::uint8_t width,
                         When when = {}) {
  return {.name = name, .kind = Kind::count, .width = width, .of = group, .when = when};
}

consteval Field bytes(std::string_view name) { return {.name = name, .kind = Kind::bytes}; }

consteval Field opaque(std::string_view name, std::uint8_t width, When when = {}) {
  return {.name = name, .kind = Kind::opaque, .width = width, .when = when};
}

consteval Field text(std::string_view name, std::uint8_t width, When when = {}) {
  return {.name = name, .kind = Kind::text, .width = width, .when = when};
}

consteval Field group(std::string_view name, std::span<const Field> head,
                      std::span<const Field> tail = {}) {
  return {.name = name, .kind = Kind::group, .head = head, .tail = tail};
}

consteval Field literal(std::string_view text, When when = {}) {
  return {.name = text, .kind = Kind::literal, .when = when, .literal = text};
}

/// A space; fields of one message have different names.
consteval Field separator(std::string_view name) {
  return {.name = name, .kind = Kind::literal, .literal = " "};
}

consteval Field tag(std::string_view name) { return {.name = name, .kind = Kind::tag}; }

consteval Field decimal(std::string_view name, std::uint8_t decimals = 0,
                        std::string_view unit = {}) {
  return {.name = name, .kind = Kind::decimal, .unit = unit, .decimals = decimals};
}

/// A decimal that says how many records `group` has.
consteval Field decimal_count_of(std::string_view group, std::string_view name, std::uint64_t least,
                                 std::uint64_t most, When when = {}) {
  return {
      .name = name, .kind = Kind::decimal, .of = group, .when = when, .least = least, .most = most};
}

consteval Field signed_decimal(std::string_view name, std::string_view unit = {}) {
  return {.name = name, .kind = Kind::signed_decimal, .unit = unit};
}

consteval Field real(std::string_view name, std::string_view unit = {}) {
  return {.name = name, .kind = Kind::real, .unit = unit};
}

/// A bar; fields of one message have different names.
consteval Field bar(std::string_view name, When when = {}) {
  return {.name = name, .kind = Kind::literal, .when = when, .literal = "|"};
}

consteval Field word_until(char until, std::string_view name, When when = {}) {
  return {.name = name, .kind = Kind::word, .when = when, .until = until};
}

consteval Field nested_state(std::string_view name) {
  return {.name = name, .kind = Kind::state, .until = '\0'};
}

consteval Field nested_state_until(char until, bool last, std::string_view name, When when) {
  return {.name = name, .kind = Kind::state, .when = when, .until = until, .until_last = last};
}

consteval Field word(std::string_view name) { return {.name = name, .kind = Kind::word}; }

consteval Field line(std::string_view name) { return {.name = name, .kind = Kind::line}; }

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
