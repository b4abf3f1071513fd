#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "conformance/engine/clock.hpp"
#include "conformance/supervisor/process.hpp"
#include "conformance/supervisor/process_watch.hpp"
#include "reports/result.hpp"

namespace hallmark::conformance {

/// A target that is started here, and started afresh when it dies. Knows which cases were played
/// when it did, and what it was sent last. Used by several threads.
class Supervisor {
 public:
  /// After so many deaths that were not looked into it is not started again.
  static constexpr unsigned most_deaths = 10;
  /// After so many deaths in all, neither.
  static constexpr unsigned most_deaths_in_all = 60;
  /// Of what was sent over a connection, so many pieces at the end are kept, and so much of each.
  static constexpr std::size_t most_pieces = 4;
  static constexpr std::size_t most_bytes = 1024;
  /// Of the connections when it died, so many that were sent something last are told.
  static constexpr std::size_t most_connections = 8;

  /// What the supervisor has to know of the transport.
  struct Transport {
    /// Waits until the process serves. Errors: one line that says why it does not.
    std::function<boost::system::result<void, std::string>(Process&, Time until)> await;
    /// Whether nobody serves at that port any more: a process that dies closes that first.
    std::function<bool(std::uint16_t port)> refuses;
  };

  /// A death, and the cases that had passed just before it.
  struct Casualty {
    reports::Death death;
    std::vector<std::string> before;
  };

  /// Starts the command and waits until it serves: at most 20 deadlines or 10 s, and never less
  /// than one deadline. Errors: one line.
  static boost::system::result<std::unique_ptr<Supervisor>, std::string> start(
      base::ExecEndpoint target, Time deadline, Transport transport);

  /// A process that serves: its port, and which one it is, counted from 1.
  struct Serving {
    std::uint16_t port;
    unsigned generation;
  };
  /// Starts it afresh where it has died. Errors: one line that says why not.
  boost::system::result<Serving, std::string> serving();

  /// Ends the process and starts another, that was asked nothing yet. Errors: one line.
  boost::system::result<void, std::string> renew();

  /// From that time on nothing is started any more; at first there is none.
  void end_by(Time until);

  /// Whether a process that has died is replaced when it is next used; at first it is.
  void set_reviving(bool on);

  /// Which process it is that is used from now on.
  unsigned generation();
  /// Why it is not started any more; empty: it is.
  std::string given_up();

  /// From now to `end_case` this thread plays that case.
  void begin_case(const std::string& id);
  /// `passed`: nothing points to a death. Whether the target died while the case was played.
  bool end_case(bool passed);

  /// Begins to watch the process that runs now; nothing where none does.
  std::optional<ProcessWatch> watch();
  /// Ends the watched process, which answers nobody any more, and counts that as a death. Returns
  /// false if it had died by itself or was replaced meanwhile.
  bool end_hung(const ProcessWatch& watched);

  /// Whether the process that was last started has died.
  bool has_died();
  /// Waits for the end of the process, at most so long after it was started: how it ended; empty:
  /// it goes on running.
  std::string end_within(Time lived);

  /// A connection was made to that process; `sent` and `closed` take the number returned.
  std::uint64_t opened(unsigned generation);
  void sent(std::uint64_t connection, base::ByteView bytes);
  void closed(std::uint64_t connection);

  /// The process that runs now sent something.
  void heard() { last_heard_ = monotonic_now(); }

  /// All deaths so far, in their order.
  std::vector<Casualty> casualties();
  /// How many of them, from the first, were looked into; from now on all there are.
  std::size_t examined();
  void set_examined();

 private:
  struct Piece {
    base::Bytes bytes;
    std::size_t omitted;
    Time at;
  };
  struct Talk {
    std::string name;
    unsigned generation;
    std::deque<Piece> pieces;
    bool open = true;
  };
  struct Played {
    std::string id;
    Time ended;
    bool passed;
  };

  Supervisor(base::ExecEndpoint target, Time deadline, Transport transport);
  Time patience() const;
  boost::system::result<void, std::string> launch();
  /// `port`: that it was started with; 0 where it was not.
  boost::system::result<void, std::string> launch_once(std::uint16_t& port);
  bool notice();
  void record_death(std::string how, bool hung);
  void name_suspects(Casualty& casualty) const;
  std::vector<reports::Exchange> last_sent() const;
  void forget_closed();

  base::ExecEndpoint target_;
  Time deadline_;
  Transport transport_;
  Time begun_;
  std::recursive_mutex mutex_;
  std::unique_ptr<Process> process_;
  Time launched_ = 0;
  unsigned generation_ = 0;
  bool noticed_ = false;  ///< the death of this process was recorded
  bool deaf_ = false;     ///< nobody serves any more, and it goes on running
  bool reviving_ = true;
  Time until_ = std::numeric_limits<Time>::max();
  std::string given_up_;
  std::map<std::thread::id, std::string> running_;
  std::map<std::thread::id, std::size_t> deaths_before_;
  std::deque<Played> played_;  ///< the last that ended
  std::uint64_t connections_ = 0;
  std::map<std::uint64_t, Talk> talks_;
  std::vector<Casualty> casualties_;
  std::size_t examined_ = 0;
  std::atomic<Time> last_heard_{0};
};

}  // namespace hallmark::conformance
