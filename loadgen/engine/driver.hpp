#pragma once
#include <sys/epoll.h>

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "loadgen/arrivals/schedule.hpp"
#include "loadgen/results/tally.hpp"
#include "reports/load/load_result.hpp"

/// A transport does this for a run: streams, datagrams and stores are drivers.
namespace hallmark::loadgen {

class EventLoop;
struct LoopPlan;

/// One thread's part of a transport. The event loop says when, the driver does it and counts it in
/// the tally of the loop. Everything is called by that thread. Times are nanoseconds from the
/// origin of the run.
class alignas(64) LoopDriver {  // threads do not share a cache line
 public:
  virtual ~LoopDriver() = default;

  /// A request of the open loop is due …
  virtual void plan(const Planned& due, std::int64_t now_ns) = 0;
  /// … and this gives the system those that were planned since the last call.
  virtual void flush() {}
  /// The most requests to plan before the loop looks at its descriptors and at the time again.
  virtual int planned_at_once() const { return 1024; }

  /// Everything else that is due: timeouts, and the requests of a closed loop.
  virtual void advance(std::int64_t now_ns) = 0;
  /// The time at which `advance` is to be called again, at the latest.
  virtual std::int64_t next_advance_ns(std::int64_t now_ns) const = 0;

  /// A descriptor that the driver gave the loop's poller is ready.
  virtual void ready(const epoll_event& event) = 0;
  /// Another thread woke the loop.
  virtual void woken() {}

  /// True while something is to be waited for although nothing was planned after `last_ns`.
  virtual bool waits(std::int64_t now_ns, std::int64_t last_ns) = 0;
  /// The run is over: every request that still waits ends now.
  virtual void end() = 0;

  /// The earliest time at which a request was sent that is observed from now on.
  virtual std::int64_t unobserved_since() { return INT64_MAX; }
};

/// The means that a driver is given while no thread of the run lives. Used by the thread of the
/// run.
class RunControl {
 public:
  virtual ~RunControl() = default;

  virtual boost::asio::io_context& context() = 0;
  /// The number of times that the run was interrupted until now: once ends the planning, twice all
  /// waits.
  virtual unsigned interruptions() = 0;
  /// Runs the context until the work is done.
  virtual void await(boost::asio::awaitable<void> work) = 0;
};

/// A transport as the whole run sees it. Called by the thread of the run.
class RunDriver {
 public:
  virtual ~RunDriver() = default;

  /// The parts of the mix.
  virtual std::vector<std::string> parts() const = 0;
  /// The number of threads, and so of event loops, that this process has.
  virtual std::uint32_t threads() const = 0;
  /// Options that only this transport has.
  virtual void describe(reports::RunHeader& header) const = 0;

  /// Connects to the target and readies it. Error: one line. It may return early, without an
  /// error, when the run is interrupted.
  virtual base::Result<void> prepare(RunControl& run) = 0;
  /// The threads start next.
  virtual void begin(RunControl& run, const LoopPlan& plan) = 0;
  /// Makes the driver of loop `own`, the first of this process being 0. `loop` outlives it.
  virtual LoopDriver& drive(EventLoop& loop, std::uint32_t own) = 0;
  /// Takes what loop `own` counted since its last report, before it is added up.
  virtual void observe(std::uint32_t /*own*/, const Tally& /*tally*/) {}
  /// The run was interrupted: what `prepare` or `conclude` waits for is given up.
  virtual void interrupt() {}
  /// All threads have ended: what only this transport tells of a run.
  virtual void conclude(RunControl& run, const Tally& total, reports::LoadResult& result) = 0;
  /// The last call, whatever became of the run: removes what the run left at the target.
  virtual void tidy_up(RunControl& run, reports::LoadResult& result) = 0;
};

}  // namespace hallmark::loadgen
