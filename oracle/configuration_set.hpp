#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hallmark::oracle {

/// Sequences of numbers, each kept once and compared in full: two that differ are never taken for
/// one, whatever their hashes. Memory is that of the numbers and a table of half-empty places.
class ConfigurationSet {
 public:
  explicit ConfigurationSet(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  enum class Added : std::uint8_t { fresh, known, no_room };

  /// `no_room`: what is kept would take more than the bytes allowed; then it is not kept.
  Added add(std::span<const std::uint64_t> numbers);

 private:
  std::size_t place_of(std::span<const std::uint64_t> numbers, std::uint64_t hash) const;
  bool equal(std::size_t start, std::span<const std::uint64_t> numbers) const;
  bool grow();

  struct Place {
    std::uint64_t hash = 0;
    std::size_t start = 0;  ///< in `kept_`, from 1; 0: free
  };

  std::size_t most_bytes_;
  std::size_t count_ = 0;
  std::vector<std::uint64_t> kept_;  ///< of each its length, then its numbers
  std::vector<Place> places_;
};

}  // namespace hallmark::oracle
