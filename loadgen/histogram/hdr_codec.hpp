#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "loadgen/histogram/histogram.hpp"

namespace hallmark::loadgen {

/// HdrHistogram's V2 encoding, as its log files carry it: a big-endian header (cookie 0x1c849313,
/// payload length, normalizing index offset, significant digits, lowest and highest trackable
/// value, conversion ratio), then the counts as ZigZag LEB128 numbers of at most nine bytes in
/// which -n stands for n empty buckets.
std::vector<std::uint8_t> encode_v2(const Histogram& histogram);

/// Reads encode_v2's form from any implementation, provided it holds values from 1 with three
/// significant digits and no count beyond this histogram's range. Exact minimum, maximum and sum
/// are not part of the encoding: they become those of the buckets.
base::Result<Histogram> decode_v2(std::span<const std::uint8_t> bytes);
/// Adds the values of encode_v2's form to those of a histogram; `exact` are the facts about them
/// that are not part of the encoding. After an error, the histogram holds some more.
base::Result<void> add_v2(std::span<const std::uint8_t> bytes, const Histogram::Exact& exact,
                          Histogram& sum);

/// The form of log lines: cookie 0x1c849314, length, zlib stream of encode_v2, all in base64.
std::string encode_compressed_base64(const Histogram& histogram);
base::Result<Histogram> decode_compressed_base64(std::string_view text);

/// The histogram in the form of log lines, with one significant digit instead of three: buckets 6 %
/// wide, for pictures. Takes what encode_compressed_base64 made.
base::Result<std::string> coarse_compressed_base64(std::string_view text);

}  // namespace hallmark::loadgen
