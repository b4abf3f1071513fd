#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "loadgen/result.hpp"
#include "reference/protocol/byte_buffer.hpp"
#include "reference/protocol/encode.hpp"
#include "reference/protocol/layout.hpp"

namespace hallmark::loadgen {

/// Writes `number` in decimal, `digits` (even) characters with leading zeros, at `out`.
inline void write_digits(std::uint8_t* out, std::size_t digits, std::uint32_t number) noexcept {
  static constexpr char pairs[] =
      "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445"
      "46"
      "47484950515253545556575859606162636465666768697071727374757677787980818283848586878889909192"
      "93"
      "949596979899";
  for (std::size_t at = digits; at != 0; at -= 2, number /= 100) {
    std::memcpy(out + at - 2, pairs + 2 * (number % 100), 2);
  }
}

/// A request encoded once, of which every further copy differs in the digits that end its key and
/// in one number. Where those are comes from the dialect's table, as the encoding does.
class Frame {
 public:
  /// Encodes `values` after `layout`. If the message has a field `key`, the last `key_digits` bytes
  /// of its value are replaced in each copy; if it has a number named `patched_number`, so is that.
  static Result<Frame> make(const protocol::Layout& layout, const protocol::Record& values,
                            std::size_t key_digits, std::string_view patched_number);

  std::size_t size() const noexcept { return size_; }
  bool has_number() const noexcept { return number_width_ != 0; }

  /// Appends a copy with that key and the low bits of `number`.
  void append(protocol::ByteBuffer& out, std::uint32_t key, std::uint64_t number) const {
    std::uint8_t* const at = out.prepare(bytes_.size());
    for (std::size_t i = 0; i < bytes_.size(); i += block) {
      std::memcpy(at + i, bytes_.data() + i, block);
    }
    write_digits(at + digits_offset_, digits_, key);
    patch_number(at + number_offset_, number);
    out.commit(size_);
  }

 private:
  /// Frames are short: copied in whole blocks, they cost no call of a function.
  static constexpr std::size_t block = 16;

  void patch_number(std::uint8_t* at, std::uint64_t number) const {
    switch (number_width_) {
      case 1: std::memcpy(at, &number, 1); break;
      case 2: std::memcpy(at, &number, 2); break;
      case 4: std::memcpy(at, &number, 4); break;
      case 8: std::memcpy(at, &number, 8); break;
      default: break;
    }
  }

  protocol::Bytes bytes_;  ///< filled up to whole blocks
  std::size_t size_ = 0;
  std::size_t digits_offset_ = 0;
  std::size_t digits_ = 0;
  std::size_t number_offset_ = 0;
  std::size_t number_width_ = 0;
};

}  // namespace hallmark::loadgen
