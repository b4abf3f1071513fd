#pragma once
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
#include "loadgen/results/ledger.hpp"
#include "loadgen/results/stages.hpp"
#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// The publications that subscribers received. Those of the warm-up are left out.
struct Deliveries {
  std::uint64_t counted = 0;    ///< of this run
  std::uint64_t unstamped = 0;  ///< that do not say which publication they are: of others, or small
  Histogram latency;            ///< ns from the planned send of the publication

  void add(const Deliveries& other);
  void reset();
};

/// Everything a worker counts between two reports. It begins a cache line: each thread writes to
/// its own all the time.
struct alignas(64) Tally {
  /// Makes a tally for `count` parts of a mix. `staged`: keeps the times of stages as well.
  explicit Tally(std::size_t count, bool staged = false, bool open_loop = true);

  /// Counts an error, which need not be that of a request; the first `example` of each kind is
  /// kept.
  void fail(Failure failure, std::string_view example = {});

  /// A request of a part ends without its right reply: an entry in the ledger, and an error.
  void lose(std::size_t part, Failure why, std::string_view example, const RequestTimes& request,
            std::int64_t until_ns);

  /// The end of planning in this tally.
  void plan_until(std::int64_t end_ns) noexcept;

  void add(const Tally& other);
  void reset();
  reports::LoadCounts total() const;
  std::uint64_t drained() const;  ///< of those completed: after the last request was planned

  std::vector<Ledger> parts;
  std::array<std::uint64_t, failure_kinds> failures{};
  std::array<std::string, failure_kinds> examples;
  Slowest slowest;
  Deliveries delivered;
  std::unique_ptr<StageTimes> stages;            ///< null: nobody asked
  std::vector<Observation> observed;             ///< of the keys that are watched; not added up
  std::int64_t unobserved_since_ns = INT64_MAX;  ///< those missing were sent from then on
  Histogram send_lag;                            ///< ns from the planned to the actual send
  std::uint64_t client_late = 0;  ///< left later than the bound, and not held up by the target
  std::uint64_t sent = 0;
  std::uint64_t bytes_out = 0, bytes_in = 0;
  std::uint64_t writes = 0, reads = 0;  ///< system calls
  std::uint64_t deliveries = 0;         ///< messages nobody asked for
  std::uint64_t late_replies = 0;       ///< came after their request had timed out
  std::uint64_t reconnects = 0;         ///< connections that were lost and opened again
};

}  // namespace hallmark::loadgen
