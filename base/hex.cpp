#include "base/hex.hpp"

#include <algorithm>
#include <boost/algorithm/hex.hpp>
#include <iterator>

namespace hallmark::base {
namespace {

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
  const auto is_canonical = [](char c) { return hex_digit(c) >= 0 && !(c >= 'A' && c <= 'F'); };
  if (!std::ranges::all_of(text, is_canonical)) return std::nullopt;
  return from_hex(text);
}

}  // namespace hallmark::base
