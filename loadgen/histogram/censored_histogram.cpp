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

void CensoredHistogram::note_client(std::uint64_t value, std::uint64_t own, std::uint64_t times) {
  expect_blame();
  blamed_->with.record(value, times);
  blamed_->without.record(value - std::min(own, value), times);
}

void CensoredHistogram::add(const CensoredHistogram& other) {
  add(other.known(), other.waits());
  if (other.blamed_ == nullptr || other.blamed_->with.empty()) return;
  expect_blame();
  blamed_->with.add(other.blamed_->with);
  blamed_->without.add(other.blamed_->without);
}

void CensoredHistogram::add(const Histogram& known, const Histogram& waits) {
  known_.add(known);
  if (waits.empty()) return;
  waits_to_add_to().add(waits);
}

void CensoredHistogram::reset() noexcept {
  known_.reset();
  if (waits_ != nullptr) waits_->reset();
  if (blamed_ == nullptr) return;
  blamed_->with.reset();
  blamed_->without.reset();
}

const Histogram& CensoredHistogram::waits() const noexcept {
  static const Histogram none;
  return waits_ == nullptr ? none : *waits_;
}

// The durations without the client's parts are those that were counted, less those of which a part
// was noted, and these again without it. The value that has the same rank among them is looked for.
void CensoredHistogram::tell_client_part(std::uint64_t rank,
                                         reports::Quantile& quantile) const noexcept {
  if (blamed_ == nullptr || blamed_->with.empty()) return;
  const auto known = known_.counts();
  const auto waited = waits().counts();
  const auto with = blamed_->with.counts();
  const auto without = blamed_->without.counts();
  std::uint64_t least = blamed_->without.min();
  if (!known_.empty()) least = std::min(least, known_.min());
  if (!waits().empty()) least = std::min(least, waits().min());
  const std::size_t last = Histogram::index_of(quantile.value);
  std::int64_t below = 0;  // a sample may stand for more than is in a bucket
  for (std::size_t i = Histogram::index_of(least); i < last; ++i) {
    below += static_cast<std::int64_t>(known[i] + waited[i] + without[i]) -
             static_cast<std::int64_t>(with[i]);
    if (below < static_cast<std::int64_t>(rank)) continue;
    quantile.client_part = quantile.value - Histogram::highest_value_at(i);
    quantile.by_client = quantile.client_part > quantile.value / 10;
    return;
  }
}

reports::Quantile CensoredHistogram::quantile(double q) const noexcept {
  reports::Quantile quantile = known_or_bound(q);
  tell_client_part(Histogram::rank_of(q, count()), quantile);
  return quantile;
}

reports::Quantile CensoredHistogram::known_or_bound(double q) const noexcept {
  if (waits().empty()) return known_.quantile(q);
  const std::uint64_t rank = Histogram::rank_of(q, count());
  if (rank == count()) return {std::max(known_.max(), waits().max()), true};
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
  return told(rank, bucket, known, known_.max(), waits().max());
}

reports::Quantile CensoredHistogram::told(std::uint64_t rank, std::size_t bucket,
                                          std::uint64_t known, std::uint64_t longest_known,
                                          std::uint64_t longest_wait) noexcept {
  const std::uint64_t highest = Histogram::highest_value_at(bucket);
  if (known >= rank) return std::min(highest, longest_known);
  // The longest are known exactly, and the longest wait is most often the timeout of all.
  std::uint64_t longest = 0;
  for (const std::uint64_t one : {longest_known, longest_wait}) {
    if (Histogram::index_of(one) == bucket) longest = std::max(longest, one);
  }
  return {longest != 0 ? longest : highest, true};
}

reports::Quantile CensoredHistogram::max() const noexcept {
  reports::Quantile longest{std::max(known_.max(), waits().max()), !waits().empty()};
  tell_client_part(count(), longest);
  return longest;
}

reports::Mean CensoredHistogram::mean() const noexcept {
  if (empty()) return 0.0;
  const auto sum = [](const Histogram& of) { return of.mean() * static_cast<double>(of.count()); };
  const double all = sum(known_) + sum(waits());
  reports::Mean mean{all / static_cast<double>(count()), !waits().empty()};
  if (blamed_ == nullptr) return mean;
  const double part = sum(blamed_->with) - sum(blamed_->without);
  mean.by_client = part > all / 10;
  mean.client_part = std::max(0.0, part / static_cast<double>(count()));
  return mean;
}

}  // namespace hallmark::loadgen
