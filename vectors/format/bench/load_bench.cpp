#include <benchmark/benchmark.h>

#include "cmake/places/places.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::vectors {
namespace {

/// All vectors of one width, as a certify run loads them.
void load(benchmark::State& state, const char* dialect) {
  std::size_t vectors = 0;
  for (auto _ : state) {
    const auto files = load_directory(places::source("vectors"), dialect, protocol::Width::u16);
    if (files.has_error()) return state.SkipWithError(files.error().message.c_str());
    for (const VectorFile& file : *files) vectors += file.vectors.size();
  }
  state.counters["vectors"] =
      benchmark::Counter(static_cast<double>(vectors), benchmark::Counter::kAvgIterations);
}

BENCHMARK_CAPTURE(load, throttr_6_0, "throttr-6.0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load, throttr_7_1, "throttr-7.1")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hallmark::vectors
