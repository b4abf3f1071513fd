#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

namespace hallmark::conformance {

/// Choices that are the same in every run with one seed, on every machine: SplitMix64 (Steele, Lea
/// and Flood, 2014), started from the FNV-1a hash of a text.
class Random {
 public:
  explicit Random(std::string_view seed) {
    for (const char c : seed) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  /// 0 to `count` - 1; `count` is above 0 and far below 2^64.
  std::uint64_t below(std::uint64_t count) { return next() % count; }
  bool one_in(std::uint64_t count) { return below(count) == 0; }

  template <class Container>
  auto& one_of(Container& all) {
    return all[below(all.size())];
  }

  template <class Container>
  void shuffle(Container& all) {
    for (std::size_t left = all.size(); left > 1; --left)
      std::swap(all[left - 1], all[below(left)]);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace hallmark::conformance
