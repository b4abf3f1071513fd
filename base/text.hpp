#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Text for terminals and messages, and what is taken apart at a character.
namespace hallmark::base {

/// True for the characters of ASCII that a terminal shows, the blank among them.
constexpr bool is_printable(char c) noexcept { return c >= 0x20 && c < 0x7f; }

/// True if all of `text` may stand between double quotes as it is: printable, without a quote.
bool is_quotable(std::string_view text);

/// `text` with control characters, bidirectional overrides and broken UTF-8 as \xNN, so that what
/// a stranger wrote cannot steer a terminal or break a report.
std::string printable(std::string_view text);

/// A character as a message shows it: "'x'", or "byte 1b" if it is not printable.
std::string quoted_character(char c);

/// Columns a terminal gives to UTF-8 `text` that holds no escape sequences; one per code point.
std::size_t display_width(std::string_view text);

/// `text` cut to `columns`, with an ellipsis where something is missing.
std::string shorten(std::string_view text, std::size_t columns);

/// `shorten(printable(text), columns)`: what a message quotes of somebody else's text.
std::string excerpt(std::string_view text, std::size_t columns);

/// Thousands apart: "1,234,567".
std::string grouped(std::uint64_t number);

/// "1 case", "12 cases".
std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural);

/// "a", "a or b", "a, b or c".
std::string either_of(const std::vector<std::string>& all);

/// The text with its ASCII letters in lower case; other characters stay.
std::string lower_case(std::string_view text);

/// The text with its ASCII letters in upper case; other characters stay.
std::string upper_case(std::string_view text);

/// True if the two differ in the case of ASCII letters at most.
bool equal_ignoring_case(std::string_view a, std::string_view b);

/// The parts between separators: one more than there are separators, parts may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Takes the first line from `text` and returns it without its end, which is LF or CR LF.
std::string_view take_line(std::string_view& text);

}  // namespace hallmark::base
