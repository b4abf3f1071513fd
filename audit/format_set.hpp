#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "protocol/text/state.hpp"

namespace hallmark::audit {

/// Formats of the dialect; several where a string could be of any of them.
class FormatSet {
 public:
  constexpr FormatSet() = default;
  static constexpr FormatSet at(std::size_t index) { return FormatSet(std::uint32_t{1} << index); }
  /// The formats that the text could be of.
  static FormatSet of(const protocol::state::Parsed& parsed);

  constexpr void add(FormatSet others) { bits_ |= others.bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
  constexpr std::uint32_t bits() const { return bits_; }
  /// "token-bucket/v2 or leaky-bucket/v2", in the order of the dialect's table.
  std::string name() const;
  /// The first one. Precondition: not empty.
  const protocol::Format& first() const;

  friend constexpr auto operator<=>(FormatSet, FormatSet) = default;

 private:
  constexpr explicit FormatSet(std::uint32_t bits) : bits_(bits) {}

  std::uint32_t bits_ = 0;
};

}  // namespace hallmark::audit
