#include <benchmark/benchmark.h>

#include "oracle/tests/record_histories.hpp"

namespace hallmark::oracle {
namespace {

/// 16 clients on one counter, as fast as they can: 10,000 operations, by amounts of 1 to so many.
RecordHistory busy(const benchmark::State& state) {
  return testing::busy_counter(1, 10'000, 16, static_cast<std::uint64_t>(state.range(0)));
}

void expect(benchmark::State& state, const HistoryFinding& found, HistoryVerdict verdict) {
  if (found.verdict != verdict) state.SkipWithError("another verdict was expected");
  state.counters["steps"] = static_cast<double>(found.steps);
}

void check_counter(benchmark::State& state) {
  const RecordHistory history = busy(state);
  const LinearizabilityChecker checker({});
  for (auto _ : state) expect(state, checker.check(history), HistoryVerdict::linearizable);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(history.size()));
}
BENCHMARK(check_counter)->Arg(1)->Arg(5)->Unit(benchmark::kMillisecond);

/// One query in the middle told what nobody can have been told.
void find_violation(benchmark::State& state) {
  RecordHistory history = busy(state);
  auto told = history.begin() + 5'000;
  while (!told->told) ++told;
  *told->told += 100;
  const LinearizabilityChecker checker({});
  for (auto _ : state) expect(state, checker.check(history), HistoryVerdict::violated);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(history.size()));
}
BENCHMARK(find_violation)->Arg(1)->Unit(benchmark::kMillisecond);

/// A million operations on a hundred keys.
void check_keys(benchmark::State& state) {
  RecordHistory history;
  for (std::uint32_t key = 0; key < 100; ++key) {
    for (RecordOperation operation : testing::busy_counter(key, 10'000, 16, 1)) {
      operation.key = key;
      history.push_back(operation);
    }
  }
  const LinearizabilityChecker checker({});
  for (auto _ : state) {
    for (const HistoryFinding& found : checker.check_keys(history))
      expect(state, found, HistoryVerdict::linearizable);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(history.size()));
}
BENCHMARK(check_keys)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hallmark::oracle
