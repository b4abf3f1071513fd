#include "reports/text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace hallmark::reports {
namespace {

std::size_t continuation_bytes(unsigned char lead) {
  if (lead < 0x80) return 0;
  if (lead >= 0xc2 && lead < 0xe0) return 1;
  if (lead >= 0xe0 && lead < 0xf0) return 2;
  if (lead >= 0xf0 && lead < 0xf5) return 3;
  return std::string_view::npos;
}

std::uint32_t decode(std::string_view unit) {
  constexpr std::array<unsigned, 5> masks = {0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t point = static_cast<unsigned char>(unit[0]) & masks[unit.size()];
  for (const char c : unit.substr(1)) point = point << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return point;
}

bool allowed(std::uint32_t point, std::size_t length) {
  constexpr std::array<std::uint32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
  // Bidirectional overrides reorder what follows them on the screen.
  const bool steers = (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  const bool noncharacter = (point & 0xfffeU) == 0xfffe || (point >= 0xfdd0 && point < 0xfdf0);
  return point >= smallest[length] && point <= 0x10ffff && !control && !steers && !surrogate &&
         !noncharacter;
}

/// Length of the printable UTF-8 sequence that `text` begins with; 0 when it begins with none.
std::size_t printable_prefix(std::string_view text) {
  const auto more = continuation_bytes(static_cast<unsigned char>(text[0]));
  if (more == std::string_view::npos || more >= text.size()) return 0;
  const auto unit = text.substr(0, more + 1);
  const bool complete = std::all_of(unit.begin() + 1, unit.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
  });
  return complete && allowed(decode(unit), unit.size()) ? unit.size() : 0;
}

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto length = printable_prefix(text);
    if (length == 0) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string shorten(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::size_t seen = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    if (starts_code_point(text[end]) && ++seen > columns - std::min<std::size_t>(columns, 1)) break;
    ++end;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string hex(std::span<const std::uint8_t> bytes, std::string_view separator) {
  std::string out;
  out.reserve(bytes.size() * (2 + separator.size()));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0) out += separator;
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[bytes[i] >> 4];
    out += digits[bytes[i] & 15];
  }
  return out;
}

std::string human_duration(std::chrono::nanoseconds duration) {
  constexpr std::array units = {"ns", "µs", "ms", "s"};
  auto value = static_cast<double>(duration.count());
  std::size_t unit = 0;
  // 999.5 would be shown as four digits.
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  if (unit == 0) return fmt::format("{} ns", duration.count());
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, units[unit]);
}

std::string grouped(std::uint64_t number) {
  const auto digits = std::to_string(number);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string counted(std::size_t number, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", grouped(number), number == 1 ? singular : plural);
}

std::string iso_utc(std::chrono::sys_time<std::chrono::milliseconds> time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  // Not by system_clock, which counts nanoseconds and ends in 2262.
  const auto parts = fmt::gmtime(static_cast<std::time_t>(seconds.time_since_epoch().count()));
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", parts, (time - seconds).count());
}

}  // namespace hallmark::reports
