#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "loadgen/arrivals/random_stream.hpp"

namespace hallmark::loadgen {

/// The sizes of values and payloads: a distribution, as classes of one size each. Every key keeps
/// its size, so that what is read back has one right size.
class ValueSizes {
 public:
  static constexpr std::uint64_t most_bytes = std::uint64_t{32} << 20;
  /// A distribution of more sizes is told by so many of its quantiles.
  static constexpr std::size_t most_classes = 64;

  /// All of one size, bytes.
  ValueSizes(std::uint64_t bytes = 64)
      : text_(std::to_string(bytes)), sizes_{bytes}, upper_edges_{1} {}

  /// Reads `64`; `16..1024`, uniform; `64=90,4096=10`, with weights; `lognormal:256,1.5`, by its
  /// median and the standard deviation of the logarithm. Errors: one line.
  static base::Result<ValueSizes> parse(std::string_view text);

  std::size_t classes() const noexcept { return sizes_.size(); }
  std::uint64_t bytes_of(std::size_t size_class) const noexcept { return sizes_[size_class]; }
  /// The sizes in the form that `parse` reads.
  const std::string& text() const noexcept { return text_; }

  /// The class of a key: a function of key and seed.
  std::size_t class_of(std::uint32_t key, std::uint64_t seed) const noexcept {
    if (sizes_.size() == 1) return 0;
    const base::CounterRandom random(seed, RandomStream::size);
    const std::uint64_t drawn = random.below_at(key, upper_edges_.back());
    std::size_t found = 0;
    while (drawn >= upper_edges_[found]) ++found;
    return found;
  }

 private:
  std::string text_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint64_t> upper_edges_;  ///< of the weights, added up
};

}  // namespace hallmark::loadgen
