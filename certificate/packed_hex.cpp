#include "certificate/packed_hex.hpp"

#include <charconv>

namespace hallmark::certificate {
namespace {

using conformance::Packed;
using protocol::Bytes;
using protocol::ByteView;

void append_digits(std::string& to, ByteView bytes) {
  constexpr char digits[] = "0123456789abcdef";
  for (const std::uint8_t byte : bytes) {
    to += digits[byte >> 4];
    to += digits[byte & 15];
  }
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// Reads from the front of a text, which loses what was read.
class HexReader {
 public:
  explicit HexReader(std::string_view text) : text_(text) {}

  std::optional<Packed> all() {
    while (!text_.empty()) {
      const bool read = text_.front() == '(' ? repeat() : byte();
      if (!read || size_ > most_packed_bytes) return std::nullopt;
    }
    return Packed(std::move(held_), std::move(repeats_));
  }

 private:
  bool byte() {
    if (text_.size() < 2) return false;
    const int high = digit(text_[0]);
    const int low = digit(text_[1]);
    if (high < 0 || low < 0) return false;
    held_.push_back(static_cast<std::uint8_t>(high << 4 | low));
    text_.remove_prefix(2);
    ++size_;
    return true;
  }

  bool repeat() {
    text_.remove_prefix(1);
    const std::size_t begin = held_.size();
    while (!text_.empty() && text_.front() != ')') {
      if (!byte()) return false;
    }
    if (!text_.starts_with(")*")) return false;
    text_.remove_prefix(2);
    std::uint64_t times = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), times);
    const std::size_t length = held_.size() - begin;
    if (error != std::errc{} || length == 0 || times == 0 || times > most_packed_bytes / length)
      return false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    if (!text_.starts_with(';')) return false;
    text_.remove_prefix(1);
    repeats_.push_back({begin, length, times});
    size_ += length * (times - 1);
    return true;
  }

  std::string_view text_;
  Bytes held_;
  std::vector<Packed::Repeat> repeats_;
  std::uint64_t size_ = 0;
};

}  // namespace

void append_hex(std::string& to, const Packed& bytes) {
  std::size_t done = 0;
  for (const Packed::Repeat& one : bytes.repeats()) {
    append_digits(to, bytes.held().subspan(done, one.begin - done));
    to += '(';
    append_digits(to, bytes.held().subspan(one.begin, one.length));
    to += ")*" + std::to_string(one.times) + ";";
    done = one.begin + one.length;
  }
  append_digits(to, bytes.held().subspan(done));
}

std::optional<Packed> from_hex(std::string_view hex) { return HexReader(hex).all(); }

}  // namespace hallmark::certificate
