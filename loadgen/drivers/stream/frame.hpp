#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/error.hpp"
#include "protocol/codec/byte_buffer.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/codec/layout.hpp"

namespace hallmark::loadgen {

/// The text of every number of two decimal digits.
inline constexpr auto digit_pairs = [] {
  std::array<std::array<char, 2>, 100> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
  return pairs;
}();

/// Writes `number`, which has at most so many, as `digits` (even) decimal digits at `out`.
inline void write_digits(std::uint8_t* out, std::size_t digits, std::uint32_t number) noexcept {
  for (; digits > 2; digits -= 2, number /= 100)
    std::memcpy(out + digits - 2, &digit_pairs[number % 100], 2);
  if (digits != 0) std::memcpy(out, &digit_pairs[number], 2);
}

/// The values that set one copy of a request apart from the next.
struct Variation {
  std::uint32_t key = 0;
  std::uint64_t number = 0;      ///< its low bits, as many as the field has
  std::uint32_t request_id = 0;  ///< for a dialect whose requests carry one
  std::uint64_t writer = 0;      ///< for a value, which tells its readers
  std::int64_t planned_ns = 0;   ///< for a publication, which tells its subscribers
};

/// A publication that is so large at least begins with its planned time and the number of its run,
/// eight bytes each, little-endian.
inline constexpr std::size_t stamp_bytes = 16;
/// A value that is so large at least begins with the number of its writer, little-endian.
inline constexpr std::size_t writer_bytes = 8;
/// The byte that values and payloads are filled with.
inline constexpr std::uint8_t filler = 'v';

/// A request encoded once, of which every further copy differs in the digits that end its key, in
/// one number and in its id. Where those are comes from the dialect's table, as the encoding does.
class Frame {
 public:
  /// Encodes `values` after `layout`. In each copy the last `key_digits` bytes of what ends the key
  /// (a field `key`, or `resource_id`) are replaced, and the number named `patched_number` and the
  /// field `request_id`; whichever of them the message has. Of a `payload` with room for it, the
  /// first eight bytes become the planned time, and of a `value` the number of the writer.
  static base::Result<Frame> make(const protocol::Layout& layout, const protocol::Record& values,
                                  std::size_t key_digits, protocol::FieldName patched_number);

  std::size_t size() const noexcept { return size_; }
  /// The size of what a copy is written into: what is behind the frame's size is spoilt.
  std::size_t room() const noexcept { return bytes_.size(); }
  bool has_number() const noexcept { return number_.width != 0; }

  template <std::size_t blocks, std::size_t pairs, bool has_id>
  class Copier;

  /// Calls `use` with a Copier if this frame is one of the short ones that it is for. Returns
  /// whether it is.
  template <class Use>
  bool with_copier(const Use& use) const {
    if (!varies_in_keys_and_ids_) return false;
    switch (room() / block) {
      case 1: return with_copier_of<1>(use);
      case 2: return with_copier_of<2>(use);
      case 3: return with_copier_of<3>(use);
      default: return false;
    }
  }

  void append(protocol::ByteBuffer& out, const Variation& variation) const {
    write(out.prepare(room()), variation);
    out.commit(size_);
  }

  /// Writes a copy at `at`, where there is room.
  [[gnu::always_inline]] void write(std::uint8_t* at, const Variation& variation) const {
    // Bytes that are written may be any object's, as far as the compiler knows: a member it would
    // fetch again for each block.
    const std::uint8_t* const from = bytes_.data();
    const std::size_t bytes = bytes_.size();
    for (std::size_t i = 0; i < bytes; i += block) std::memcpy(at + i, from + i, block);
    write_digits(at + digits_.offset, digits_.width, variation.key);
    if (!only_digits_) patch(at, variation);
  }

 private:
  /// Frames are short: copied in whole blocks, they cost no call of a function.
  static constexpr std::size_t block = 16;

  /// Bytes that each copy gets anew; none where the width is 0.
  struct Place {
    std::size_t offset = 0;
    std::size_t width = 0;
  };

  template <std::size_t blocks, class Use>
  bool with_copier_of(const Use& use) const {
    switch (digits_.width / 2) {
      case 1: return with_copier_of<blocks, 1>(use);
      case 2: return with_copier_of<blocks, 2>(use);
      case 3: return with_copier_of<blocks, 3>(use);
      default: return false;
    }
  }
  template <std::size_t blocks, std::size_t pairs, class Use>
  bool with_copier_of(const Use& use) const {
    if (request_id_.width == 0) {
      use(Copier<blocks, pairs, false>(*this));
    } else {
      use(Copier<blocks, pairs, true>(*this));
    }
    return true;
  }

  void patch(std::uint8_t* frame, const Variation& variation) const {
    patch(frame, number_, variation.number);
    patch(frame, request_id_, variation.request_id);
    const auto planned = static_cast<std::uint64_t>(variation.planned_ns);
    patch(frame, stamp_, says_when_ ? planned : variation.writer);
  }

  static void patch(std::uint8_t* frame, const Place& place, std::uint64_t number) {
    if (place.width == 0) return;  // most frames: one comparison, not four
    std::uint8_t* const at = frame + place.offset;
    switch (place.width) {
      case 1: std::memcpy(at, &number, 1); break;
      case 2: std::memcpy(at, &number, 2); break;
      case 4: std::memcpy(at, &number, 4); break;
      case 8: std::memcpy(at, &number, 8); break;
      default: break;
    }
  }

  base::Bytes bytes_;  ///< filled up to whole blocks
  std::size_t size_ = 0;
  Place digits_;
  Place number_;
  Place request_id_;
  Place stamp_;
  bool says_when_ = false;               ///< the stamp; else it says who wrote it
  bool only_digits_ = true;              ///< set one copy apart from the next
  bool varies_in_keys_and_ids_ = false;  ///< and in nothing else; ids of four bytes
};

/// Writes one copy of a frame after another: of a frame of so many blocks, whose keys end in so
/// many pairs of digits, and which has an id of four bytes or none. It holds the frame itself, so
/// that the compiler keeps it in registers whatever is written.
template <std::size_t blocks, std::size_t pairs, bool has_id>
class Frame::Copier {
 public:
  explicit Copier(const Frame& frame)
      : size_(frame.size_), digits_(frame.digits_.offset), id_(frame.request_id_.offset) {
    std::memcpy(bytes_, frame.bytes_.data(), sizeof bytes_);
  }

  /// The size of each copy, in bytes.
  std::size_t size() const noexcept { return size_; }

  /// Writes a copy at `at`, where there is room for whole blocks.
  [[gnu::always_inline]] void write(std::uint8_t* at, std::uint32_t key,
                                    std::uint32_t request_id) const {
    for (std::size_t i = 0; i < blocks; ++i) std::memcpy(at + i * block, &bytes_[i], block);
    write_digits(at + digits_, 2 * pairs, key);
    if constexpr (has_id) std::memcpy(at + id_, &request_id, sizeof request_id);
  }

 private:
  using Block [[gnu::vector_size(block)]] = std::uint8_t;

  Block bytes_[blocks];
  std::size_t size_;
  std::size_t digits_;
  std::size_t id_;
};

}  // namespace hallmark::loadgen
