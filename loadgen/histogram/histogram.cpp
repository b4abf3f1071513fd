#include "loadgen/histogram/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <new>

namespace hallmark::loadgen {

Histogram::Counts::Counts()
    : memory_(static_cast<std::uint64_t*>(std::calloc(buckets, sizeof(std::uint64_t)))) {
  if (memory_ == nullptr) throw std::bad_alloc();
}

Histogram::Counts::Counts(const Counts& other) : Counts() {
  std::copy_n(other.memory_.get(), buckets, memory_.get());
}

Histogram::Counts& Histogram::Counts::operator=(const Counts& other) {
  std::copy_n(other.memory_.get(), buckets, memory_.get());
  return *this;
}

void Histogram::add(const Histogram& other) noexcept {
  if (other.empty()) return;
  const std::size_t last = other.used_length();
  for (std::size_t i = index_of(other.min_); i < last; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void Histogram::reset() noexcept {
  std::fill_n(&counts_[0], used_length(), 0);
  count_ = 0;
  sum_ = 0;
  min_ = UINT64_MAX;
  max_ = 0;
}

double Histogram::mean() const noexcept {
  return empty() ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::size_t Histogram::used_length() const noexcept { return empty() ? 0 : index_of(max_) + 1; }

std::uint64_t Histogram::rank_of(double share, std::uint64_t count) noexcept {
  const double exact = std::clamp(share, 0.0, 1.0) * static_cast<double>(count);
  // The product may be one unit in the last place above the whole count that is meant.
  const double ulp = exact > 0 ? std::ldexp(1.0, std::ilogb(exact) - 52) : 0.0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(exact - ulp));
  return std::max<std::uint64_t>(1, std::min(count, rank));
}

std::uint64_t Histogram::value_at_percentile(double percentile) const noexcept {
  if (empty()) return 0;
  const std::uint64_t wanted = rank_of(percentile / 100.0, count_);
  std::uint64_t seen = 0;
  std::size_t index = index_of(min_);
  while ((seen += counts_[index]) < wanted) ++index;
  return percentile <= 0.0 ? lowest_value_at(index) : highest_value_at(index);
}

std::uint64_t Histogram::quantile(double q) const noexcept {
  return std::min(value_at_percentile(q * 100.0), max());
}

}  // namespace hallmark::loadgen
