#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace hallmark::base {

/// Writes numbers and texts one behind the other, for a program of the same version to read.
class ByteWriter {
 public:
  /// One to ten bytes, small numbers the fewest (LEB128).
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  /// Eight bytes.
  void signed_number(std::int64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      bytes_.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> shift));
  }
  void bytes(ByteView value) {
    number(value.size());
    append(bytes_, value);
  }
  void text(std::string_view value) { bytes(as_bytes(value)); }

  Bytes take() && { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

/// Reads what ByteWriter wrote. Where the bytes end too early everything is 0 and empty, and `ok`
/// is false from then on.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : left_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = next();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  std::int64_t signed_number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 8) value |= std::uint64_t{next()} << shift;
    return static_cast<std::int64_t>(value);
  }
  ByteView bytes() {
    const std::uint64_t size = number();
    if (size > left_.size()) fail();
    const ByteView taken = left_.first(ok_ ? size : 0);
    left_ = left_.subspan(taken.size());
    return taken;
  }
  std::string text() { return std::string(as_text(bytes())); }

  bool ok() const { return ok_; }
  bool at_end() const { return left_.empty(); }

 private:
  std::uint8_t next() {
    if (left_.empty()) return static_cast<std::uint8_t>(fail());
    const std::uint8_t byte = left_.front();
    left_ = left_.subspan(1);
    return byte;
  }
  std::uint64_t fail() {
    ok_ = false;
    left_ = {};
    return 0;
  }

  ByteView left_;
  bool ok_ = true;
};

}  // namespace hallmark::base
