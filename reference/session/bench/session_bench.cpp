// The cost of a request inside the server: decode, model, encode. No sockets.
#include <benchmark/benchmark.h>

#include "base/hex.hpp"
#include "protocol/dialects.hpp"
#include "reference/session/session.hpp"

namespace hallmark::server {
namespace {

constexpr int depth = 64;

struct Bench {
  protocol::Readings readings{protocol::throttr_7_1, protocol::Profile::deployed};
  model::Model model{model::ModelOptions{.started_at = 1}};
  SessionContext context{model, readings};
  std::unique_ptr<Session> session{
      make_session(protocol::Width::u16, context, *model.open(model::Peer{}))};
  protocol::ByteBuffer in;
  protocol::ByteBuffer out;
  std::vector<Delivery> deliveries;

  void answer(const base::Bytes& requests) {
    in.append(requests);
    benchmark::DoNotOptimize(session->process(in, out, deliveries));
    out.clear();
  }
};

base::Bytes repeated(std::string_view hex) {
  const base::Bytes one = base::from_hex(hex).value();
  base::Bytes all;
  for (int i = 0; i < depth; ++i) all.insert(all.end(), one.begin(), one.end());
  return all;
}

/// A batch of one request over and over, as one read of a pipelining client brings it.
void batch(benchmark::State& state, const char* hex) {
  Bench bench;
  bench.answer(base::from_hex("01 0a00 06 e803 07 6b65793a303031").value());
  bench.answer(base::from_hex("05 06 e803 03 0400 627566 45484c4f").value());
  const base::Bytes requests = repeated(hex);
  for (auto _ : state) bench.answer(requests);
  state.SetItemsProcessed(state.iterations() * depth);
}

BENCHMARK_CAPTURE(batch, query, "02 07 6b65793a303031");
BENCHMARK_CAPTURE(batch, query_missing, "02 07 6b65793a303032");
BENCHMARK_CAPTURE(batch, update_quota, "03 00 00 0500 07 6b65793a303031");
BENCHMARK_CAPTURE(batch, update_ttl, "03 01 00 e803 07 6b65793a303031");
BENCHMARK_CAPTURE(batch, insert_existing, "01 0a00 06 e803 07 6b65793a303031");
BENCHMARK_CAPTURE(batch, insert_and_purge, "01 0a00 06 e803 01 61  04 01 61");
BENCHMARK_CAPTURE(batch, set_existing, "05 06 e803 03 0400 627566 45484c4f");
BENCHMARK_CAPTURE(batch, get, "06 03 627566");
BENCHMARK_CAPTURE(batch, info, "08");

}  // namespace
}  // namespace hallmark::server
