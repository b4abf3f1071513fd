#include <benchmark/benchmark.h>

#include <array>

#include "loadgen/arrivals/random_stream.hpp"
#include "loadgen/histogram/histogram.hpp"

namespace {

using hallmark::base::CounterRandom;
using hallmark::loadgen::Histogram;
using hallmark::loadgen::RandomStream;

// Durations as a run brings them: most between 10 us and 1 ms, drawn before the clock runs.
std::array<std::uint64_t, 4096> durations() {
  std::array<std::uint64_t, 4096> values{};
  const CounterRandom random{1, RandomStream::value};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 10'000 + random.below_at(i, 990'000);
  return values;
}

void histogram_record(benchmark::State& state) {
  const auto values = durations();
  Histogram histogram;
  std::size_t i = 0;
  for (auto _ : state) {
    histogram.record(values[i++ % values.size()]);
    benchmark::ClobberMemory();
  }
  benchmark::DoNotOptimize(histogram.max());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(histogram_record);

void histogram_add(benchmark::State& state) {
  const auto values = durations();
  Histogram interval;
  for (const auto value : values) interval.record(value);
  Histogram total;
  for (auto _ : state) total.add(interval);
  benchmark::DoNotOptimize(total.count());
}
BENCHMARK(histogram_add);

}  // namespace
