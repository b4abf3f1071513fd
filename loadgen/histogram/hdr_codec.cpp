#include "loadgen/histogram/hdr_codec.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <limits>
#include <memory>

#include "base/base64.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;

// The lowest nibble of the second byte is the version's word size; 1 marks the V2 number encoding.
constexpr std::uint32_t cookie_plain = 0x1c849303 | 0x10;
constexpr std::uint32_t cookie_compressed = 0x1c849304 | 0x10;
constexpr std::size_t header_size = 40;
constexpr std::size_t longest_number = 9;
// Every bucket at its longest: no honest encoding of this layout inflates to more.
constexpr std::size_t largest_encoding = header_size + Histogram::bucket_count() * longest_number;

constexpr std::uint64_t largest_count = std::numeric_limits<std::int64_t>::max();

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

template <class T>
void put_big_endian(Bytes& out, T value) {
  for (std::size_t shift = sizeof(T) * 8; shift != 0; shift -= 8) {
    out.push_back(static_cast<std::uint8_t>(value >> (shift - 8)));
  }
}

template <class T>
T get_big_endian(View bytes, std::size_t offset) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>((value << 8) | bytes[offset + i]);
  }
  return value;
}

// LEB128 cut at nine bytes: the ninth carries eight bits instead of seven and a flag.
void put_number(Bytes& out, std::int64_t number) {
  auto rest = (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
  for (std::size_t i = 1; i < longest_number && rest >= 0x80; ++i, rest >>= 7) {
    out.push_back(static_cast<std::uint8_t>(rest | 0x80));
  }
  out.push_back(static_cast<std::uint8_t>(rest));
}

std::int64_t number_of(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

bool get_number(View bytes, std::size_t& offset, std::int64_t& number) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < longest_number; ++i) {
    if (offset == bytes.size()) return false;
    const std::uint8_t byte = bytes[offset++];
    const bool last = i + 1 == longest_number || byte < 0x80;
    value |= std::uint64_t{i + 1 == longest_number ? byte : byte & 0x7fU} << (7 * i);
    if (last) break;
  }
  number = number_of(value);
  return true;
}

/// The same for a number of one or two bytes, as nearly all are; 0 bytes: it is another one.
inline std::size_t get_short_number(const std::uint8_t* bytes, std::int64_t& number) {
  const bool is_single = bytes[0] < 0x80;
  if (!is_single && bytes[1] >= 0x80) return 0;
  const std::uint64_t high = is_single ? 0 : bytes[1];
  number = number_of((bytes[0] & 0x7fU) | (high << 7));
  return is_single ? 1 : 2;
}

void put_counts(Bytes& out, std::span<const std::uint64_t> counts) {
  std::int64_t empty_run = 0;
  for (const std::uint64_t count : counts) {
    if (count == 0) {
      ++empty_run;
      continue;
    }
    if (empty_run != 0) put_number(out, empty_run == 1 ? 0 : -empty_run);
    empty_run = 0;
    put_number(out, static_cast<std::int64_t>(count));
  }
}

/// Calls `take(index, count)` for each bucket that holds something.
template <class Take>
Result<void> for_each_count(View payload, const Take& take) {
  std::size_t index = 0;
  for (std::size_t offset = 0; offset < payload.size();) {
    std::int64_t number = 0;
    const std::size_t read =
        payload.size() - offset < 2 ? 0 : get_short_number(payload.data() + offset, number);
    offset += read;
    if (read == 0 && !get_number(payload, offset, number))
      return Error{"histogram: counts end in a number"};
    const auto step =
        number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : std::uint64_t{1};
    if (step > Histogram::bucket_count() - index) {
      return Error{"histogram: counts beyond the range of one hour"};
    }
    if (number > 0) {
      if (const auto taken = take(index, static_cast<std::uint64_t>(number)); !taken) return taken;
    }
    index += step;
  }
  return {};
}

template <class Add>
Result<void> add_counts(View payload, Histogram& histogram, const Add& add) {
  return for_each_count(payload, [&](std::size_t index, std::uint64_t count) -> Result<void> {
    if (histogram.count() > largest_count - count) return Error{"histogram: counts beyond 64 bits"};
    add(index, count);
    return {};
  });
}

/// Buckets of one significant digit: 2 * 10^1 rounded up to a power of two.
std::size_t coarse_index_of(std::uint64_t value) {
  constexpr unsigned sub_bucket_bits = 5;
  constexpr std::size_t half = std::size_t{1} << (sub_bucket_bits - 1);
  const auto shift =
      static_cast<unsigned>(std::bit_width(value | (2 * half - 1))) - sub_bucket_bits;
  return shift * half + static_cast<std::size_t>(value >> shift);
}

Error wrong(std::string_view what, std::uint64_t got, std::uint64_t allowed) {
  return {fmt::format("histogram: {} is {}, expected {}", what, got, allowed)};
}

Result<Bytes> inflate_bounded(View compressed) {
  const auto out = std::make_unique_for_overwrite<std::uint8_t[]>(largest_encoding);
  auto length = static_cast<uLongf>(largest_encoding);
  const int status =
      uncompress(out.get(), &length, compressed.data(), static_cast<uLong>(compressed.size()));
  if (status != Z_OK) return Error{fmt::format("histogram: zlib stream invalid ({})", status)};
  return Bytes(out.get(), out.get() + length);
}

