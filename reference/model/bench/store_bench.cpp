// The cost of one operation with ten thousand and with a million keys of mixed TTLs.
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "reference/model/records/store.hpp"

namespace hallmark::model {
namespace {

constexpr Moment start{1'000'000'000'000'000, 0};

std::vector<std::string> make_keys(std::size_t count) {
  std::vector<std::string> keys;
  keys.reserve(count);
  for (std::size_t i = 0; i < count; ++i) keys.push_back("key:" + std::to_string(i));
  return keys;
}

/// A TTL between a nanosecond and weeks, each unit as likely as the others.
struct MixedTtl {
  std::mt19937_64 random{11};
  TtlUnit unit() { return static_cast<TtlUnit>(1 + random() % 6); }
  std::uint64_t amount() { return 1 + random() % 1'000; }
};

struct Filled {
  explicit Filled(std::size_t count) : keys(make_keys(count)), order(count) {
    for (std::size_t i = 0; i < count; ++i) {
      store.insert(start, keys[i], 10, ttl.unit(), ttl.amount());
      order[i] = static_cast<std::uint32_t>(ttl.random() % count);
    }
  }

  const std::string& next_key() { return keys[order[position++ % order.size()]]; }

  Store store{StoreOptions{.value_bytes = 8}};
  MixedTtl ttl;
  std::vector<std::string> keys;
  std::vector<std::uint32_t> order;
  std::size_t position = 0;
};

void insert(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const auto keys = make_keys(count);
  for (auto _ : state) {
    state.PauseTiming();
    auto store = std::make_unique<Store>(StoreOptions{.value_bytes = 8});
    MixedTtl ttl;
    state.ResumeTiming();
    for (const auto& key : keys) store->insert(start, key, 10, ttl.unit(), ttl.amount());
    state.PauseTiming();
    store.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(count) * state.iterations());
}

void query(benchmark::State& state) {
  Filled filled(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(filled.store.query(start, filled.next_key()));
  state.SetItemsProcessed(state.iterations());
}

void update_quota(benchmark::State& state) {
  Filled filled(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        filled.store.update(start, filled.next_key(), Attribute::quota, Change::increase, 1));
  }
  state.SetItemsProcessed(state.iterations());
}

void update_ttl(benchmark::State& state) {
  Filled filled(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(filled.store.update(start, filled.next_key(), Attribute::ttl,
                                                 Change::patch, filled.ttl.amount()));
  }
  state.SetItemsProcessed(state.iterations());
}

/// Everything expires while keys are inserted again: each iteration pays for reclaiming and
/// inserting.
void expire_and_insert(benchmark::State& state) {
  Filled filled(static_cast<std::size_t>(state.range(0)));
  Moment now = start;
  std::size_t i = 0;
  for (auto _ : state) {
    now.now += 1'000'000'000;
    benchmark::DoNotOptimize(
        filled.store.insert(now, filled.keys[i], 10, filled.ttl.unit(), filled.ttl.amount()));
    i = (i + 1) % filled.keys.size();
  }
  state.SetItemsProcessed(state.iterations());
}

/// The longest single operation when all keys expire in the same nanosecond.
void first_operation_after_mass_expiry(benchmark::State& state) {
  const auto keys = make_keys(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    auto store = std::make_unique<Store>(StoreOptions{.value_bytes = 8});
    for (const auto& key : keys) store->insert(start, key, 10, TtlUnit::seconds, 1);
    const Moment end{start.now + span_of(TtlUnit::seconds, 1), 0};
    state.ResumeTiming();
    benchmark::DoNotOptimize(store->query(end, keys.back()));
    state.PauseTiming();
    store.reset();
    state.ResumeTiming();
  }
}

BENCHMARK(insert)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(query)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(update_quota)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(update_ttl)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(expire_and_insert)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(first_operation_after_mass_expiry)->Arg(10'000)->Arg(1'000'000)->Iterations(20);

}  // namespace
}  // namespace hallmark::model
