#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loadgen/histogram/histogram.hpp"
#include "loadgen/histogram/slowest.hpp"
#include "loadgen/judge/observation.hpp"
#include "loadgen/results/stages.hpp"
#include "reports/load_result.hpp"

namespace hallmark::loadgen {

/// Why a request ended without the reply it should have had.
enum class Failure : std::uint8_t {
  timeout,           ///< no reply within the timeout, counted from the planned send
  late,              ///< shed: its timeout was over before the client came to it
  backlog,           ///< shed: too much waits on its connection already
  no_connection,     ///< due while its connection was down
  refused,           ///< the target refused a connection
  reset,             ///< the connection was reset while it waited
  closed,            ///< the target closed the connection while it waited
  connection_error,  ///< any other error of the connection
  malformed,         ///< the reply is not what the dialect says
  wrong_status,      ///< a status of failure where the workload made sure of success
  wrong_content,     ///< well formed, but not what was stored
  wrong_id,          ///< the reply does not repeat the id of the request whose reply was due
  unexpected_bytes,  ///< bytes with no request waiting
  foreign_value,     ///< a value that no request of the run can have written there
  not_sent,          ///< the system refused to send the datagram
  abandoned,         ///< in flight behind a reply that made the connection unusable
  conflict,          ///< of a store: every attempt met with a conflict
  bad_state,         ///< of a store: what it holds is no state of the limiter
  store_refused,     ///< of a store: it refused a read or a write
};
constexpr std::size_t failure_kinds = 19;

std::string_view name_of(Failure failure);

/// Censored samples: all that is known of these requests is that each took longer than `beyond_ns`.
struct Unanswered {
  std::uint64_t count = 0;
  std::uint64_t beyond_ns = UINT64_MAX;

  void record(std::uint64_t longer_than_ns) {
    ++count;
    beyond_ns = std::min(beyond_ns, longer_than_ns);
  }
  void add(const Unanswered& other) {
    count += other.count;
    beyond_ns = std::min(beyond_ns, other.beyond_ns);
  }
};

/// What subscribers received. Publications of the warm-up are left out.
struct Deliveries {
  std::uint64_t counted = 0;    ///< of this run
  std::uint64_t unstamped = 0;  ///< that do not say which publication they are: of others, or small
  Histogram latency;            ///< ns from the planned send of the publication

  void add(const Deliveries& other);
  void reset();
};

/// What became of the requests of one part of the mix, and how long they took.
struct PartTally {
  reports::LoadCounts counts;
  Histogram corrected;    ///< ns from the planned send to the reply
  Histogram uncorrected;  ///< ns from the actual send to the reply
  /// Of datagrams: what was lost hides the upper quantiles.
  Unanswered corrected_lost;
  Unanswered uncorrected_lost;

  void add(const PartTally& other);
  void reset();
};

/// Everything a worker counts between two reports. Histograms are only filled for parts that exist.
struct Tally {
  /// `staged`: the times of stages are kept as well.
  explicit Tally(std::size_t count, bool staged = false)
      : parts(count), stages(staged ? std::make_unique<StageTimes>() : nullptr) {}

  void fail(Failure failure) { ++failures[static_cast<std::size_t>(failure)]; }
  /// As above; the first `example` of each kind is kept.
  void fail(Failure failure, std::string_view example);

  void add(const Tally& other);
  void reset();
  reports::LoadCounts total() const;

  std::vector<PartTally> parts;
  std::array<std::uint64_t, failure_kinds> failures{};
  std::array<std::string, failure_kinds> examples;
  Slowest slowest;
  Deliveries delivered;
  std::unique_ptr<StageTimes> stages;            ///< null: nobody asked
  std::vector<Observation> observed;             ///< of the keys that are watched; not added up
  std::int64_t unobserved_since_ns = INT64_MAX;  ///< what is not among them was sent from then on
  Histogram send_lag;                            ///< ns from the planned to the actual send
  std::uint64_t client_late = 0;  ///< left later than the bound, and not held up by the target
  std::uint64_t sent = 0;
  std::uint64_t bytes_out = 0, bytes_in = 0;
  std::uint64_t writes = 0, reads = 0;  ///< system calls
  std::uint64_t deliveries = 0;         ///< messages nobody asked for
  std::uint64_t late_replies = 0;       ///< came after their request had timed out
};

/// The sum of two counts.
reports::LoadCounts operator+(const reports::LoadCounts& a, const reports::LoadCounts& b);

}  // namespace hallmark::loadgen
