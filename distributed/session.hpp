#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "distributed/coordinator.hpp"
#include "distributed/shared_judge.hpp"
#include "loadgen/engine/run.hpp"

namespace hallmark::distributed {

/// The part of one rank in a run of all ranks. Messages go out and come in on the thread that calls
/// these functions; the load runs on another one.
class Session {
 public:
  /// The function that runs the load of one rank: loadgen::run_load, or a stand-in for it.
  using RunLoad = std::function<base::Result<reports::LoadResult>(const loadgen::LoadOptions&,
                                                                  const loadgen::LoadOutputs&)>;
  /// The facts about this rank that are known before its command line is read.
  struct Facts {
    std::string host;
    std::vector<std::string> arguments;  ///< of the command line
  };

  /// `peers` outlives it.
  Session(Peers& peers, Clock clock, Facts facts, RunLoad run_load);
  ~Session();

  /// Runs this rank's share of `options`. Rank 0 gets the result of all, and `outputs` their
  /// seconds; the others an empty result, or that of their share if rank 0 has died. Errors, one
  /// line: why the run cannot begin; rank 0 tells the reason, others are told to leave.
  base::Result<reports::LoadResult> run(const loadgen::LoadOptions& options,
                                        const loadgen::LoadOutputs& outputs,
                                        std::chrono::nanoseconds start_slack);

  /// This rank cannot take part, for one reason: its command line is wrong.
  void refuse(std::string why);

  /// The exit code that all ranks end with: rank 0 says it, the others wait for it. If rank 0 has
  /// died, ExitCode::unreachable_or_harness_error.
  int leave(int exit_code);

  /// True if everything that was sent has arrived, and no rank died: nothing waits for ever for
  /// one.
  bool all_left() const { return all_left_; }
  /// True if rank 0 died before it had all results.
  bool orphaned() const { return orphaned_; }
  /// The exit code of a run that could not begin, of rank 0.
  std::optional<reports::ExitCode> refused() const;

 private:
  bool is_root() const { return peers_.rank() == 0; }
  void say_alive(std::int64_t now_ns);
  void look_for_root(std::int64_t now_ns);
  void greet(std::string refusal);
  bool pump();
  void pump_until(const std::function<bool()>& done);
  void handle(std::uint32_t from, const Message& message);
  void begin(const Begin& begin);
  void judge(std::uint32_t from, const Observed& observed);
  void end_all();
  void stop(bool lost);
  void say(Message message, std::uint32_t to = 0);
  void send_what_was_said();
  void watch_signals();
  void coordinate(const loadgen::LoadOptions& options, const std::vector<std::string>& names,
                  const loadgen::LoadOutputs& outputs, std::chrono::nanoseconds start_slack);
  loadgen::LoadOutputs outputs_of_share();
  void join_share(loadgen::LoadOptions& options);
  void watch_keys(loadgen::LoadOptions& options, const loadgen::Requests& requests);
  void moved(const loadgen::CounterLedger& counters);
  bool add_moved(loadgen::CounterLedger& counters);
  void observe(std::uint32_t own, std::span<const loadgen::Observation> observations,
               std::int64_t complete_ns);
  void observes_no_more();
  void load(const loadgen::LoadOptions& options);
  reports::LoadResult measured(const loadgen::LoadOptions& options);
  reports::LoadResult orphaned_share(loadgen::LoadOptions options);
  void add_checks(reports::LoadResult& result);
  std::optional<std::chrono::steady_clock::time_point> wait_for_begin();
  void wait_for_others();

  Peers& peers_;
  Clock clock_;
  Facts facts_;
  RunLoad run_load_;
  std::optional<Coordinator> coordinator_;  ///< of rank 0
  std::string options_hash_;                ///< once the options have been read
  bool greeted_ = false;
  std::optional<Prepare> prepared_;
  std::optional<int> left_;
  bool taken_ = false;     ///< rank 0 has the results of all
  bool orphaned_ = false;  ///< rank 0 has died
  std::int64_t heard_root_ns_ = 0;
  reports::LoadResult own_;  ///< of this rank's share, once its load is over
  bool all_left_ = false;
  std::int64_t alive_ns_ = 0;  ///< when this rank last said so
  boost::asio::io_context signals_context_{1};
  boost::asio::signal_set signals_{signals_context_};
  bool interrupted_ = false;

  std::mutex mutex_;  ///< of what the thread of the load uses, too
  std::condition_variable changed_;
  struct Said {
    std::uint32_t to;
    Message message;
  };
  std::vector<Said> said_;
  std::optional<Begin> begins_;
  std::vector<base::Bytes> moved_;  ///< counters, of the other ranks
  bool all_ended_ = false;
  bool stopped_ = false;
  bool lost_ = false;  ///< a rank that was to tell something
  bool load_over_ = false;
  std::stop_source stop_;
  std::optional<loadgen::WatchedKeys> watched_;  ///< the same keys; the load has a list of its own
  std::optional<ObservationSender> sender_;
  std::optional<SharedJudge> judge_;  ///< of a rank that owns keys, while all may tell of them
};

}  // namespace hallmark::distributed
