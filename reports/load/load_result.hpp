#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/load/datagram_load.hpp"
#include "reports/load/latency.hpp"
#include "reports/load/load_client.hpp"
#include "reports/load/load_connections.hpp"
#include "reports/load/load_identity.hpp"
#include "reports/load/load_spread.hpp"
#include "reports/load/load_tail.hpp"
#include "reports/load/record_load.hpp"
#include "reports/load/store_load.hpp"
#include "reports/result.hpp"

namespace hallmark::reports {

enum class LoopKind { open, closed };

/// The ends of the planned requests: planned = completed + timed_out + shed + failed.
struct LoadCounts {
  std::uint64_t planned = 0;
  std::uint64_t completed = 0;  ///< answered, decoded and as the protocol says
  std::uint64_t timed_out = 0;
  std::uint64_t shed = 0;    ///< never sent by the client's own fault
  std::uint64_t failed = 0;  ///< malformed or unexpected reply, connection lost or clogged
  bool balanced() const { return planned == completed + timed_out + shed + failed; }
  bool operator==(const LoadCounts&) const = default;
};

struct OperationLoad {
  std::string operation;
  LoadCounts counts;
  Latency corrected;    ///< from the planned send: what a user waits (response time)
  Latency uncorrected;  ///< from the actual send: what the server takes (service time)
  bool operator==(const OperationLoad&) const = default;
};

struct ErrorKind {
  std::string kind;  ///< "timeout", "unexpected reply", "connection reset"
  std::uint64_t count = 0;
  std::string example;  ///< one line
  bool operator==(const ErrorKind&) const = default;
};

/// One second of the run, or several of a long one; latencies are corrected ones, in nanoseconds.
struct SecondSample {
  std::uint64_t second = 0;  ///< the first, since the start of the measured part
  std::uint64_t sent = 0, completed = 0, errors = 0;
  Quantile p50 = 0, p99 = 0, max = 0;
  double length_s = 1;  ///< seconds
  /// The histograms of all operations in the form of a Latency: one of the replies, and one of the
  /// waits of requests without a reply. Empty where there are none.
  std::string histogram = {};
  std::string censored = {};
  std::uint64_t drained = 0;     ///< of those completed: after the last request was planned
  std::uint64_t reconnects = 0;  ///< connections that were lost, now or before, and opened again
  bool operator==(const SecondSample&) const = default;
};

/// The outcome of one objective (reports/load/slo.hpp).
struct ObjectiveOutcome {
  std::string objective;           ///< as it was given
  std::string metric;              ///< the metric that it bounds
  std::optional<double> measured;  ///< ns, a share, or requests per second; not measured: nothing
  std::string shown;               ///< the same for people
  Met met = Met::unknown;
  bool at_least = false;  ///< `measured` is a lower bound: requests without a reply lie there
  bool proven = false;    ///< missed by what the target did: no delay of the client excuses it
  bool operator==(const ObjectiveOutcome&) const = default;
};

/// The part of one rank in a run of several.
struct RankLoad {
  std::uint64_t rank = 0;
  std::string host;
  LoadCounts counts;
  double rate_achieved = 0;  ///< requests per second
  /// From the planned send; none of a rank that was lost. Its histograms are in steps of 6 %, and
  /// empty if there are many ranks.
  Latency latency;
  double clock_offset_ns = 0;  ///< its time of day is ahead of that of rank 0 by so much,
  double clock_bound_ns = 0;   ///< give or take
  bool lost = false;           ///< it died: the counts are those that it had told
  bool operator==(const RankLoad&) const = default;
};

/// The result of one load run.
struct LoadResult {
  RunHeader header;
  LoopKind loop = LoopKind::open;
  std::uint64_t depth = 0;           ///< requests in flight per connection; 0 in an open loop
  std::optional<double> rate_asked;  ///< requests per second; none in a closed loop
  double rate_achieved = 0;  ///< completed while requests were planned, per second of that time
  LoadCounts counts;
  Latency corrected;
  Latency uncorrected;
  Latency send_lag;  ///< from the planned to the actual send; empty in a closed loop
  std::vector<OperationLoad> operations;
  std::vector<ErrorKind> errors;
  std::uint64_t bytes_out = 0, bytes_in = 0;
  double cpu_user_seconds = 0, cpu_system_seconds = 0;  ///< of the client
  double requests_per_write = 0, replies_per_read = 0;
  bool interrupted = false;
  std::string inconclusive;  ///< one line: why these numbers show the client, not the target
  std::string run_error;     ///< one line; target unreachable, harness broken; else empty
  std::string aborted;       ///< one line: the condition that ended the run early; else empty
  std::vector<ObjectiveOutcome> objectives;  ///< that were set for the run
  std::vector<SecondSample> series;
  std::vector<SlowRequestFacts> slowest;  ///< of those completed, the slowest first
  std::optional<StageLatencies> stages;   ///< if they were asked for
  std::optional<ConnectionFacts> connections;
  std::optional<FanOut> fan_out;
  std::optional<RecordChecks> records;   ///< the checks of records; of streams
  std::optional<LoadClient> client;      ///< the client's effect on these numbers
  std::optional<DatagramLoad> datagram;  ///< of a target that speaks datagrams
  std::optional<StoreLoad> store;        ///< of limiters whose states are in a store
  std::vector<MetricSpread> spread;      ///< of runs one after the other that were merged
  std::vector<RankLoad> ranks;           ///< of a run of several, by rank
  std::optional<RunIdentity> run;        ///< absent where runs one after the other were merged
  bool operator==(const LoadResult&) const = default;
};

/// 3 when nothing completed or the counts do not add up, 1 when requests failed or timed out and no
/// objective says how many may, when an objective was not met, or when records, limits or the
/// target's own counts were shown to be wrong; 4 when the run was inconclusive, interrupted or
/// aborted, or an objective is about what is not known. What the target did itself fails an
/// inconclusive run.
ExitCode exit_code(const LoadResult& result);

std::string_view name_of(LoopKind kind);  ///< "open", "closed"

}  // namespace hallmark::reports
