#pragma once

#include <cstdint>
#include <string_view>

/// The terms that the choices of the Throttr dialects stand for. The enumerators have the codes
/// that 6.0 and later use on the wire. The tables take the codes from here, and so does whoever
/// names a choice.
namespace hallmark::protocol {

enum class TtlUnit : std::uint8_t {
  nanoseconds = 0x01,
  microseconds = 0x02,
  milliseconds = 0x03,
  seconds = 0x04,
  minutes = 0x05,
  hours = 0x06,
};

enum class Attribute : std::uint8_t { quota = 0x00, ttl = 0x01 };
enum class Change : std::uint8_t { patch = 0x00, increase = 0x01, decrease = 0x02 };
enum class RecordKind : std::uint8_t { counter = 0x00, buffer = 0x01 };

/// The code on the wire of any of the terms above.
template <class Term>
constexpr std::uint64_t code(Term term) {
  return static_cast<std::uint64_t>(term);
}

/// Returns true if a byte that a client sent names a unit at all.
constexpr bool is_known(TtlUnit unit) {
  return unit >= TtlUnit::nanoseconds && unit <= TtlUnit::hours;
}

constexpr std::string_view name_of(TtlUnit unit) {
  switch (unit) {
    case TtlUnit::nanoseconds: return "nanoseconds";
    case TtlUnit::microseconds: return "microseconds";
    case TtlUnit::milliseconds: return "milliseconds";
    case TtlUnit::seconds: return "seconds";
    case TtlUnit::minutes: return "minutes";
    case TtlUnit::hours: return "hours";
  }
  return "";
}

/// Nanoseconds in one `unit`, which has to be a known one.
constexpr std::uint64_t length_of(TtlUnit unit) {
  switch (unit) {
    case TtlUnit::nanoseconds: return 1;
    case TtlUnit::microseconds: return 1'000;
    case TtlUnit::milliseconds: return 1'000'000;
    case TtlUnit::seconds: return 1'000'000'000;
    case TtlUnit::minutes: return 60'000'000'000;
    case TtlUnit::hours: return 3'600'000'000'000;
  }
  return 1;
}

}  // namespace hallmark::protocol
