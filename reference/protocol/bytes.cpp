#include "reference/protocol/bytes.hpp"

namespace hallmark::protocol {
namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool separates(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ':'; }

}  // namespace

std::string to_hex(ByteView bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text.push_back(digits[byte >> 4]);
    text.push_back(digits[byte & 15]);
  }
  return text;
}

std::optional<Bytes> from_hex(std::string_view text) {
  Bytes bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (separates(text[i])) continue;
    if (i + 1 == text.size()) return std::nullopt;
    const int high = digit_value(text[i]);
    const int low = digit_value(text[++i]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<std::uint8_t>(high << 4 | low));
  }
  return bytes;
}

}  // namespace hallmark::protocol
