#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <vector>

#include "loadgen/drivers/stream/connection.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::loadgen {
namespace {

constexpr std::uint64_t connections = 64;
constexpr std::uint64_t depth = 64;

struct Format {
  const protocol::Dialect& dialect;
  protocol::Width width;
};

Requests queries(const Format& format) {
  return Requests::make({.readings = {format.dialect, protocol::Profile::deployed},
                         .width = format.width,
                         .mix = "query=1"})
      .value();
}

/// The replies to a batch. Each begins with its id, if it has one.
base::Bytes replies_to_batch(const Format& format, const Expectation& expected) {
  const protocol::Readings readings(format.dialect, protocol::Profile::deployed);
  const auto& query = *protocol::find_operation(format.dialect, "QUERY");
  const auto layout = protocol::Layout::reply(query, format.width, readings);
  protocol::Record record;
  for (const auto& fields : {query.reply.fields, query.reply.on_success}) {
    for (const protocol::Field& field : fields)
      if (layout.present(field)) record.set(field.name, std::uint64_t{1});
  }
  record.set("ttl_type", expected.ttl_type);
  const auto one = protocol::encode(layout, record).value();
  base::Bytes all;
  for (std::uint64_t i = 0; i < depth; ++i) all.insert(all.end(), one.begin(), one.end());
  return all;
}

/// A closed loop without a system: what a client computes for each request, once it is sent and
/// its reply is read.
void closed_loop(benchmark::State& state, const Format& format) {
  const Requests requests = queries(format);
  const bool has_ids = requests.parts()[0].repeats_id;
  base::Bytes replies = replies_to_batch(format, requests.parts()[0].usual.expected);
  const std::size_t reply_bytes = replies.size() / depth;
  Tally tally(1, false, false);
  std::vector<Connection> all;
  for (std::uint32_t i = 0; i < connections; ++i)
    all.emplace_back(ConnectionPlan{.requests = &requests, .open_loop = false}, i);
  std::uint64_t batch = 0;
  for (auto _ : state) {
    const std::uint64_t index = batch % connections + batch / connections * depth * connections;
    Connection& connection = all[batch++ % connections];
    const auto now_ns = static_cast<std::int64_t>(batch * 1'000);
    connection.fill({.index = index, .planned_ns = now_ns}, connections, depth, tally);
    connection.stamp(now_ns, false, tally);
    connection.sent(connection.unsent().size());
    for (std::uint64_t i = 0; has_ids && i < depth; ++i) {
      const std::uint32_t id = Requests::id_of(index + i * connections);
      std::memcpy(replies.data() + i * reply_bytes, &id, sizeof id);
    }
    benchmark::DoNotOptimize(connection.receive(replies, {.read_ns = now_ns + 500'000}, tally));
  }
  if (tally.total().completed != batch * depth) state.SkipWithError("replies were not taken");
  state.SetItemsProcessed(static_cast<std::int64_t>(batch * depth));
}
BENCHMARK_CAPTURE(closed_loop, throttr_7_1, Format{protocol::throttr_7_1, protocol::Width::u16});
BENCHMARK_CAPTURE(closed_loop, throttr_7_3, Format{protocol::throttr_7_3, protocol::Width::u16});
BENCHMARK_CAPTURE(closed_loop, throttr_2_0, Format{protocol::throttr_2_0, protocol::Width::u64});

}  // namespace
}  // namespace hallmark::loadgen
