#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hallmark::reports {

/// Columns a terminal gives to UTF-8 `text` that holds no escape sequences; one per code point.
std::size_t display_width(std::string_view text);

/// `text` with control characters and broken UTF-8 as \xNN, so that what a target sends cannot
/// steer a terminal or break a report.
std::string printable(std::string_view text);

/// `text` cut to `columns`, with an ellipsis where something went missing.
std::string shorten(std::string_view text, std::size_t columns);

/// "02 01 61", or "020161" with an empty `separator`.
std::string hex(std::span<const std::uint8_t> bytes, std::string_view separator = " ");

/// Nanoseconds for people, three digits: "950 ns", "12.3 µs", "4.56 ms", "1.20 s".
std::string human_duration(std::chrono::nanoseconds duration);

/// Thousands apart: "1,234,567".
std::string grouped(std::uint64_t number);

/// "1 case", "12 cases".
std::string counted(std::size_t number, std::string_view singular, std::string_view plural);

/// ISO 8601 with milliseconds and "Z", as RFC 3339 and JSON Schema's date-time want it.
std::string iso_utc(std::chrono::sys_time<std::chrono::milliseconds> time);

}  // namespace hallmark::reports
