// Adds the results of many ranks as rank 0 does, each with histograms whose buckets are all in use:
// `hallmark_reduction_bench [RANKS]` prints how long that takes and how much memory it needs beside
// one sum and one message. Processor time counts: others may use the machine, too. Exit code 1
// where either is more than is promised.

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <ctime>

#include "loadgen/results/tally_codec.hpp"

namespace hallmark::distributed {
namespace {

using loadgen::Histogram;
using loadgen::Tally;

constexpr std::size_t parts = 3;
constexpr std::size_t usual_ranks = 1000;
constexpr double most_seconds = 2;

/// A rank's report in which each bucket of each histogram holds something.
Tally full_tally(std::uint64_t seed) {
  Tally tally(parts);
  for (loadgen::Ledger& part : tally.parts) {
    loadgen::CensoredHistogram latency;
    for (std::size_t i = 0; i < Histogram::bucket_count(); ++i)
      latency.record(Histogram::lowest_value_at(i), 1 + (i * 2'654'435'761U + seed) % 1000);
    const std::uint64_t count = latency.count();
    part.add({.planned = count, .completed = count}, 0, latency, latency);
  }
  for (std::size_t i = 0; i < Histogram::bucket_count(); ++i)
    tally.send_lag.record(Histogram::lowest_value_at(i), 1 + (i + seed) % 100);
  return tally;
}

std::uint64_t peak_memory_bytes() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return static_cast<std::uint64_t>(use.ru_maxrss) * 1024;
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

int measure(std::size_t ranks) {
  // Ranks encode for themselves; two that differ stand for all.
  const base::Bytes messages[] = {encode(full_tally(1)), encode(full_tally(2))};
  Tally sum(parts);
  if (!add_encoded(messages[0], sum)) return EXIT_FAILURE;  // memory of one, and of the sum
  const std::uint64_t before = peak_memory_bytes();
  const double started = processor_seconds();
  for (std::size_t rank = 1; rank < ranks; ++rank) {
    if (!add_encoded(messages[rank % 2], sum)) return EXIT_FAILURE;
  }
  const double took = processor_seconds() - started;
  const std::uint64_t more = peak_memory_bytes() - before;
  fmt::print("{{\"ranks\": {}, \"message_bytes\": {}, \"seconds\": {:.3f}, \"more_bytes\": {}}}\n",
             ranks, messages[0].size(), took, more);
  return took < most_seconds && more < messages[0].size() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace hallmark::distributed

int main(int argc, char** argv) {
  return hallmark::distributed::measure(argc > 1 ? std::strtoul(argv[1], nullptr, 10)
                                                 : hallmark::distributed::usual_ranks);
}
