#include "captures/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/base64.hpp"
#include "base/hex.hpp"
#include "base/text.hpp"

namespace hallmark::captures {
namespace {

using base::Error;
using base::Result;

constexpr std::string_view blanks = " \t\r\n\v\f";
constexpr std::string_view between_bytes = " \t\r\n\v\f,:;";

bool is_hex_digit(char c) { return base::hex_digit(c) >= 0; }

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

/// The shortest full line of base64 that takes several lines: mail has 76 characters, PEM 64.
constexpr std::size_t shortest_line = 16;

bool is_text(std::string_view input) {
  return std::ranges::all_of(input, [](char c) {
    return (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) || is_one_of(c, blanks);
  });
}

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

std::string_view without_leading_blanks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  return line;
}

bool is_prefix(std::string_view rest) {
  return rest.size() >= 2 && (rest[0] == '0' || rest[0] == '\\') && (rest[1] | 0x20) == 'x';
}

/// Appends the bytes of a line. Error: what stands where hex should.
Result<void> parse_hex_line(std::string_view rest, Bytes& bytes) {
  rest = without_comment(rest);
  while (!rest.empty()) {
    if (is_one_of(rest[0], between_bytes)) {
      rest.remove_prefix(1);
      continue;
    }
    const bool prefixed = is_prefix(rest);
    if (prefixed) rest.remove_prefix(2);
    // Counts two at most: a line may be 64 MiB long.
    const std::string_view pair = rest.substr(0, 2);
    const auto digits =
        static_cast<std::size_t>(std::ranges::find_if_not(pair, is_hex_digit) - pair.begin());
    if (digits == 0) {
      return Error{
          fmt::format("{} is no hexadecimal digit",
                      rest.empty() ? "the end of the line" : base::quoted_character(rest[0]))};
    }
    if (digits == 1 && !prefixed) return Error{fmt::format("'{}' is half a byte", rest[0])};
    // A digit alone is only read behind a prefix: 0xb is 0x0b.
    bytes.push_back(*base::hex_byte(digits == 2 ? rest[0] : '0', rest[digits - 1]));
    rest.remove_prefix(digits);
  }
  return {};
}

Error in_line(std::size_t number, const Error& error) {
  return {fmt::format("not hex: {} in line {}", error.message, number)};
}

std::optional<Side> mark_of(std::string_view line) {
  line = without_leading_blanks(line);
  if (line.starts_with('>')) return Side::client;
  if (line.starts_with('<')) return Side::server;
  return std::nullopt;
}

/// Padded, and in lines of one length as programs write them: mistyped hex is not taken for it.
bool is_plainly_base64(std::string_view text) {
  if (!base::from_any_base64(text)) return false;
  std::size_t digits = 0, width = 0;
  while (!text.empty()) {
    const std::string_view line = base::take_line(text);
    if (line.empty() && text.empty()) break;
    if (line.find_first_of(blanks) != std::string_view::npos) return false;
    if (digits == 0) width = line.size();
    const bool last = text.empty();
    if (line.size() > width || (!last && line.size() != std::max(width, shortest_line)))
      return false;
    digits += line.size();
  }
  return digits % 4 == 0;
}

}  // namespace

std::string_view name_of(InputFormat format) {
  switch (format) {
    case InputFormat::hex: return "hex";
    case InputFormat::base64: return "base64";
    case InputFormat::binary: return "binary";
    case InputFormat::capture: return "pcap";
    case InputFormat::text: return "text";
  }
  return "unknown";
}

bool is_capture(ByteView beginning) {
  constexpr std::array<std::uint8_t, 4> magics[] = {
      {0xa1, 0xb2, 0xc3, 0xd4}, {0xd4, 0xc3, 0xb2, 0xa1},  // pcap, µs
      {0xa1, 0xb2, 0x3c, 0x4d}, {0x4d, 0x3c, 0xb2, 0xa1},  // pcap, ns
      {0xa1, 0xb2, 0xcd, 0x34}, {0x34, 0xcd, 0xb2, 0xa1},  // pcap as Linux once modified it
      {0x0a, 0x0d, 0x0d, 0x0a}};                           // pcapng
  if (beginning.size() < bytes_to_tell_capture) return false;
  const ByteView first = beginning.first(bytes_to_tell_capture);
  return std::ranges::any_of(magics,
                             [&](const auto& magic) { return std::ranges::equal(first, magic); });
}

Result<InputFormat> detect(std::string_view input) {
  if (is_capture(base::as_bytes(input.substr(0, bytes_to_tell_capture)))) {
    return InputFormat::capture;
  }
  if (!is_text(input)) return InputFormat::binary;
  const auto hex = has_directions(input) ? Result<void>{} : [&]() -> Result<void> {
    const auto bytes = parse_hex(input);
    return bytes ? Result<void>{} : Result<void>(bytes.error());
  }();
  // Text that consists of hexadecimal digits alone is incomplete hex rather than base64.
  const bool digits_only = std::ranges::all_of(
      input, [](char c) { return is_hex_digit(c) || is_one_of(c, between_bytes); });
  if (hex || digits_only) return InputFormat::hex;
  if (is_plainly_base64(input)) return InputFormat::base64;
  return Error{fmt::format("neither hex nor base64 ({}); --format binary takes it as it is",
                           hex.error().message)};
}

InputFormat detect_of_text(std::string_view input) {
  if (is_capture(base::as_bytes(input.substr(0, bytes_to_tell_capture))))
    return InputFormat::capture;
  if (!is_text(input)) return InputFormat::binary;
  const bool hex =
      has_directions(input) ? parse_directed_hex(input).has_value() : parse_hex(input).has_value();
  return hex ? InputFormat::hex : InputFormat::text;
}

std::vector<TextLine> parse_text(std::string_view text) {
  std::vector<TextLine> lines;
  while (!text.empty()) {
    std::string_view line = base::take_line(text);
    if (line.empty()) continue;
    const auto from = mark_of(line.substr(0, 1));
    if (from) {
      const char mark = line.front();
      line.remove_prefix(line.substr(1, 1) == std::string_view(&mark, 1) ? 2 : 1);
      if (line.starts_with(' ')) line.remove_prefix(1);
    }
    lines.push_back({from, base::to_bytes(line)});
  }
  return lines;
}

Result<Bytes> parse_hex(std::string_view text) {
  Bytes bytes;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto parsed = parse_hex_line(base::take_line(text), bytes);
    if (!parsed) return in_line(number, parsed.error());
  }
  return bytes;
}

bool has_directions(std::string_view hex) {
  while (!hex.empty()) {
    if (mark_of(base::take_line(hex))) return true;
  }
  return false;
}

Result<std::vector<Utterance>> parse_directed_hex(std::string_view text) {
  std::vector<Utterance> said;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = without_leading_blanks(without_comment(base::take_line(text)));
    if (line.empty()) continue;
    const auto mark = mark_of(line);
    if (mark) line.remove_prefix(1);
    if (!mark && said.empty()) {
      return Error{fmt::format("line {} has no direction; allowed: > or < in front", number)};
    }
    if (mark) said.push_back({*mark, {}});
    const auto parsed = parse_hex_line(line, said.back().bytes);
    if (!parsed) return in_line(number, parsed.error());
  }
  return said;
}

}  // namespace hallmark::captures
