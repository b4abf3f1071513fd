#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "loadgen/arrivals/random_stream.hpp"
#include "loadgen/arrivals/rate_profile.hpp"

namespace hallmark::loadgen {

/// The process by which requests arrive at a rate; with `replay`, they arrive at given times
/// instead.
enum class Arrivals { constant, poisson, replay };

std::string_view name_of(Arrivals arrivals);  ///< "constant", "poisson", "replay"

/// Nanoseconds from the start of a run, none before the one before it.
using ArrivalTimes = std::vector<std::int64_t>;

/// An open loop: requests arrive whatever the server does.
struct SchedulePlan {
  Arrivals arrivals = Arrivals::constant;
  /// The rate over the whole run; not used by `replay`.
  RateProfile rate = 1;
  /// Only requests planned before this many nanoseconds belong to the run.
  std::int64_t duration_ns = 0;
  std::uint32_t connections = 1;
  std::uint64_t seed = 0;
  std::shared_ptr<const ArrivalTimes> times = {};  ///< of `replay`
};

/// One request of the run.
struct Planned {
  /// Position in the whole run, from 0.
  std::uint64_t index = 0;
  /// When it is to be sent, nanoseconds from the start of the run.
  std::int64_t at_ns = 0;
  std::uint32_t connection = 0;
  std::uint64_t ordinal = 0;  ///< the number of requests of its share that were planned before it
};

/// The planned send times, in order. Request i goes to connection i mod connections. Constant
/// arrivals and those of a replay take the connections in turn: no two share a phase. Poisson
/// arrivals are a Poisson process on each connection, and so all together: request i is then number
/// i / connections of its connection. Time is an argument: nothing here reads a clock.
///
/// A schedule yields the requests of the connections c with c mod stride = offset; times, indices
/// and connections of a request do not depend on the stride. It takes time in proportion to its
/// own requests, and of Poisson arrivals memory in proportion to its connections.
class Schedule {
 public:
  explicit Schedule(const SchedulePlan& plan, std::uint32_t offset = 0, std::uint32_t stride = 1);

  /// The next request of this share, if any is left.
  const std::optional<Planned>& next() const noexcept { return next_; }

  /// The next request if it is due at `now_ns`; it is then taken.
  std::optional<Planned> take_due(std::int64_t now_ns);

 private:
  /// The next arrival of a connection of Poisson arrivals.
  struct Arrival {
    std::int64_t at_ns = 0;
    std::uint64_t index = 0;
    double due = 0;  ///< the same time, where the rate is always one request
    /// The order of a heap whose first is the earliest.
    bool operator<(const Arrival& other) const noexcept {
      return at_ns != other.at_ns ? at_ns > other.at_ns : index > other.index;
    }
  };

  void advance();
  std::optional<Planned> take_in_turn();
  std::optional<Planned> take_earliest();
  /// The arrival `index` of a connection, the one before it being due at `after`; nothing: the run
  /// is over by then.
  std::optional<Arrival> arrival(std::uint64_t index, double after) const;
  /// The time of a request whose connection is taken in turn. Beyond the end of the run if there is
  /// no such request.
  std::int64_t time_of(std::uint64_t index) const;

  SchedulePlan plan_;
  std::uint32_t offset_;
  std::uint32_t stride_;
  base::CounterRandom random_;
  std::uint64_t index_;            ///< the next in turn
  std::vector<Arrival> earliest_;  ///< of `poisson`: a heap of the next of each connection
  std::uint64_t ordinal_ = 0;
  std::optional<Planned> next_;
};

}  // namespace hallmark::loadgen
