#pragma once
#include <string>
#include <vector>

#include "base/nanoseconds.hpp"
#include "distributed/gathered_run.hpp"
#include "loadgen/results/run_record.hpp"
#include "loadgen/results/tally_codec.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::distributed::test {

/// The load of one rank as a test makes it up: a part of the mix, and so many requests a second.
struct LoadOfRank {
  static constexpr std::uint64_t per_second = 10;

  std::vector<std::string> names{"query"};
  loadgen::LoadOptions options = made();

  /// A whole second. `in_flight`: requests that have no reply in it.
  Second second(std::uint64_t number, std::uint64_t in_flight = 0) const {
    return told(number, base::second_ns, per_second, per_second - in_flight);
  }
  /// Half a second in which replies come to requests of the second before.
  Second late_replies(std::uint64_t number, std::uint64_t replies) const {
    return told(number, base::second_ns / 2, 0, replies);
  }

  /// The result without what its tallies say.
  reports::LoadResult finished(std::uint64_t seconds) const {
    reports::LoadResult result;
    loadgen::describe(options, result);
    result.header.duration = std::chrono::seconds(seconds);
    result.client.emplace();
    return result;
  }

 private:
  static loadgen::LoadOptions made() {
    loadgen::LoadOptions options{
        .target_text = "tcp://127.0.0.1:9",
        .target = *base::parse_endpoint<loadgen::Target>("tcp://127.0.0.1:9"),
        .workload = {
            .readings = protocol::Readings{protocol::throttr_7_1, protocol::Profile::deployed},
            .width = protocol::Width::u16,
            .mix = "query=1"}};
    options.rate = 10;
    return options;
  }

  static Second told(std::uint64_t number, std::int64_t length_ns, std::uint64_t planned,
                     std::uint64_t completed) {
    loadgen::Tally tally(1);
    tally.parts[0].plan(planned);
    tally.parts[0].complete({.planned_ns = 0, .sent_ns = 0}, 1'000, completed);
    tally.send_lag.record(1, completed);
    tally.sent = planned;
    return {number, static_cast<std::uint64_t>(length_ns), loadgen::encode(tally)};
  }
};

}  // namespace hallmark::distributed::test
