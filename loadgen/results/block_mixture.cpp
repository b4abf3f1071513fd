#include "loadgen/results/block_mixture.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace hallmark::loadgen {
namespace {

std::vector<const Histogram*> known_of(std::span<const Block> blocks) {
  std::vector<const Histogram*> known;
  for (const Block& block : blocks) known.push_back(&block.latency.known());
  return known;
}

std::vector<const Histogram*> waits_of(std::span<const Block> blocks) {
  std::vector<const Histogram*> waits;
  for (const Block& block : blocks) waits.push_back(&block.latency.waits());
  return waits;
}

/// The indices of the buckets that any of the blocks uses, rising.
std::vector<std::size_t> buckets_of(std::span<const Block> blocks) {
  std::vector<bool> used(Histogram::bucket_count());
  for (const auto& histograms : {known_of(blocks), waits_of(blocks)}) {
    for (const Histogram* const one : histograms) {
      for (std::size_t i = Histogram::index_of(one->min()); i < one->used_length(); ++i) {
        if (one->counts()[i] != 0) used[i] = true;
      }
    }
  }
  std::vector<std::size_t> buckets;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) buckets.push_back(i);
  }
  return buckets;
}

}  // namespace

BlockMixture::Side::Side(const std::vector<const Histogram*>& histograms,
                         const std::vector<std::size_t>& buckets) {
  for (const Histogram* const one : histograms) {
    count.push_back(one->count());
    longest.push_back(one->max());
  }
  if (std::ranges::all_of(histograms, &Histogram::empty)) return;
  std::vector<std::uint64_t> sums(histograms.size());
  up_to.reserve(buckets.size() * sums.size());
  for (const std::size_t bucket : buckets) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += histograms[i]->counts()[bucket];
    up_to.insert(up_to.end(), sums.begin(), sums.end());
  }
}

std::uint64_t BlockMixture::Side::count_of(Draws draws) const {
  return std::inner_product(draws.begin(), draws.end(), count.begin(), std::uint64_t{0});
}

std::uint64_t BlockMixture::Side::longest_of(Draws draws) const {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    if (draws[i] != 0) found = std::max(found, longest[i]);
  }
  return found;
}

std::uint64_t BlockMixture::Side::count_up_to(std::size_t place, Draws draws) const {
  if (up_to.empty()) return 0;
  const auto first = up_to.begin() + static_cast<std::ptrdiff_t>(place * draws.size());
  return std::inner_product(draws.begin(), draws.end(), first, std::uint64_t{0});
}

BlockMixture::BlockMixture(std::span<const Block> blocks)
    : buckets_(buckets_of(blocks)),
      known_(known_of(blocks), buckets_),
      waits_(waits_of(blocks), buckets_) {}

std::size_t BlockMixture::place_of(std::uint64_t rank, Draws draws) const {
  const auto is_before = [&](std::size_t place) {
    return known_.count_up_to(place, draws) + waits_.count_up_to(place, draws) < rank;
  };
  return *std::ranges::partition_point(std::views::iota(std::size_t{0}, buckets_.size()),
                                       is_before);
}

reports::Quantile BlockMixture::quantile(double q, Draws draws) const {
  const std::uint64_t waits = waits_.count_of(draws);
  const std::uint64_t count = known_.count_of(draws) + waits;
  if (count == 0) return 0;
  const std::uint64_t longest_known = known_.longest_of(draws);
  const std::uint64_t longest_wait = waits_.longest_of(draws);
  const std::uint64_t rank = Histogram::rank_of(q, count);
  if (waits != 0 && rank == count) return {std::max(longest_known, longest_wait), true};
  const std::size_t place = place_of(rank, draws);
  return CensoredHistogram::told(rank, buckets_[place], known_.count_up_to(place, draws),
                                 longest_known, longest_wait);
}

}  // namespace hallmark::loadgen
