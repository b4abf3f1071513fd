#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "loadgen/arrivals/departures.hpp"
#include "loadgen/drivers/datagram/id_ring.hpp"
#include "loadgen/drivers/datagram/limit_watch.hpp"
#include "loadgen/drivers/datagram/requests.hpp"
#include "loadgen/results/tally.hpp"
#include "reports/load/datagram_load.hpp"

namespace hallmark::loadgen::datagram {

/// The facts about a run that a book needs.
struct BookPlan {
  const Requests* requests = nullptr;
  bool open_loop = true;
  std::int64_t timeout_ns = 0;
  std::int64_t lag_bound_ns = INT64_MAX;  ///< a request that leaves later than that is late
  std::uint64_t most_in_flight = 0;       ///< per socket, of an open loop; 0: no limit
  DepartureLog* departures = nullptr;     ///< of an open loop; may be null
  std::uint32_t worker = 0;               ///< whose keys are used
  std::size_t places = 1024;              ///< ids at once, a power of two
  bool watch_limits = false;
  oracle::OverWhen over_when = oracle::OverWhen::unknown;
};

/// Keeps account of every request id of a worker from its plan to its end: each is counted where it
/// happens, once. No sockets and no clock; times are nanoseconds from the start of the run.
class Book {
 public:
  explicit Book(const BookPlan& plan);

  /// A request whose time has come; appended to `out` as a datagram of `size` bytes. Null: it was
  /// shed, since it came too late or all ids wait.
  struct Added {
    Request* request = nullptr;
    std::size_t size = 0;
  };
  Added plan(const Planned& due, std::int64_t now_ns, std::uint32_t socket, bool counted,
             protocol::ByteBuffer& out, Tally& tally);

  /// A request whose time has come while too many wait on its socket: it is not sent.
  void clogged(const Planned& due, std::int64_t now_ns, bool counted, Tally& tally);

  /// It is about to be given to the system; called before the system call …
  void sending(Request& request, std::int64_t now_ns, Tally& tally);
  /// … and this after one that refused it, for the reason `why`.
  void not_sent(Request& request, Failure failure, std::string_view why, std::int64_t now_ns,
                Tally& tally);
  void sent(Request&) { ++counts_.sent; }

  /// A datagram came to a socket. Returns true if a request that waited has ended.
  struct Came {
    base::ByteView bytes;
    bool cut = false;             ///< it was longer than any reply may be
    std::int64_t system_ns = -1;  ///< when it came to the client's system; -1: not told
  };
  bool receive(std::uint32_t socket, const Came& came, std::int64_t now_ns, Tally& tally);

  /// Counts as timed out what was planned before `now_ns` less the timeout; calls `ended` with the
  /// socket of each.
  template <class Ended>
  void expire(std::int64_t now_ns, Tally& tally, Ended ended) {
    ids_.expire([&](Request& request) {
      if (request.planned_ns + plan_.timeout_ns > now_ns) return false;
      time_out(request, now_ns, tally);
      ended(request.socket);
      return true;
    });
  }
  /// Does the same as `expire` for all that wait: the run is over.
  void expire_all(std::int64_t now_ns, Tally& tally) {
    ids_.expire([&](Request& request) {
      time_out(request, now_ns, tally);
      return true;
    });
  }

  /// Requests that wait for a reply.
  std::uint64_t waiting() const noexcept { return waiting_; }
  /// Requests that timed out and may still be answered.
  std::uint64_t missing() const noexcept { return missing_; }

  /// The end: nothing will come any more.
  void close();

  const reports::DatagramCounts& counts() const noexcept { return counts_; }
  const std::optional<LimitWatch>& limits() const noexcept { return limits_; }

 private:
  void shed(const Planned& due, Failure why, std::int64_t now_ns, bool counted, Tally& tally);
  void lose(std::uint8_t part, Failure why, std::string_view example, const RequestTimes& times,
            std::int64_t now_ns, Tally& tally) const;
  void time_out(Request& request, std::int64_t now_ns, Tally& tally);
  void settle(Request& request);
  bool on_time(Request& request, const Came& came, std::int64_t now_ns, Tally& tally);
  void late(Request& request, base::ByteView datagram);
  void duplicate(const Request& request);
  bool is_use(const Request& request) const;

  BookPlan plan_;
  IdRing ids_;
  std::optional<LimitWatch> limits_;
  reports::DatagramCounts counts_;
  std::uint64_t waiting_ = 0;
  std::uint64_t missing_ = 0;
};

/// The sum of what several workers counted.
void add(reports::DatagramCounts& sum, const reports::DatagramCounts& more);
void add(reports::SocketTrouble& sum, const reports::SocketTrouble& more);

}  // namespace hallmark::loadgen::datagram
