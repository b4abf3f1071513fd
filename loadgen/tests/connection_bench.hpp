#pragma once
#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "loadgen/drivers/stream/connection.hpp"
#include "loadgen/tests/replies.hpp"
#include "protocol/dialects.hpp"

/// Connections without sockets, for tests.
namespace hallmark::loadgen {

using base::Bytes;
using base::ByteView;

inline constexpr std::int64_t planned_at = 1'000;
inline constexpr std::int64_t sent_at = 1'400;
inline constexpr std::int64_t replied_at = 2'000;
inline constexpr std::int64_t timeout_ns = 100'000;

inline std::uint64_t failures(const Tally& tally, Failure failure) {
  return tally.failures[static_cast<std::size_t>(failure)];
}

/// A connection with the requests of one mix, and what it counted.
struct Bench {
  explicit Bench(const std::string& mix, bool open_loop = true)
      : Bench(workload_of(mix), open_loop) {}
  explicit Bench(const Workload& asked, bool open_loop = true)
      : workload(asked),
        requests(Requests::make(workload).value()),
        connection(plan(open_loop)),
        tally(requests.parts().size(), false, open_loop) {}

  const std::string& ask(std::uint64_t index, bool counted = true) {
    EXPECT_TRUE(connection.request({index, planned_at, counted}, tally));
    connection.stamp(sent_at, held_up, tally);
    connection.sent(connection.unsent().size());
    return requests.parts()[requests.part_of(index)].name;
  }

  /// Starts anew, without touching the megabytes of a new tally.
  void restart(std::uint64_t asked) {
    connection = Connection{plan(true)};
    tally.reset();
    for (std::uint64_t i = 0; i < asked; ++i) ask(i);
  }

  ConnectionPlan plan(bool open_loop) {
    return {.requests = &requests,
            .open_loop = open_loop,
            .timeout_ns = timeout_ns,
            .lag_bound_ns = lag_bound};
  }

  bool receive(ByteView bytes) { return connection.receive(bytes, {replied_at}, tally); }

  Workload workload;
  Requests requests;
  bool held_up = false;
  std::int64_t lag_bound = INT64_MAX;
  Connection connection;
  Tally tally;
};

inline base::Bytes operator+(base::Bytes a, const base::Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Received bytes on the heap in a piece of just their size: reading beyond them is seen.
inline bool receive_piece(Bench& bench, base::ByteView piece) {
  return bench.receive(base::Bytes(piece.begin(), piece.end()));
}

/// The reply to the request of that index, which is in flight.
inline base::Bytes reply_in(const Bench& bench, std::uint64_t index) {
  const std::string& name = bench.requests.parts()[bench.requests.part_of(index)].name;
  return reply_to(name, bench.workload, true, {{"request_id", index}});
}

inline Workload of_2_0(std::string_view order, std::string mix = "query=1,insert=1") {
  auto workload = workload_of(std::move(mix), protocol::Width::u64, protocol::throttr_2_0);
  EXPECT_TRUE(workload.readings.set("reply-order", order));
  return workload;
}

}  // namespace hallmark::loadgen
