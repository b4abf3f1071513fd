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
#include "conformance/supervisor/process_group.hpp"
#include "conformance/supervisor/process_watch.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {

/// Returns the time that a target may take to start, which is longer than it may take to answer: 20
/// deadlines or 10 s, whichever is less, and never less than one deadline.
Time patience_to_start(Time deadline);

/// Starts the target, and starts it afresh when it dies. Knows which cases were played when it did,
/// and what it was sent last.
class ProcessSupervisor : public Supervisor {
 public:
  /// How many of the last pieces sent over a connection are kept, and how much of each.
  static constexpr std::size_t most_pieces = 4;
  static constexpr std::size_t most_bytes = 1024;
  /// How many of the connections at its death are told: those that were sent something last.
  static constexpr std::size_t most_connections = 8;

  /// All that the supervisor has to know of the transport.
  struct Transport {
    /// Waits until the process serves. Errors: one line that says why it does not.
    std::function<base::Expected<void, std::string>(Process&, Time until)> await;
    /// True if nobody serves at that port any more: a process that dies closes that first.
    std::function<bool(std::uint16_t port)> refuses;
  };

  /// Starts the command and waits until it serves, at most for its patience to start. Errors: one
  /// line.
  static base::Expected<std::unique_ptr<ProcessSupervisor>, std::string> start(
      base::ExecEndpoint target, Time deadline, Transport transport);

  /// A process that serves: its port, and which one it is, counted from 1.
  struct Serving {
    std::uint16_t port;
    unsigned generation;
  };
  /// Starts it afresh where it has died. Errors: one line that says why not.
  base::Expected<Serving, std::string> serving();

  Time now() const override { return monotonic_now(); }
  base::Expected<void, std::string> renew() override;
  void end_by(Time until) override;
  void set_reviving(bool on) override;
  unsigned generation() override;
  std::string given_up() override;
  void begin_case(const std::string& id) override;
  bool end_case(bool passed) override;
  Watched watch() override;
  bool starved(const Watched& watched) override;
  bool stuck(const Watched& watched) override;
  void answered() override;
  bool end_hung(const Watched& watched) override;
  bool has_died() override;
  bool is_gone() override;
  std::size_t deaths() override;
  bool last_hung() override;
  base::Expected<void, std::string> revive() override;
  void claim(std::size_t since, const std::string& input, std::string_view name = {}) override;
  std::string end_within(Time lived) override;
  ProcessFigures figures(Thoroughness how) override;
  std::vector<Casualty> casualties() override;
  std::size_t examined() override;
  void set_examined() override;

  /// A connection was made to that process; `sent` and `closed` take the number returned.
  std::uint64_t opened(unsigned generation);
  void sent(std::uint64_t connection, base::ByteView bytes);
  void closed(std::uint64_t connection);

  /// The process that runs now sent something.
  void heard() { last_heard_ = monotonic_now(); }

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

  ProcessSupervisor(base::ExecEndpoint target, Time deadline, Transport transport);
  base::Expected<void, std::string> launch();
  bool died_too_often() const;
  /// `port`: that it was started with; 0 where it was not.
  base::Expected<void, std::string> launch_once(std::uint16_t& port);
  bool notice();
  void record_death(std::string how, bool hung);
  void name_suspects(Casualty& casualty) const;
  bool is_running(const std::string& id) const;
  std::vector<reports::Exchange> last_sent() const;
  void forget_closed();

  base::ExecEndpoint target_;
  Time deadline_;
  Transport transport_;
  Time begun_;
  std::recursive_mutex mutex_;
  std::unique_ptr<Process> process_;
  std::shared_ptr<ProcessGroup> group_;        ///< that of `process_`
  std::shared_ptr<SpinningThreads> spinning_;  ///< those of `process_`
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
