#include "base/base64.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace hallmark::base {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view blanks = " \t\r\n\v\f";

/// 0 to 63; -1 for what is not a digit of either alphabet.
int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

/// Digits of four make three bytes; the bits of an incomplete group that are left over are dropped.
class Digits {
 public:
  void add(int digit) {
    bits_ = bits_ << 6 | static_cast<std::uint32_t>(digit);
    if (++count_ % 4 != 1)
      bytes_.push_back(static_cast<std::uint8_t>(bits_ >> (6 - 2 * ((count_ - 1) % 4))));
  }

  std::size_t count() const { return count_; }
  Bytes&& bytes() && { return std::move(bytes_); }

 private:
  Bytes bytes_;
  std::uint32_t bits_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

std::string to_base64(ByteView bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t given = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = (group << 8) | (k < given ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= given ? alphabet[(group >> (18 - 6 * k)) & 0x3f] : '=';
  }
  return text;
}

std::optional<Bytes> from_base64(std::string_view text) {
  auto bytes = from_any_base64(text);
  if (!bytes || to_base64(*bytes) != text) return std::nullopt;
  return std::move(*bytes);
}

Result<Bytes> from_any_base64(std::string_view text) {
  Digits digits;
  std::size_t padding = 0;
  for (const char c : text) {
    if (blanks.find(c) != blanks.npos) continue;
    const int digit = base64_digit(c);
    if (c == '=') {
      ++padding;
    } else if (digit < 0 || padding > 0) {
      return Error{
          fmt::format("not base64: {} after {} digits", quoted_character(c), digits.count())};
    } else {
      digits.add(digit);
    }
  }
  const std::size_t last = digits.count() % 4;
  if (last == 1 || padding > 2 || (padding > 0 && (last + padding) % 4 != 0))
    return Error{fmt::format("not base64: {} digits and {} of padding", digits.count(), padding)};
  return std::move(digits).bytes();
}

}  // namespace hallmark::base
