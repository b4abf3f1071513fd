#pragma once
#include <cstdint>

namespace hallmark::loadgen {

/// What a random number is for. Each has a sequence of its own, so that a change of the operations
/// asked for does not move the arrivals.
enum class RandomStream : std::uint64_t { arrival = 1, operation, key, value, size };

/// Random numbers by position: number `counter` of a stream is a function of seed, stream and
/// counter alone, so however requests are dealt to threads, request i draws the same ones.
/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014),
/// entered at any point.
class CounterRandom {
 public:
  constexpr CounterRandom(std::uint64_t seed, RandomStream stream) noexcept
      : base_(mix(seed ^ mix(static_cast<std::uint64_t>(stream) * golden_gamma))) {}

  constexpr std::uint64_t at(std::uint64_t counter) const noexcept {
    return mix(base_ + (counter + 1) * golden_gamma);
  }

  /// In (0, 1]: its logarithm is finite.
  constexpr double unit_at(std::uint64_t counter) const noexcept {
    return (static_cast<double>(at(counter) >> 11) + 1.0) * 0x1p-53;
  }

  /// In [0, bound), by multiplication: biased by less than bound / 2^64. `bound` is at least 1.
  constexpr std::uint64_t below_at(std::uint64_t counter, std::uint64_t bound) const noexcept {
    return scale(at(counter), bound);
  }

  static constexpr std::uint64_t scale(std::uint64_t random, std::uint64_t bound) noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{random} * bound) >> 64);
  }

  /// SplitMix64's output function (Stafford's variant 13).
  static constexpr std::uint64_t mix(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  static constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

 private:
  std::uint64_t base_;
};

}  // namespace hallmark::loadgen
