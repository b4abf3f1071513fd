#include "transcript/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hallmark::transcript {
namespace {

using protocol::Error;
using protocol::Result;

constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";
constexpr std::string_view blanks = " \t\r\n\v\f";
constexpr std::string_view between_bytes = " \t\r\n\v\f,:;";

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

/// Of base64 in several lines: mail has 76, PEM 64.
constexpr std::size_t shortest_line = 16;

unsigned digit_value(char c) {
  if (c <= '9') return static_cast<unsigned>(c - '0');
  return static_cast<unsigned>((c | 0x20) - 'a' + 10);
}

/// A character as a message may show it.
std::string shown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f ? fmt::format("'{}'", c) : fmt::format("byte {:02x}", byte);
}

bool is_text(std::string_view input) {
  return std::ranges::all_of(input, [](char c) {
    return (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) || is_one_of(c, blanks);
  });
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
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
    const std::size_t digits = std::min(rest.find_first_not_of(hex_digits), rest.size());
    if (digits == 0) {
      return Error{fmt::format("{} is no hexadecimal digit",
                               rest.empty() ? "the end of the line" : shown(rest[0]))};
    }
    if (digits == 1 && !prefixed) return Error{fmt::format("'{}' is half a byte", rest[0])};
    const std::size_t used = std::min<std::size_t>(digits, 2);
    unsigned value = digit_value(rest[0]);
    if (used == 2) value = value << 4 | digit_value(rest[1]);
    bytes.push_back(static_cast<std::uint8_t>(value));
    rest.remove_prefix(used);
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

/// -1 where it is no digit of base64.
int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

/// Padded, and in lines of one length as programs write them: mistyped hex is not taken for it.
bool is_plainly_base64(std::string_view text) {
  if (!parse_base64(text)) return false;
  std::size_t digits = 0, width = 0;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (line.ends_with('\r')) line.remove_suffix(1);
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
  if (is_capture(protocol::as_bytes(input.substr(0, bytes_to_tell_capture)))) {
    return InputFormat::capture;
  }
  if (!is_text(input)) return InputFormat::binary;
  const auto hex = has_directions(input) ? Result<void>{} : [&]() -> Result<void> {
    const auto bytes = parse_hex(input);
    return bytes ? Result<void>{} : Result<void>(bytes.error());
  }();
  // What is written in hexadecimal digits alone is hex that lacks one rather than base64.
  const bool digits_only = std::ranges::all_of(
      input, [](char c) { return is_one_of(c, hex_digits) || is_one_of(c, between_bytes); });
  if (hex || digits_only) return InputFormat::hex;
  if (is_plainly_base64(input)) return InputFormat::base64;
  return Error{fmt::format("neither hex nor base64 ({}); --format binary takes it as it is",
                           hex.error().message)};
}

Result<Bytes> parse_hex(std::string_view text) {
  Bytes bytes;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto parsed = parse_hex_line(take_line(text), bytes);
    if (!parsed) return in_line(number, parsed.error());
  }
  return bytes;
}

Result<Bytes> parse_base64(std::string_view text) {
  Bytes bytes;
  std::uint32_t bits = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (is_one_of(c, blanks)) continue;
    const int value = base64_value(c);
    if (c == '=') {
      ++padding;
    } else if (value < 0 || padding > 0) {
      return Error{fmt::format("not base64: {} after {} digits", shown(c), digits)};
    } else {
      bits = bits << 6 | static_cast<std::uint32_t>(value);
      if (++digits % 4 != 1)
        bytes.push_back(static_cast<std::uint8_t>(bits >> (6 - 2 * ((digits - 1) % 4))));
    }
  }
  if (digits % 4 == 1 || padding > 2 || (padding > 0 && (digits + padding) % 4 != 0)) {
    return Error{fmt::format("not base64: {} digits and {} of padding", digits, padding)};
  }
  return bytes;
}

bool has_directions(std::string_view hex) {
  while (!hex.empty()) {
    if (mark_of(take_line(hex))) return true;
  }
  return false;
}

Result<std::vector<Utterance>> parse_directed_hex(std::string_view text) {
  std::vector<Utterance> said;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = without_leading_blanks(without_comment(take_line(text)));
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

}  // namespace hallmark::transcript
