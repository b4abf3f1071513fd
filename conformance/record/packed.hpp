#pragma once

#include <cstdint>
#include <vector>

#include "protocol/bytes.hpp"

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
  explicit Packed(protocol::ByteView bytes);
  /// As packed before. Preconditions: the repeats follow each other within the bytes, and none is
  /// of nothing.
  Packed(protocol::Bytes held, std::vector<Repeat> repeats);

  bool empty() const { return held_.empty(); }
  /// How many bytes all of it is.
  std::uint64_t size() const;
  protocol::Bytes unpacked() const;
  bool is(protocol::ByteView bytes) const;

  protocol::ByteView held() const { return held_; }
  const std::vector<Repeat>& repeats() const { return repeats_; }
  bool operator==(const Packed&) const = default;

 private:
  protocol::Bytes held_;
  std::vector<Repeat> repeats_;
};

}  // namespace hallmark::conformance
