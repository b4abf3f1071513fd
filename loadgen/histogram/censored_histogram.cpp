#include "loadgen/histogram/censored_histogram.hpp"

#include <algorithm>

namespace hallmark::loadgen {

void CensoredHistogram::record_longer(std::uint64_t bound, std::uint64_t times) {
  waits_to_add_to().record(bound, times);
}

Histogram& CensoredHistogram::waits_to_add_to() {
  if (waits_ == nullptr) waits_ = std::make_unique<Histogram>();
  return *waits_;
}

void CensoredHistogram::add(const Histogram& known, const Histogram& waits) {
  known_.add(known);
  if (waits.empty()) return;
  waits_to_add_to().add(waits);
}

void CensoredHistogram::reset() noexcept {
  known_.reset();
  if (waits_ != nullptr) waits_->reset();
}

const Histogram& CensoredHistogram::waits() const noexcept {
  static const Histogram none;
  return waits_ == nullptr ? none : *waits_;
}

reports::Quantile CensoredHistogram::quantile(double q) const noexcept {
  if (waits().empty()) return known_.quantile(q);
  const std::uint64_t rank = Histogram::rank_of(q, count());
  if (rank == count()) return max();
  const std::uint64_t least =
      known_.empty() ? waits().min() : std::min(known_.min(), waits().min());
  std::size_t bucket = Histogram::index_of(least);
  std::uint64_t known = known_.counts()[bucket];
  std::uint64_t waited = waits().counts()[bucket];
  while (known + waited < rank) {
    ++bucket;
    known += known_.counts()[bucket];
    waited += waits().counts()[bucket];
  }
  if (known >= rank) return std::min(Histogram::highest_value_at(bucket), known_.max());
  // The longest are known exactly, and the longest wait is most often the timeout of all.
  std::uint64_t longest = 0;
  for (const std::uint64_t one : {known_.max(), waits().max()}) {
    if (Histogram::index_of(one) == bucket) longest = std::max(longest, one);
  }
  return {longest != 0 ? longest : Histogram::highest_value_at(bucket), true};
}

reports::Quantile CensoredHistogram::max() const noexcept {
  return {std::max(known_.max(), waits().max()), !waits().empty()};
}

reports::Mean CensoredHistogram::mean() const noexcept {
  if (empty()) return 0.0;
  const auto sum = [](const Histogram& of) { return of.mean() * static_cast<double>(of.count()); };
  return {(sum(known_) + sum(waits())) / static_cast<double>(count()), !waits().empty()};
}

}  // namespace hallmark::loadgen