Bytes encode(std::span<const std::uint64_t> counts, int significant_digits) {
  Bytes out;
  put_big_endian<std::uint32_t>(out, cookie_plain);
  put_big_endian<std::uint32_t>(out, 0);  // payload length, known below
  put_big_endian<std::uint32_t>(out, 0);  // normalizing index offset: integers are never shifted
  put_big_endian<std::uint32_t>(out, static_cast<std::uint32_t>(significant_digits));
  put_big_endian<std::uint64_t>(out, 1);
  put_big_endian<std::uint64_t>(out, Histogram::highest_trackable);
  put_big_endian<std::uint64_t>(out, std::bit_cast<std::uint64_t>(1.0));  // conversion ratio
  put_counts(out, counts);
  const auto payload = static_cast<std::uint32_t>(out.size() - header_size);
  for (std::size_t i = 0; i < 4; ++i)
    out[4 + i] = static_cast<std::uint8_t>(payload >> (24 - 8 * i));
  return out;
}

std::string compress(const Bytes& plain) {
  auto length = compressBound(static_cast<uLong>(plain.size()));
  Bytes compressed(length);
  compress2(compressed.data(), &length, plain.data(), static_cast<uLong>(plain.size()),
            Z_DEFAULT_COMPRESSION);
  Bytes out;
  put_big_endian<std::uint32_t>(out, cookie_compressed);
  put_big_endian<std::uint32_t>(out, static_cast<std::uint32_t>(length));
  out.insert(out.end(), compressed.begin(),
             compressed.begin() + static_cast<std::ptrdiff_t>(length));
  return base::to_base64(out);
}

/// The counts of encode_v2's form, checked.
Result<View> payload_of(View bytes) {
  if (bytes.size() < header_size) return wrong("length in bytes", bytes.size(), header_size);
  const auto cookie = get_big_endian<std::uint32_t>(bytes, 0);
  if (cookie != cookie_plain) return wrong("cookie", cookie, cookie_plain);
  const auto payload = get_big_endian<std::uint32_t>(bytes, 4);
  if (payload > bytes.size() - header_size) {
    return wrong("payload length", payload, bytes.size() - header_size);
  }
  const auto digits = get_big_endian<std::uint32_t>(bytes, 12);
  if (digits != Histogram::significant_digits) {
    return wrong("number of significant digits", digits, Histogram::significant_digits);
  }
  const auto lowest = get_big_endian<std::uint64_t>(bytes, 16);
  if (lowest != 1) return wrong("lowest discernible value", lowest, 1);
  return bytes.subspan(header_size, payload);
}

Result<Bytes> decompress(std::string_view text) {
  const auto bytes = base::from_base64(text);
  if (!bytes) return Error{"histogram: not base64"};
  if (bytes->size() < 8) return wrong("length in bytes", bytes->size(), 8);
  const auto cookie = get_big_endian<std::uint32_t>(*bytes, 0);
  if (cookie != cookie_compressed) return wrong("cookie", cookie, cookie_compressed);
  const auto length = get_big_endian<std::uint32_t>(*bytes, 4);
  if (length > bytes->size() - 8) return wrong("compressed length", length, bytes->size() - 8);
  return inflate_bounded(View{*bytes}.subspan(8, length));
}

}  // namespace

std::vector<std::uint8_t> encode_v2(const Histogram& histogram) {
  return encode(histogram.counts().first(histogram.used_length()), Histogram::significant_digits);
}

Result<Histogram> decode_v2(std::span<const std::uint8_t> bytes) {
  const auto payload = payload_of(bytes);
  if (!payload) return payload.error();
  Histogram histogram;
  const auto added = add_counts(*payload, histogram, [&](std::size_t index, std::uint64_t count) {
    histogram.add_at_index(index, count);
  });
  if (!added) return added.error();
  return histogram;
}

Result<void> add_v2(std::span<const std::uint8_t> bytes, const Histogram::Exact& exact,
                    Histogram& sum) {
  const auto payload = payload_of(bytes);
  if (!payload) return payload.error();
  const Histogram::Exact both = Histogram::together(sum.exact(), exact);
  const auto added = add_counts(*payload, sum, [&](std::size_t index, std::uint64_t count) {
    sum.add_count_at_index(index, count);
  });
  sum.set_exact(both);
  return added;
}

std::string encode_compressed_base64(const Histogram& histogram) {
  return compress(encode_v2(histogram));
}

Result<Histogram> decode_compressed_base64(std::string_view text) {
  const auto plain = decompress(text);
  if (!plain) return plain.error();
  return decode_v2(*plain);
}

Result<std::string> coarse_compressed_base64(std::string_view text) {
  const auto plain = decompress(text);
  if (!plain) return plain.error();
  const auto payload = payload_of(*plain);
  if (!payload) return payload.error();
  std::vector<std::uint64_t> coarse;
  const auto got =
      for_each_count(*payload, [&](std::size_t index, std::uint64_t count) -> Result<void> {
        const std::size_t place = coarse_index_of(Histogram::lowest_value_at(index));
        if (coarse.size() <= place) coarse.resize(place + 1);
        if (coarse[place] > largest_count - count) return Error{"histogram: counts beyond 64 bits"};
        coarse[place] += count;
        return {};
      });
  if (!got) return got.error();
  return compress(encode(coarse, 1));
}

}  // namespace hallmark::loadgen
