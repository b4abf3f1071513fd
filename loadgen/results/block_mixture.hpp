#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "loadgen/results/compare.hpp"

namespace hallmark::loadgen {

/// How often each of several blocks is drawn, in their order.
using Draws = std::span<const std::uint64_t>;

/// Durations of several blocks, for the quantiles of what is drawn from them over and over. It
/// holds how many durations of each block are not beyond each bucket that any of them uses: a
/// quantile is searched for among the buckets, and no histogram is added to another.
class BlockMixture {
 public:
  explicit BlockMixture(std::span<const Block> blocks);

  /// The quantile `q` (0 to 1), as CensoredHistogram tells it of all drawn blocks together, but for
  /// the client's part. `draws` has as many members as there are blocks.
  reports::Quantile quantile(double q, Draws draws) const;

 private:
  /// The known durations of each block, or its waits.
  struct Side {
    std::vector<std::uint64_t> count;
    std::vector<std::uint64_t> longest;
    std::vector<std::uint64_t> up_to;  ///< of the first bucket, one for each block; of the next; …

    Side(const std::vector<const Histogram*>& histograms, const std::vector<std::size_t>& buckets);

    std::uint64_t count_of(Draws draws) const;
    /// The longest duration of the blocks that are drawn; 0 if they have none.
    std::uint64_t longest_of(Draws draws) const;
    /// Durations that are not beyond that one of the buckets.
    std::uint64_t count_up_to(std::size_t place, Draws draws) const;
  };

  /// The place of the first bucket up to which that many durations are, waits included.
  std::size_t place_of(std::uint64_t rank, Draws draws) const;

  std::vector<std::size_t> buckets_;  ///< their indices in a histogram, rising
  Side known_;
  Side waits_;
};

}  // namespace hallmark::loadgen
