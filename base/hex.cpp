#include "base/hex.hpp"

#include <array>
#include <boost/algorithm/hex.hpp>
#include <iterator>

namespace hallmark::base {
namespace {

/// The value of a digit that `append_hex` writes, -1 for all other characters. Uses a table instead
/// of `hex_digit`, because transcripts hold megabytes of digits.
int canonical_digit(char c) {
  static constexpr auto values = [] {
    std::array<std::int8_t, 256> all{};
    for (int i = 0; i < 256; ++i) {
      const bool upper = i >= 'A' && i <= 'F';
      all[static_cast<std::size_t>(i)] =
          static_cast<std::int8_t>(upper ? -1 : hex_digit(static_cast<char>(i)));
    }
    return all;
  }();
  return values[static_cast<unsigned char>(c)];
}

bool separates(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ':'; }

}  // namespace

void append_hex(std::string& to, ByteView bytes) {
  to.reserve(to.size() + 2 * bytes.size());
  boost::algorithm::hex_lower(bytes.begin(), bytes.end(), std::back_inserter(to));
}

std::string to_hex(ByteView bytes, std::string_view separator) {
  std::string text;
  text.reserve(bytes.size() * (2 + separator.size()));
  if (separator.empty()) {
    append_hex(text, bytes);
    return text;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0) text += separator;
    append_hex(text, bytes.subspan(i, 1));
  }
  return text;
}

std::optional<Bytes> from_hex(std::string_view text) {
  Bytes bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (separates(text[i])) continue;
    if (i + 1 == text.size()) return std::nullopt;
    const auto byte = hex_byte(text[i], text[i + 1]);
    if (!byte) return std::nullopt;
    bytes.push_back(*byte);
    ++i;
  }
  return bytes;
}

std::optional<Bytes> from_canonical_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  Bytes bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = canonical_digit(text[2 * i]);
    const int low = canonical_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return bytes;
}

}  // namespace hallmark::base
