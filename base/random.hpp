#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

/// Random numbers that are the same in every run with one seed, on every machine: SplitMix64
/// (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
namespace hallmark::base {

/// 2^64 divided by the golden ratio, odd: what the state of SplitMix64 grows by.
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

/// SplitMix64's output function (Stafford's variant 13): a bijection in which every bit of the
/// result depends on every bit of `z`.
constexpr std::uint64_t mix64(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// Number `index`, from 0, of the sequence that starts at `state`.
constexpr std::uint64_t splitmix64(std::uint64_t state, std::uint64_t index = 0) noexcept {
  return mix64(state + (index + 1) * golden_gamma);
}

/// `random` scaled to [0, bound) by multiplication: biased by less than bound / 2^64. `bound` is at
/// least 1.
constexpr std::uint64_t scaled(std::uint64_t random, std::uint64_t bound) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{random} * bound) >> 64);
}

/// `random` as a fraction in [0, 1), of its upper 53 bits.
constexpr double fraction(std::uint64_t random) noexcept {
  return static_cast<double>(random >> 11) * 0x1p-53;
}

/// The 64-bit FNV-1a hash (draft-eastlake-fnv) of a text: a seed out of a name.
constexpr std::uint64_t fnv1a(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

/// 64 bits of the operating system's entropy: a seed for what nobody repeats.
std::uint64_t random_seed();

/// A sequence of random numbers, drawn one after the other; a uniform random bit generator, as the
/// algorithms of the standard library take it.
class Random {
 public:
  using result_type = std::uint64_t;

  explicit constexpr Random(std::uint64_t seed) noexcept : state_(seed) {}
  /// The sequence of a name.
  explicit constexpr Random(std::string_view name) noexcept : state_(fnv1a(name)) {}

  static constexpr std::uint64_t min() noexcept { return 0; }
  static constexpr std::uint64_t max() noexcept { return ~std::uint64_t{0}; }

  constexpr std::uint64_t operator()() noexcept { return mix64(state_ += golden_gamma); }

  /// A number in [0, bound), taken as the remainder: biased by less than bound / 2^64. `bound` is
  /// at least 1.
  constexpr std::uint64_t below(std::uint64_t bound) noexcept { return (*this)() % bound; }

  constexpr bool one_in(std::uint64_t bound) noexcept { return below(bound) == 0; }

  /// Precondition: `all` is not empty.
  template <class Container>
  constexpr auto& one_of(Container& all) noexcept {
    return all[below(all.size())];
  }

  /// Shuffles in place, by Fisher and Yates; std::shuffle differs between implementations.
  template <class Container>
  constexpr void shuffle(Container& all) {
    for (std::size_t left = all.size(); left > 1; --left)
      std::swap(all[left - 1], all[below(left)]);
  }

 private:
  std::uint64_t state_;
};

/// Random numbers by position: number `counter` of a stream is a function of seed, stream and
/// counter alone. However requests are dealt to threads, request i draws the same ones; and what
/// one stream is used for does not move another.
class CounterRandom {
 public:
  constexpr CounterRandom(std::uint64_t seed, std::uint64_t stream) noexcept
      : base_(mix64(seed ^ mix64(stream * golden_gamma))) {}

  /// The streams of a component are an enumeration.
  template <class Stream>
  requires std::is_enum_v<Stream>
  constexpr CounterRandom(std::uint64_t seed, Stream stream) noexcept
      : CounterRandom(seed, static_cast<std::uint64_t>(stream)) {}

  constexpr std::uint64_t at(std::uint64_t counter) const noexcept {
    return splitmix64(base_, counter);
  }

  /// A number in (0, 1], so that its logarithm is finite.
  constexpr double unit_at(std::uint64_t counter) const noexcept {
    return (static_cast<double>(at(counter) >> 11) + 1.0) * 0x1p-53;
  }

  /// A number in [0, bound); see `scaled`. `bound` is at least 1.
  constexpr std::uint64_t below_at(std::uint64_t counter, std::uint64_t bound) const noexcept {
    return scaled(at(counter), bound);
  }

 private:
  std::uint64_t base_;
};

}  // namespace hallmark::base
