#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/utf8.hpp"

namespace hallmark::base {
namespace {

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }

}  // namespace

bool is_quotable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_printable(c) && c != '"'; });
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

std::string quoted_character(char c) {
  if (is_printable(c)) return fmt::format("'{}'", c);
  return fmt::format("byte {:02x}", static_cast<unsigned char>(c));
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_code_point));
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

std::string excerpt(std::string_view text, std::size_t columns) {
  return shorten(printable(text), columns);
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

std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", grouped(number), number == 1 ? singular : plural);
}

std::string either_of(const std::vector<std::string>& all) {
  if (all.size() < 2) return all.empty() ? std::string() : all.front();
  return fmt::format("{} or {}", fmt::join(all.begin(), all.end() - 1, ", "), all.back());
}

std::string lower_case(std::string_view text) {
  std::string changed(text);
  std::ranges::transform(changed, changed.begin(), lower);
  return changed;
}

std::string upper_case(std::string_view text) {
  std::string changed(text);
  std::ranges::transform(changed, changed.begin(), upper);
  return changed;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return upper(x) == upper(y); });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace hallmark::base
