// Feeds arbitrary text to the reader of HdrHistogram logs, arbitrary bytes to that of histograms,
// and arbitrary counts to both. A histogram that is accepted is written as bytes, and as a line of
// a log, that read back as the same counts; a refusal is one line.
#include <sstream>

#include "base/base64.hpp"
#include "base/fuzz/requirement.hpp"
#include "loadgen/histogram/hdr_codec.hpp"
#include "loadgen/histogram/hdr_log.hpp"

namespace hallmark::loadgen {
namespace {

using fuzz::require;

bool same(const Histogram& a, const Histogram& b) {
  return a.count() == b.count() && std::ranges::equal(a.counts(), b.counts());
}

void require_same_again(const Histogram& histogram) {
  const auto from_bytes = decode_v2(encode_v2(histogram));
  require(from_bytes && same(*from_bytes, histogram), "a histogram reads back as the same");
  const std::string text = encode_compressed_base64(histogram);
  const auto from_text = decode_compressed_base64(text);
  require(from_text && same(*from_text, histogram), "a histogram reads back from text", text);
  const auto coarse = coarse_compressed_base64(text);
  require(coarse.has_value(), "a histogram can be made coarse", text);
}

void read_bytes(base::ByteView bytes) {
  const auto histogram = decode_v2(bytes);
  if (!histogram) return fuzz::require_line(histogram.error().message);
  require_same_again(*histogram);
}

void read_log(std::string_view text) {
  std::istringstream in{std::string(text)};
  const auto log = read_interval_log(in);
  if (!log) return fuzz::require_line(log.error().message);
  for (const LoggedInterval& interval : log->intervals) require_same_again(interval.histogram);
}

/// Each eight bytes are a value and how often it was.
void write_log(fuzz::Input input) {
  Histogram histogram;
  while (input.bytes().size() >= 8) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | input.first();
    histogram.record(bits >> 20, bits & 0xfffff);
  }
  require_same_again(histogram);
  std::string text;
  IntervalLogWriter writer([&](std::string_view lines) { text += lines; }, "fuzz", {});
  writer.write("tag", 0.5, 1, histogram);
  std::istringstream in(text);
  const auto log = read_interval_log(in);
  require(log && log->intervals.size() == 1, "a log reads back", text);
  require(same(log->intervals[0].histogram, histogram) && log->intervals[0].tag == "tag",
          "a log reads back as the same", text);
}

}  // namespace
}  // namespace hallmark::loadgen

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hallmark::fuzz::Input input(data, size);
  switch (input.first() % 3) {
    case 0: hallmark::loadgen::read_bytes(input.bytes()); break;
    case 1: hallmark::loadgen::write_log(input); break;
    default: hallmark::loadgen::read_log(input.text());
  }
  return 0;
}
