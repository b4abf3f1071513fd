#pragma once
#include <cstdint>

#include "base/random.hpp"

namespace hallmark::proxy {

/// The way of a datagram: from clients to the target, or back.
enum class Direction : std::uint8_t { requests, replies };

/// The identity of a datagram: everything that its fate depends on besides the seed.
struct DatagramId {
  Direction direction = Direction::requests;
  std::uint64_t flow = 0;    ///< clients in the order in which they first appeared, from 0
  std::uint64_t number = 0;  ///< among those of its direction and flow, from 0

  friend bool operator==(const DatagramId&, const DatagramId&) = default;
};

/// The use of a random number. Each use has numbers of its own, so that changing one rate does not
/// change which datagrams the other faults befall.
enum class Draw : std::uint64_t {
  drop = 1,
  duplicate,
  reorder,
  overtaken_by,
  delay,
  truncate,
  length,
  corrupt,
  position,
  mask
};

/// The random numbers of one datagram, a function of seed, datagram, use and copy alone: time,
/// other clients and what was drawn before do not matter. SplitMix64, split once per level of the
/// name.
class DatagramRandom {
 public:
  constexpr DatagramRandom(std::uint64_t seed, const DatagramId& id) noexcept
      : base_(base::splitmix64(
            base::splitmix64(
                base::splitmix64(base::splitmix64(seed), static_cast<std::uint64_t>(id.direction)),
                id.flow),
            id.number)) {}

  constexpr std::uint64_t at(Draw draw, std::uint64_t copy = 0) const noexcept {
    return base::splitmix64(base_, 2 * static_cast<std::uint64_t>(draw) + copy);
  }

  /// True with a probability of `rate`: never at 0, always at 1.
  constexpr bool chance(double rate, Draw draw, std::uint64_t copy = 0) const noexcept {
    return base::fraction(at(draw, copy)) < rate;
  }

  /// A number in [0, bound); see base::scaled. `bound` is at least 1.
  constexpr std::uint64_t below(std::uint64_t bound, Draw draw,
                                std::uint64_t copy = 0) const noexcept {
    return base::scaled(at(draw, copy), bound);
  }

 private:
  std::uint64_t base_;
};

}  // namespace hallmark::proxy
