#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "loadgen/arrivals/schedule.hpp"
#include "loadgen/drivers/store/options.hpp"
#include "loadgen/drivers/stream/requests.hpp"
#include "loadgen/drivers/stream/target.hpp"
#include "protocol/rules/ratelimit_rules.hpp"
#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

class CounterLedger;
struct Observation;
struct Tally;

/// The options that only a target of datagrams has.
struct DatagramOptions {
  std::vector<std::string> key_patterns = {};  ///< `ws ip={}`; none: after the rules, or a prefix
  /// The rules of the target, for the limit oracle; null: limits are not judged.
  std::shared_ptr<const protocol::ratelimit::Rules> rules = {};
  std::string rules_name = {};
  bool over_when_known = false;  ///< false: what is wrong under both answers is wrong
  std::uint64_t receive_buffer = std::uint64_t{4} << 20;  ///< bytes to ask for, of each socket
};

/// One of several processes that are one run together: the same requests are sent at the same
/// times, whichever process sends them. It has the connections c with c mod `of` = `number`.
struct Share {
  std::uint32_t number = 0;  ///< the one with 0 stores the keys before the run, and removes them
  std::uint32_t of = 1;
  std::chrono::system_clock::time_point start = {};  ///< of all of them
  /// The same for all shares, and of no other run: keys over datagrams are made of it.
  std::uint64_t nonce = 0;
  /// Called when every request of this process has ended. In process 0 it returns when those of all
  /// others have, too: the keys are removed then. Empty: a timeout later.
  std::function<void()> ended = {};
  /// Takes what loop `own` observed of the watched keys, and that all it observes from now on was
  /// sent at `complete_ns` or later. Empty: no key is watched, as others ask for them, too.
  std::function<void(std::uint32_t own, std::span<const Observation>, std::int64_t complete_ns)>
      observed = {};
  /// Takes by how much this process moved the counters, once all its requests have ended. Empty:
  /// counters are not judged, as others move them, too.
  std::function<void(const CounterLedger&)> moved = {};
  /// Adds by how much the others moved the counters; process 0 calls it after `ended`. Returns
  /// false if one of them did not tell.
  std::function<bool(CounterLedger&)> add_moved = {};
};

/// Connections that are replaced while a run lasts, as those of clients that come and go.
struct Churn {
  std::uint64_t requests = 0;  ///< of a connection, after which it is replaced; 0: no matter
  double per_second = 0;       ///< replaced of all, one after the other; 0: none
};

/// A load run as a user asks for it.
struct LoadOptions {
  std::string target_text = {};
  Target target;
  Workload workload;
  /// The profile with which the report compares the readings of the workload.
  protocol::Profile profile = protocol::Profile::deployed;
  bool closed = false;
  std::uint32_t depth = 1;  ///< of the closed loop: requests in flight per connection
  /// The rate of all connections of the open loop, from the start of the measured part. The warm-up
  /// has the rate with which this begins.
  RateProfile rate = 1000;
  Arrivals arrivals = Arrivals::constant;
  std::shared_ptr<const ArrivalTimes> times = {};  ///< of a replay, which has no warm-up
  std::string times_name = {};                     ///< the file that they are from
  std::uint32_t connections = 1;                   ///< of all shares
  std::uint32_t threads = 1;                       ///< at most one per connection is used
  std::optional<Share> share = {};
  std::chrono::nanoseconds duration = std::chrono::seconds(10);  ///< measured, after the warm-up
  std::chrono::nanoseconds warmup{};
  std::chrono::nanoseconds timeout = std::chrono::seconds(1);
  DatagramOptions datagram = {};
  /// Instead of a target: limiters whose states are in a store. Each connection has a thread.
  std::optional<store::StoreOptions> store = {};
  /// 99 % of the requests of an open loop are to leave within so much of their plan: else its
  /// numbers are the client's.
  std::chrono::nanoseconds lag_bound = std::chrono::milliseconds(1);
  Churn churn = {};  ///< of streams
  std::uint32_t watched =
      16;               ///< keys of each kind whose histories are judged, of streams; 0: none
  bool staged = false;  ///< of TCP: where the time of each request went
  /// Stop cleanly on SIGINT and SIGTERM; a second one ends the wait for replies, too.
  bool handle_signals = true;
  /// Once it is requested, from any thread, nothing more is planned. What is in flight is waited
  /// for, and the result has all that was measured.
  std::stop_token stop = {};
  /// The client's own addresses, of which connection c has number c mod size; none: the system
  /// chooses one.
  std::vector<std::string> sources = {};
  std::uint64_t most_in_flight = 0;  ///< per connection, of an open loop; 0: no limit of this kind
  bool pinned = false;      ///< thread i stays on the i-th processor that this process may use
  bool spinning = false;    ///< threads never sleep
  std::string run_id = {};  ///< the same for all shares; empty: one is derived
};

/// The functions that a run calls while it lasts, on the thread of run_load. All may be empty.
struct LoadOutputs {
  /// Called once a second.
  std::function<void(const reports::SecondSample&)> second;
  /// HdrHistogram interval log: per second and operation the corrected distribution, tagged with
  /// the operation, and the uncorrected one, tagged with it and `.service`.
  std::function<void(std::string_view)> interval_log;
  /// Called once everything is connected, before the first request is planned: a run of several
  /// processes waits here for the others. The result is when its time begins; nothing: it ends
  /// without a request. Empty: at the start of its share, or at once.
  std::function<std::optional<std::chrono::steady_clock::time_point>()> connected = {};
  /// All that was counted in the measured part, once nothing more is.
  std::function<void(const Tally&)> counted = {};
  /// Called once a second, too: what was counted in it, with the names of its parts.
  std::function<void(std::span<const std::string> names, const Tally& second)> operations = {};
  /// All that was counted in a second of the measured part, which lasted `length_s`: less than 1
  /// of the last one. Called of every second, also where nothing was counted.
  std::function<void(std::uint64_t second, double length_s, const Tally& counted)> tallied = {};
};

/// Runs to the end. What went wrong is in the result: `run_error` when the target cannot be reached
/// or readied, otherwise errors by kind. Errors here: the workload is not valid.
base::Result<reports::LoadResult> run_load(const LoadOptions& options, const LoadOutputs& outputs);

}  // namespace hallmark::loadgen
