#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loadgen/drivers/stream/requests.hpp"
#include "loadgen/judge/counter_ledger.hpp"
#include "loadgen/judge/insert_ledger.hpp"
#include "loadgen/judge/observation.hpp"
#include "loadgen/judge/watched_keys.hpp"
#include "oracle/history_drawing.hpp"
#include "oracle/history_stream.hpp"
#include "reports/load/record_load.hpp"

namespace hallmark::loadgen {

/// Judges what the requests of a run were told of records while the run goes on: the history of
/// each watched key has to have an order of its requests that explains every reply
/// (oracle/linearizability.hpp). Called by one thread.
class RecordJudge {
 public:
  /// `requests` and `watched` outlive it. `workers`: so many tell what they observed.
  RecordJudge(const Requests& requests, WatchedKeys& watched, std::uint32_t workers);

  /// Takes what a worker has observed since its last call. All that it observes from now on was
  /// sent at `complete_ns` or later. Judges what is known by now.
  void take(std::uint32_t worker, std::span<const Observation> observed, std::int64_t complete_ns);

  /// Judges the rest: nothing is observed any more. `complete_ns`: requests that were sent from
  /// then on are not known in full.
  void finish(std::int64_t complete_ns = oracle::never_ns);

  /// Takes the findings about the INSERTs of all keys that are not watched.
  void take_inserts(const InsertLedger::Findings& findings);

  /// Takes the quota of a counter at the end of the run, as a QUERY told it. Empty: the counter is
  /// gone. If the readings say that quotas wrap or stop at the ends of their range, counters that
  /// may have come there are not judged.
  void read_back(const CounterLedger& ledger, std::uint32_t key,
                 std::optional<std::uint64_t> quota);

  /// The findings. Violations are described with what was sent and received.
  reports::RecordChecks checks() const;

 private:
  /// The history of one watched key.
  struct Watched {
    oracle::HistoryStream stream;
    std::vector<Observation> observed =
        {};  ///< of what is not judged yet, and what changed it last …
    std::vector<std::uint64_t> labels = {};  ///< … and their labels, ascending
    std::uint64_t next_label = 0;
    bool told = false;  ///< a violation is described once
  };

  oracle::RecordOperation operation_of(const Observation& observation) const;
  void judge(std::int64_t complete_ns);
  void settle(std::size_t slot, std::size_t judged);
  static const Observation& observed(const Watched& key, std::uint64_t label);
  void describe(std::size_t slot);
  /// `observed`: what the labels of the operations stand for.
  reports::RecordViolation violation_of(
      const oracle::SmallHistory& small,
      const std::function<const Observation&(std::uint64_t label)>& observed) const;
  reports::RecordExchange exchange_of(const Observation& observation) const;
  oracle::HistoryNames names() const;

  static constexpr std::size_t most_described = 8;
  static constexpr std::size_t most_drawn = 90;  ///< columns

  const Requests& requests_;
  WatchedKeys& watched_;
  oracle::RecordRules rules_;
  bool ends_refuse_;  ///< a move out of the range of quotas is refused, and moves nothing
  oracle::LinearizabilityChecker checker_;
  std::vector<Watched> keys_;              ///< by slot
  std::vector<std::int64_t> complete_ns_;  ///< by worker
  reports::RecordChecks checks_;
};

}  // namespace hallmark::loadgen
