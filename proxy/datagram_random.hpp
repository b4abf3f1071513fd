#pragma once
#include <cstdint>

namespace hallmark::proxy {

/// From clients to the target, or back.
enum class Direction : std::uint8_t { requests, replies };

/// Which datagram: everything that its fate depends on besides the seed.
struct DatagramId {
  Direction direction = Direction::requests;
  std::uint64_t flow = 0;    ///< clients in the order in which they first appeared, from 0
  std::uint64_t number = 0;  ///< among those of its direction and flow, from 0

  friend bool operator==(const DatagramId&, const DatagramId&) = default;
};

/// What a random number is for. Each has numbers of its own, so that a rate can be changed without
/// changing which datagrams the other faults befall.
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
/// other clients and what was drawn before do not matter. SplitMix64 (Steele, Lea, Flood: Fast
/// Splittable Pseudorandom Number Generators, OOPSLA 2014), split once per level of the name.
class DatagramRandom {
 public:
  constexpr DatagramRandom(std::uint64_t seed, const DatagramId& id) noexcept
      : base_(split(split(split(mix(seed + golden_gamma), static_cast<std::uint64_t>(id.direction)),
                          id.flow),
                    id.number)) {}

  constexpr std::uint64_t at(Draw draw, std::uint64_t copy = 0) const noexcept {
    return split(base_, 2 * static_cast<std::uint64_t>(draw) + copy);
  }

  /// True with a probability of `rate`: never at 0, always at 1.
  constexpr bool chance(double rate, Draw draw, std::uint64_t copy = 0) const noexcept {
    return static_cast<double>(at(draw, copy) >> 11) * 0x1p-53 < rate;
  }

  /// In [0, bound), by multiplication: biased by less than bound / 2^64. `bound` is at least 1.
  constexpr std::uint64_t below(std::uint64_t bound, Draw draw,
                                std::uint64_t copy = 0) const noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{at(draw, copy)} * bound) >> 64);
  }

 private:
  static constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

  /// SplitMix64's output function (Stafford's variant 13).
  static constexpr std::uint64_t mix(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  /// Number `index` of the sequence that starts at `base`.
  static constexpr std::uint64_t split(std::uint64_t base, std::uint64_t index) noexcept {
    return mix(base + (index + 1) * golden_gamma);
  }

  std::uint64_t base_;
};

}  // namespace hallmark::proxy
