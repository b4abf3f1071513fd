#include "loadgen/histogram/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "loadgen/arrivals/random_stream.hpp"

namespace hallmark::loadgen {
namespace {

TEST(Histogram, empty_reports_zero) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.min(), 0U);
  EXPECT_EQ(histogram.max(), 0U);
  EXPECT_EQ(histogram.mean(), 0.0);
  EXPECT_EQ(histogram.value_at_percentile(50), 0U);
  EXPECT_EQ(histogram.used_length(), 0U);
}

TEST(Histogram, every_bucket_begins_where_the_one_before_ends) {
  for (std::size_t i = 0; i + 1 < Histogram::bucket_count(); ++i) {
    ASSERT_EQ(Histogram::index_of(Histogram::lowest_value_at(i)), i);
    ASSERT_EQ(Histogram::index_of(Histogram::highest_value_at(i)), i);
    ASSERT_EQ(Histogram::highest_value_at(i) + 1, Histogram::lowest_value_at(i + 1));
  }
}

TEST(Histogram, three_significant_digits_over_the_whole_range) {
  for (std::size_t i = 1; i < Histogram::bucket_count(); ++i) {
    const auto low = Histogram::lowest_value_at(i);
    ASSERT_LE((Histogram::highest_value_at(i) - low) * 1000, low) << i;
  }
  EXPECT_GE(Histogram::highest_value_at(Histogram::bucket_count() - 1),
            Histogram::highest_trackable);
}

TEST(Histogram, values_beyond_the_range_stay_in_the_last_bucket_with_their_exact_maximum) {
  Histogram histogram;
  histogram.record(Histogram::highest_trackable * 2);
  histogram.record(UINT64_MAX);
  EXPECT_EQ(histogram.count(), 2U);
  EXPECT_EQ(histogram.counts().back(), 2U);
  EXPECT_EQ(histogram.max(), UINT64_MAX);
  EXPECT_EQ(histogram.min(), Histogram::highest_trackable * 2);
  EXPECT_DOUBLE_EQ(histogram.mean(), (static_cast<double>(UINT64_MAX) + 7.2e12) / 2);
}

struct Percentile {
  double percentile;
  std::uint64_t value;
};

TEST(Histogram, percentiles_of_one_to_a_thousand) {
  Histogram histogram;
  for (std::uint64_t v = 1; v <= 1000; ++v) histogram.record(v);
  for (const auto& row : {Percentile{0, 1}, Percentile{0.1, 1}, Percentile{50, 500},
                          Percentile{90, 900}, Percentile{99, 990}, Percentile{99.9, 999},
                          Percentile{99.99, 1000}, Percentile{100, 1000}}) {
    EXPECT_EQ(histogram.value_at_percentile(row.percentile), row.value) << row.percentile;
  }
}

TEST(Histogram, percentile_is_the_highest_equivalent_value_and_quantile_stays_below_the_maximum) {
  Histogram histogram;
  histogram.record(1'000'000);
  const auto bucket = Histogram::index_of(1'000'000);
  EXPECT_EQ(histogram.value_at_percentile(50), Histogram::highest_value_at(bucket));
  EXPECT_EQ(histogram.value_at_percentile(0), Histogram::lowest_value_at(bucket));
  EXPECT_EQ(histogram.quantile(0.5), 1'000'000U);
}

TEST(Histogram, percentiles_against_sorted_values) {
  Histogram histogram;
  std::vector<std::uint64_t> values;
  const base::CounterRandom random{7, RandomStream::value};
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    values.push_back(random.at(i) >> (22 + i % 40));
    histogram.record(values.back());
  }
  std::sort(values.begin(), values.end());
  for (std::size_t rank = 1; rank <= values.size(); ++rank) {
    const double percentile = 100.0 * static_cast<double>(rank) / 10'000.0;
    const auto bucket = Histogram::index_of(values[rank - 1]);
    ASSERT_EQ(histogram.value_at_percentile(percentile), Histogram::highest_value_at(bucket))
        << percentile;
  }
}

TEST(Histogram, add_equals_recording_everything_in_one) {
  Histogram left;
  Histogram right;
  Histogram both;
  const base::CounterRandom random{3, RandomStream::value};
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const std::uint64_t value = random.at(i) >> (i % 64);
    (i % 3 == 0 ? left : right).record(value);
    both.record(value);
  }
  left.add(right);
  EXPECT_TRUE(std::ranges::equal(left.counts(), both.counts()));
  EXPECT_EQ(left.count(), both.count());
  EXPECT_EQ(left.min(), both.min());
  EXPECT_EQ(left.max(), both.max());
  EXPECT_EQ(left.mean(), both.mean());
}

TEST(Histogram, adding_an_empty_one_changes_nothing) {
  Histogram histogram;
  histogram.record(5);
  histogram.add(Histogram{});
  EXPECT_EQ(histogram.count(), 1U);
  EXPECT_EQ(histogram.min(), 5U);
}

TEST(Histogram, reset_forgets_everything) {
  Histogram histogram;
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{70'000}, UINT64_MAX}) {
    histogram.record(value);
  }
  histogram.reset();
  EXPECT_TRUE(std::ranges::equal(histogram.counts(), Histogram{}.counts()));
  EXPECT_EQ(histogram.count(), 0U);
  histogram.record(9);
  EXPECT_EQ(histogram.min(), 9U);
  EXPECT_EQ(histogram.mean(), 9.0);
}

}  // namespace
}  // namespace hallmark::loadgen
