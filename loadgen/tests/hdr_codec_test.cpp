#include "loadgen/histogram/hdr_codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

#include "base/base64.hpp"
#include "loadgen/arrivals/random_stream.hpp"

namespace hallmark::loadgen {
namespace {

using Bytes = std::vector<std::uint8_t>;

Histogram of(std::initializer_list<std::uint64_t> values) {
  Histogram histogram;
  for (const auto value : values) histogram.record(value);
  return histogram;
}

Histogram spread() {
  Histogram histogram;
  const base::CounterRandom random{9, RandomStream::value};
  for (std::uint64_t i = 0; i < 20'000; ++i) histogram.record(random.at(i) >> (20 + i % 44));
  return histogram;
}

Bytes with(Bytes bytes, std::size_t at, std::uint8_t value) {
  bytes.at(at) = value;
  return bytes;
}

TEST(HdrCodec, header_and_counts_byte_by_byte) {
  EXPECT_THAT(encode_v2(of({1, 5, 5})),
              testing::ElementsAreArray(
                  Bytes{0x1c, 0x84, 0x93, 0x13,                       // cookie
                        0,    0,    0,    4,                          // payload length
                        0,    0,    0,    0,                          // normalizing index offset
                        0,    0,    0,    3,                          // significant digits
                        0,    0,    0,    0,    0,    0,    0,    1,  // lowest
                        0,    0,    0x03, 0x46, 0x30, 0xb8, 0xa0, 0,  // highest: one hour
                        0x3f, 0xf0, 0,    0,    0,    0,    0,    0,  // ratio 1.0
                        0,    2,    5,    4}));  // one empty bucket, 1, three empty ones, 2
}

TEST(HdrCodec, coarse_form_has_wider_buckets_of_the_same_counts) {
  const auto coarse = coarse_compressed_base64(encode_compressed_base64(of({1, 5, 5, 1000, 1001})));
  ASSERT_TRUE(coarse) << coarse.error().message;
  const auto bytes = base::from_base64(*coarse);
  ASSERT_TRUE(bytes);
  Bytes plain(100);
  auto length = static_cast<uLongf>(plain.size());
  ASSERT_EQ(
      uncompress(plain.data(), &length, bytes->data() + 8, static_cast<uLong>(bytes->size() - 8)),
      Z_OK);
  plain.resize(length);
  EXPECT_EQ(plain.at(15), 1);  // significant digits
  // 1000 and 1001 are in the same bucket of 32: the 16th of the octave that begins at 512, place
  // 111.
  EXPECT_THAT(Bytes(plain.begin() + 40, plain.end()),
              testing::ElementsAreArray(Bytes{0, 2, 5, 4, 0xd1, 0x01, 4}));
}

TEST(HdrCodec, coarse_form_of_what_is_not_a_histogram_is_an_error) {
  EXPECT_EQ(coarse_compressed_base64("@").error().message, "histogram: not base64");
}

TEST(HdrCodec, empty_histogram_has_no_payload) {
  EXPECT_EQ(encode_v2(Histogram{}).size(), 40U);
  const auto decoded = decode_v2(encode_v2(Histogram{}));
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(decoded->empty());
}

TEST(HdrCodec, counts_survive_the_round_trip) {
  const Histogram histogram = spread();
  const auto decoded = decode_compressed_base64(encode_compressed_base64(histogram));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(std::ranges::equal(decoded->counts(), histogram.counts()));
  EXPECT_EQ(decoded->count(), histogram.count());
}

TEST(HdrCodec, largest_counts_take_nine_bytes) {
  Histogram histogram;
  histogram.add_at_index(0, std::numeric_limits<std::int64_t>::max());
  const Bytes bytes = encode_v2(histogram);
  EXPECT_EQ(bytes.size(), 49U);
  const auto decoded = decode_v2(bytes);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->count(), histogram.count());
}

TEST(HdrCodec, last_bucket_survives) {
  const auto decoded = decode_v2(encode_v2(of({UINT64_MAX})));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->counts().back(), 1U);
}

TEST(HdrCodec, every_truncation_is_an_error) {
  const Bytes bytes = encode_v2(spread());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_FALSE(decode_v2(cut)) << size;
  }
}

struct MalformedBytes {
  std::string name;
  Bytes bytes;
  std::string message;
};

class Malformed : public testing::TestWithParam<MalformedBytes> {};

TEST_P(Malformed, is_refused) {
  const auto decoded = decode_v2(GetParam().bytes);
  ASSERT_FALSE(decoded);
  EXPECT_THAT(decoded.error().message, testing::HasSubstr(GetParam().message));
}

Bytes payload(Bytes numbers) {
  Bytes bytes = encode_v2(Histogram{});
  bytes[7] = static_cast<std::uint8_t>(numbers.size());
  bytes.insert(bytes.end(), numbers.begin(), numbers.end());
  return bytes;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Malformed,
    testing::Values(
        MalformedBytes{"cookie", with(encode_v2(Histogram{}), 3, 0x14), "cookie"},
        MalformedBytes{"digits", with(encode_v2(Histogram{}), 15, 2),
                       "significant digits is 2, expected 3"},
        MalformedBytes{"lowest", with(encode_v2(Histogram{}), 23, 2), "lowest discernible value"},
        MalformedBytes{"unfinished_number", payload({0x80}), "end in a number"},
        MalformedBytes{"run_beyond_the_range", payload({0xff, 0xff, 0x7f}), "range of one hour"},
        MalformedBytes{"smallest_number",
                       payload({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}),
                       "range of one hour"},
        MalformedBytes{"counts_overflow",
                       payload({0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2}),
                       "beyond 64 bits"}),
    [](const auto& row) { return row.param.name; });

TEST(HdrCodec, one_count_too_many_is_an_error) {
  Bytes counts(Histogram::bucket_count() + 1, 2);
  Bytes bytes = encode_v2(Histogram{});
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[4 + i] = static_cast<std::uint8_t>(counts.size() >> (24 - 8 * i));
  }
  bytes.insert(bytes.end(), counts.begin(), counts.end());
  EXPECT_FALSE(decode_v2(bytes));
}

TEST(HdrCodec, compressed_form_is_checked_layer_by_layer) {
  EXPECT_FALSE(decode_compressed_base64("not base64!"));
  EXPECT_FALSE(decode_compressed_base64("AAAA"));
  auto bytes = base::from_base64(encode_compressed_base64(spread()));
  ASSERT_TRUE(bytes);
  EXPECT_FALSE(decode_compressed_base64(base::to_base64(with(*bytes, 3, 0))));  // cookie
  EXPECT_FALSE(decode_compressed_base64(base::to_base64(with(*bytes, 4, 1))));  // length
  EXPECT_FALSE(decode_compressed_base64(base::to_base64(with(*bytes, 8, 0))));  // zlib header
  bytes->resize(bytes->size() / 2);
  EXPECT_FALSE(decode_compressed_base64(base::to_base64(*bytes)));
}

}  // namespace
}  // namespace hallmark::loadgen
