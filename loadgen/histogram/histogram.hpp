#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace hallmark::loadgen {

/// A high dynamic range histogram of durations in nanoseconds: three significant digits from 1 ns
/// to over an hour, 64-bit counts, one indexed increment per record. Bucket layout, equivalence and
/// percentiles are those of HdrHistogram (lowest discernible value 1, three significant digits), so
/// that its logs (hdr_log.hpp) are read by every other implementation.
///
/// No value is ever dropped: one above the range counts in the last bucket, and minimum, maximum
/// and sum are kept exactly whatever the range.
class Histogram {
  __extension__ using Sum = unsigned __int128;

 public:
  static constexpr int significant_digits = 3;
  /// One hour; the bucket layout rounds the range up to 2^42 - 1 ns (about 73 minutes).
  static constexpr std::uint64_t highest_trackable = 3'600'000'000'000;

  Histogram() = default;

  /// Counts `times` durations of `value` nanoseconds.
  void record(std::uint64_t value, std::uint64_t times = 1) noexcept {
    counts_[index_of(value)] += times;
    count_ += times;
    sum_ += Sum{value} * times;
    if (value > max_) max_ = value;
    if (value < min_) min_ = value;
  }

  /// Adds every count of `other`: exact, as if each value had been recorded here.
  void add(const Histogram& other) noexcept;

  /// Adds `count` values of the bucket `index` (below bucket_count()). The bucket is all that is
  /// known of them: minimum and maximum take its edges and the sum its middle.
  void add_at_index(std::size_t index, std::uint64_t count) noexcept {
    if (count == 0) return;
    const std::uint64_t lowest = lowest_value_at(index);
    const std::uint64_t width = std::uint64_t{1} << shift_at(index);
    counts_[index] += count;
    count_ += count;
    sum_ += Sum{lowest + width / 2} * count;
    if (lowest < min_) min_ = lowest;
    if (lowest + width - 1 > max_) max_ = lowest + width - 1;
  }

  /// The same without minimum, maximum and sum, which the caller knows: set_exact has to follow.
  void add_count_at_index(std::size_t index, std::uint64_t count) noexcept {
    counts_[index] += count;
    count_ += count;
  }

  /// Forgets everything; the cost is that of the buckets in use.
  void reset() noexcept;

  std::uint64_t count() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  /// Exact smallest value recorded, 0 when empty.
  std::uint64_t min() const noexcept { return empty() ? 0 : min_; }
  /// Exact largest value recorded, 0 when empty.
  std::uint64_t max() const noexcept { return max_; }
  /// Exact mean in nanoseconds, 0 when empty.
  double mean() const noexcept;

  /// The facts about the values that the buckets do not tell, and that add_at_index does not know.
  struct Exact {
    std::uint64_t min = UINT64_MAX;  ///< this when empty
    std::uint64_t max = 0;
    std::uint64_t sum_high = 0;  ///< in units of 2^64
    std::uint64_t sum_low = 0;
    bool operator==(const Exact&) const = default;
  };
  Exact exact() const noexcept {
    return {min_, max_, static_cast<std::uint64_t>(sum_ >> 64), static_cast<std::uint64_t>(sum_)};
  }
  void set_exact(const Exact& exact) noexcept {
    min_ = exact.min;
    max_ = exact.max;
    sum_ = sum_of(exact);
  }
  /// Returns the histogram of the values of both.
  static Exact together(const Exact& a, const Exact& b) noexcept {
    const Sum sum = sum_of(a) + sum_of(b);
    return {a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max,
            static_cast<std::uint64_t>(sum >> 64), static_cast<std::uint64_t>(sum)};
  }

  /// HdrHistogram's value at a percentile (0 to 100): the highest value equivalent to the bucket at
  /// which that share of all values is reached; at 0 the lowest one of the first bucket in use. 0
  /// when empty. May exceed max() by less than the bucket's width, 0.1 %.
  std::uint64_t value_at_percentile(double percentile) const noexcept;

  /// Quantile `q` (0 to 1) for people: value_at_percentile, but never above max().
  std::uint64_t quantile(double q) const noexcept;

  /// The rank, from 1, of the value at share `share` (0 to 1) of `count` values.
  static std::uint64_t rank_of(double share, std::uint64_t count) noexcept;

  /// Tells the exact smallest and largest value, which add_at_index does not know. One that is not
  /// in its bucket is ignored.
  void narrow(std::uint64_t min, std::uint64_t max) noexcept {
    if (index_of(min) == index_of(min_)) min_ = min;
    if (index_of(max) == index_of(max_)) max_ = max;
  }

  std::span<const std::uint64_t> counts() const noexcept { return {&counts_[0], buckets}; }
  /// One past the highest bucket that holds a count, 0 when empty.
  std::size_t used_length() const noexcept;

  static constexpr std::size_t bucket_count() noexcept { return buckets; }

  static constexpr std::size_t index_of(std::uint64_t value) noexcept {
    const auto shift =
        static_cast<unsigned>(std::bit_width(value | (sub_buckets - 1))) - sub_bucket_bits;
    const std::size_t index = (std::size_t{shift} * half_sub_buckets) + (value >> shift);
    return index < buckets ? index : buckets - 1;
  }
  /// Smallest value that counts in bucket `index`.
  static constexpr std::uint64_t lowest_value_at(std::size_t index) noexcept {
    if (index < sub_buckets) return index;
    return (std::uint64_t{index % half_sub_buckets} + half_sub_buckets) << shift_at(index);
  }
  /// Largest value that counts in bucket `index`, were the last bucket not open upwards.
  static constexpr std::uint64_t highest_value_at(std::size_t index) noexcept {
    return lowest_value_at(index + 1) - 1;
  }

 private:
  // 2 * 10^3 rounded up to a power of two: the first values are all told apart, and from there on
  // each further power of two is divided into half as many buckets.
  static constexpr unsigned sub_bucket_bits = 11;
  static constexpr std::size_t sub_buckets = std::size_t{1} << sub_bucket_bits;
  static constexpr std::size_t half_sub_buckets = sub_buckets / 2;
  static constexpr std::size_t buckets =
      (static_cast<std::size_t>(std::bit_width(highest_trackable)) - sub_bucket_bits + 2) *
      half_sub_buckets;

  /// The binary logarithm of how many values bucket `index` has.
  static constexpr std::size_t shift_at(std::size_t index) noexcept {
    return index < sub_buckets ? 0 : index / half_sub_buckets - 1;
  }

  static Sum sum_of(const Exact& exact) noexcept {
    return (Sum{exact.sum_high} << 64) | exact.sum_low;
  }

  /// The counts of all buckets, zero at first. A load has hundreds of histograms, each with a few
  /// pages in use: the system makes the others once they are counted in.
  class Counts {
   public:
    Counts();
    Counts(const Counts& other);
    Counts(Counts&& other) noexcept = default;
    Counts& operator=(const Counts& other);
    Counts& operator=(Counts&& other) noexcept = default;
    ~Counts() = default;

    std::uint64_t& operator[](std::size_t index) noexcept { return memory_.get()[index]; }
    const std::uint64_t& operator[](std::size_t index) const noexcept {
      return memory_.get()[index];
    }

   private:
    struct Free {
      void operator()(std::uint64_t* memory) const noexcept { std::free(memory); }
    };
    std::unique_ptr<std::uint64_t, Free> memory_;
  };

  Counts counts_;
  std::uint64_t count_ = 0;
  std::uint64_t min_ = UINT64_MAX;
  std::uint64_t max_ = 0;
  Sum sum_ = 0;
};

}  // namespace hallmark::loadgen
