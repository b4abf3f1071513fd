#pragma once

#include <span>
#include <string_view>

#include "protocol/names.hpp"
#include "protocol/one_of.hpp"

/// The kinds of fields: a type each, with exactly the members that mean something for it. A walker
/// that must know them all goes through `by_kind` (by_kind.hpp), and the compiler names the kind
/// that it forgot.
namespace hallmark::protocol {

struct Field;

/// Value width N: fixed for each server build and not announced on the wire. `none`: of dialects of
/// text, whose numbers are as long as their digits.
enum class Width : std::uint8_t { none = 0, u8 = 1, u16 = 2, u32 = 4, u64 = 8 };

constexpr std::size_t bytes_of(Width width) { return static_cast<std::size_t>(width); }

/// A legal value of a choice field.
struct Choice {
  std::uint64_t code;
  std::string_view name;
};

namespace kinds {

/// The width of a number that is as wide as the values of the server.
inline constexpr std::uint8_t value_width = 0;

constexpr std::size_t width_in(std::uint8_t width, Width values) {
  return width == value_width ? bytes_of(values) : width;
}

// Numbers in binary, little-endian. Widths are in bytes: 1 to 8, or `value_width`.

/// The code of the message itself.
struct Opcode {
  static constexpr std::uint8_t width = 1;
};

/// Success or failure; decides whether `on_success` follows.
struct Status {
  static constexpr std::uint8_t width = 1;
  static constexpr std::uint8_t failure = 0x00;
  static constexpr std::uint8_t success = 0x01;
  static constexpr Choice choices[] = {{failure, "failure"}, {success, "success"}};
};

/// An unsigned number.
struct Integer {
  std::uint8_t width;
  std::string_view unit = {};
};

/// An unsigned number out of a list.
struct ChoiceOf {
  std::uint8_t width;
  std::span<const Choice> choices;
};

/// The length in bytes of the `Bytes` field of that name.
struct Size {
  std::uint8_t width;
  FieldName of;
};

/// The number of records in the group of that name.
struct Count {
  std::uint8_t width;
  FieldName of;
};

// Bytes, and records.

/// Bytes, as many as their size says.
struct Bytes {};

/// A fixed number of bytes without inner structure.
struct Opaque {
  std::uint8_t width;
};

/// A fixed number of bytes of text, padded with zeros.
struct Text {
  std::uint8_t width;
};

/// Records, as many as its count says.
struct Group {
  /// The fields that every record starts with, record after record …
  std::span<const Field> head;
  /// … and those that come for every record, in the same order, once all the heads are over.
  std::span<const Field> tail = {};
};

// Text: of messages that are a whole datagram or string, and end where it ends.

/// Always the same bytes.
struct Literal {
  std::string_view spelling;
};

/// Decimal digits and a space; or nothing at all, where none is sent.
struct Tag {};

/// An unsigned decimal number without superfluous zeros; `decimals` digits follow a point, and the
/// number counts units of the last of them.
struct Decimal {
  std::uint8_t decimals = 0;
  std::string_view unit = {};
};

/// The number of records in the group of that name, in decimal and within bounds.
struct DecimalCount {
  FieldName of;
  std::uint64_t least;
  std::uint64_t most;
};

/// Bytes up to the next `until` or the end, at least one.
struct Word {
  char until = ' ';
};

/// All bytes up to the end, none of them a newline.
struct Line {};

/// A decimal number of 64 bits, perhaps with a minus, in two's complement.
struct SignedDecimal {
  std::string_view unit = {};
};

/// A float64, its bits as the number; written as the shortest `%g`, read in any spelling with
/// digits.
struct Real {
  std::string_view unit = {};
};

/// A whole string of one of the dialect's formats.
struct State {
  /// A state without this byte reaches to the end.
  static constexpr char no_end = '\0';

  char until = no_end;
  /// The last of these bytes ends it, not the first.
  bool until_last = false;
};

/// The kinds that are a number in binary.
template <class Kind>
concept Number = among<Kind, Opcode, Status, Integer, ChoiceOf, Size, Count>;

/// The kinds that are a fixed number of bytes.
template <class Kind>
concept FixedBytes = among<Kind, Opaque, Text>;

/// The kinds of messages of text.
template <class Kind>
concept Textual =
    among<Kind, Literal, Tag, Decimal, DecimalCount, Word, Line, SignedDecimal, Real, State>;

}  // namespace kinds

/// One of the kinds.
using Kind = OneOf<kinds::Opcode, kinds::Status, kinds::Integer, kinds::ChoiceOf, kinds::Size,
                   kinds::Count, kinds::Bytes, kinds::Opaque, kinds::Text, kinds::Group,
                   kinds::Literal, kinds::Tag, kinds::Decimal, kinds::DecimalCount, kinds::Word,
                   kinds::Line, kinds::SignedDecimal, kinds::Real, kinds::State>;

}  // namespace hallmark::protocol
