#include "loadgen/histogram/hdr_log.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/tests/temporary_directory.hpp"
#include "cmake/places/places.hpp"
#include "loadgen/arrivals/random_stream.hpp"

namespace hallmark::loadgen {
namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

const system_clock::time_point start{milliseconds{1'760'000'000'250}};

struct Interval {
  std::string tag;
  int start_seconds;
  Histogram histogram;
};

Histogram drawn(std::uint64_t seed, std::uint64_t count, unsigned smallest_shift) {
  Histogram histogram;
  const base::CounterRandom random{seed, RandomStream::value};
  for (std::uint64_t i = 0; i < count; ++i)
    histogram.record(random.at(i) >> (smallest_shift + i % 30));
  return histogram;
}

std::vector<Interval> intervals() {
  Histogram single;
  single.record(123'456'789);
  Histogram many;
  many.add_at_index(3000, 3'000'000'000);
  many.add_at_index(9000, 1'000'000);
  Histogram saturated;
  saturated.record(UINT64_MAX);
  saturated.record(1);
  return {{"query", 0, drawn(1, 50'000, 34)},
          {"update", 0, drawn(2, 997, 23)},
          {"query", 1, drawn(3, 12, 40)},
          {"single", 1, single},
          {"many", 2, many},
          {"saturated", 3, saturated},
          {"empty", 4, Histogram{}}};
}

std::string written() {
  std::ostringstream out;
  IntervalLogWriter writer{[&](std::string_view text) { out << text; }, "Hallmark", start};
  for (const auto& interval : intervals()) {
    writer.write(interval.tag, interval.start_seconds, 1.0, interval.histogram);
  }
  return out.str();
}

std::vector<std::string> percentiles() {
  std::vector<std::string> all;
  for (int step = 0; step <= 1000; ++step) all.push_back(fmt::format("{}", step / 10.0));
  for (const double p :
       {0.001, 0.01, 99.95, 99.99, 99.995, 99.999, 99.9999, 99.99999, 33.3333333}) {
    all.push_back(fmt::format("{}", p));
  }
  return all;
}

TEST(IntervalLog, head_and_lines) {
  EXPECT_THAT(written(),
              testing::StartsWith("#[Hallmark]\n"
                                  "#[Histogram log format version 1.3]\n"
                                  "#[BaseTime: 1760000000.250 (seconds since epoch)]\n"
                                  "#[StartTime: 1760000000.250 (seconds since epoch), "
                                  "Thu Oct 09 08:53:20 UTC 2025]\n"
                                  "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
                                  "\"Interval_Compressed_Histogram\"\n"
                                  "Tag=query,0.000,1.000,"));
  EXPECT_THAT(written(), testing::HasSubstr("\nTag=single,1.000,1.000,123.457,HIST"));
}

TEST(IntervalLog, an_empty_tag_is_left_out) {
  std::ostringstream out;
  IntervalLogWriter{[&](std::string_view text) { out << text; }, "Hallmark", start}.write(
      "", 2.0, 1.0, Histogram{});
  EXPECT_THAT(out.str(), testing::HasSubstr("\n2.000,1.000,0.000,HIST"));
}

TEST(IntervalLog, reads_back_what_was_written) {
  std::istringstream in{written()};
  const auto log = read_interval_log(in);
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_DOUBLE_EQ(log->start_seconds_since_epoch, 1'760'000'000.25);
  const auto expected = intervals();
  ASSERT_EQ(log->intervals.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& got = log->intervals[i];
    EXPECT_EQ(got.tag, expected[i].tag);
    EXPECT_EQ(got.start_seconds, expected[i].start_seconds);
    EXPECT_EQ(got.length_seconds, 1.0);
    EXPECT_TRUE(std::ranges::equal(got.histogram.counts(), expected[i].histogram.counts())) << i;
  }
}

TEST(IntervalLog, an_error_names_the_line) {
  for (const auto* text : {"#comment\n1.0,x,1.0,AAAA\n", "\n1.0,1.0,1.0,AAAA\n", "\nTag=a\n",
                           "\n#[StartTime: soon]\n", "\n1.0,1.0\n"}) {
    std::istringstream in{text};
    const auto log = read_interval_log(in);
    ASSERT_FALSE(log) << text;
    EXPECT_THAT(log.error().message, testing::StartsWith("line 2: ")) << text;
  }
}

struct Output {
  int status = -1;
  std::string text;
};

Output run(const std::string& command) {
  Output output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> chunk{};
  while (const std::size_t n = fread(chunk.data(), 1, chunk.size(), pipe)) {
    output.text.append(chunk.data(), n);
  }
  output.status = pclose(pipe);
  return output;
}

std::string expected_reading() {
  std::string text;
  for (const auto& interval : intervals()) {
    text +=
        fmt::format("{} {} 1000 {}\n", interval.tag,
                    1'760'000'000'250 + interval.start_seconds * 1000, interval.histogram.count());
    for (const auto& p : percentiles()) {
      text += fmt::format("{} {}\n", p, interval.histogram.value_at_percentile(std::stod(p)));
    }
  }
  return text;
}

TEST(IntervalLog, hdr_histogram_js_agrees_on_every_percentile) {
  const base::test::TemporaryDirectory directory;
  const auto log = directory.write("run.hlog", written()).string();
  const auto wanted =
      directory.write("percentiles", fmt::format("{}", fmt::join(percentiles(), "\n"))).string();
  const auto output =
      run(fmt::format("node {}/loadgen/tests/read_hlog.mjs {} {}", places::source(), log, wanted));
  ASSERT_EQ(output.status, 0) << "node and `npm ci` in e2e/ are needed:\n" << output.text;
  EXPECT_EQ(output.text, expected_reading());
}

}  // namespace
}  // namespace hallmark::loadgen
