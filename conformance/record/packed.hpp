#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"

namespace hallmark::conformance {

/// Bytes of which what repeats is held once: cases send and receive long values, and those are of
/// few bytes over and over.
class Packed {
 public:
  /// Some of the bytes that are held stand for that many times themselves.
  struct Repeat {
    std::size_t begin;  ///< among the bytes that are held
    std::size_t length;
    std::uint64_t times;
    bool operator==(const Repeat&) const = default;
  };

  Packed() = default;
  explicit Packed(base::ByteView bytes);
  /// Restores bytes that were packed before. Preconditions: the repeats follow each other within
  /// the bytes, and none is empty.
  Packed(base::Bytes held, std::vector<Repeat> repeats);

  bool empty() const { return held_.empty(); }
  /// Returns the number of bytes before packing.
  std::uint64_t size() const;
  base::Bytes unpacked() const;
  bool is(base::ByteView bytes) const;

  base::ByteView held() const { return held_; }
  const std::vector<Repeat>& repeats() const { return repeats_; }
  bool operator==(const Packed&) const = default;

 private:
  base::Bytes held_;
  std::vector<Repeat> repeats_;
};

}  // namespace hallmark::conformance
