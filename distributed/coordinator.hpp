#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "distributed/clock.hpp"
#include "distributed/clock_offset.hpp"
#include "distributed/gathered_run.hpp"
#include "distributed/peers.hpp"
#include "reports/result.hpp"

namespace hallmark::distributed {

/// Rank 0 expects this of all ranks.
struct Agreement {
  std::vector<std::string> options;  ///< as the command line gave them
  std::string options_hash;          ///< loadgen::options_hash
  std::int64_t start_slack_ns = 0;   ///< clocks may be so far apart
  Prepare run = {};                  ///< the facts about the run that all ranks are told
};

/// Why a run cannot begin, one line, and the exit code that follows.
struct Refusal {
  std::string why;
  reports::ExitCode code = reports::ExitCode::usage;
};

/// Rank 0's side of a run: it brings all ranks to the start, gathers what they measure, and ends
/// all when one of them is interrupted or dies. Rank 0 takes part as any other and sends itself
/// messages. No call waits.
class Coordinator {
 public:
  /// A rank that says nothing for so long has died.
  static constexpr std::int64_t silence_ns = 5'000'000'000;
  /// Every rank has to be there so long after rank 0.
  static constexpr std::int64_t greeting_ns = 60'000'000'000;
  /// The plan begins so long after the last rank is ready: the message has to arrive before.
  static constexpr std::int64_t lead_ns = 200'000'000;
  static constexpr unsigned rounds = 16;  ///< of questions for the clock of each rank

  /// `start` makes the gathered run when all are ready; its argument is when the plan begins,
  /// nanoseconds since 1970.
  using Start = std::function<std::unique_ptr<GatheredRun>(std::int64_t begins_ns)>;

  Coordinator(Peers& peers, Clock clock, Agreement agreement, Start start);

  void take(std::uint32_t from, const Message& message);
  /// Looks for ranks that have fallen silent; has to be called often.
  void tick();

  /// Clocks are being compared: an answer should be met without a pause.
  bool compares() const { return phase_ == Phase::comparing; }
  /// The run cannot begin. Nobody has to be waited for.
  const std::optional<Refusal>& refusal() const { return refusal_; }
  /// All ranks that live have finished.
  bool over() const { return phase_ == Phase::over; }
  bool lost_any() const { return lost_ != 0; }
  /// Tells the other ranks that this one has all results, and is silent until the end.
  void fall_silent();
  /// Tells all other ranks to leave, with this exit code.
  void end(int exit_code);
  /// Every rank but this one has said its last, or died.
  bool all_gone() const;
  /// Precondition: over. Errors, one line: results that are not of one run.
  base::Result<reports::LoadResult> result();

 private:
  enum class Phase { greeting, comparing, preparing, running, over };
  struct Rank {
    std::string host;
    std::int64_t heard_ns = 0;
    bool greeted = false, ended = false, lost = false, gone = false;
    ClockComparison steady, system;
    std::optional<reports::LoadResult> finished;
  };

  void receive(std::uint32_t from, const Hello& hello);
  void receive(std::uint32_t from, const Pong& pong);
  void receive(std::uint32_t from, const Connected&);
  void receive(std::uint32_t from, const Second& second);
  void receive(std::uint32_t from, const Ended&);
  void receive(std::uint32_t from, const Finished& finished);
  void receive(std::uint32_t, const Interrupted&);
  template <class Other>
  void receive(std::uint32_t, const Other&) {}

  std::string name_of(std::uint32_t rank) const;
  void refuse(std::string why, reports::ExitCode code = reports::ExitCode::usage);
  void ask();
  bool clock_is_close(std::uint32_t rank);
  void begin();
  void stop_all();
  void lose(std::uint32_t rank);
  void go_on();
  void tell_all(const Message& message);
  void tell_others(const Message& message);
  std::string clocks_note() const;
  std::vector<reports::RankLoad> ranks_apart() const;
  std::string run_error() const;

  Peers& peers_;
  Clock clock_;
  Agreement agreement_;
  Start start_;
  Phase phase_ = Phase::greeting;
  std::optional<Refusal> refusal_;
  std::vector<Rank> ranks_;
  std::int64_t began_ns_;  ///< this object
  std::uint32_t greeted_ = 0, connected_ = 0, lost_ = 0;
  std::uint32_t compared_ = 0;  ///< rank whose clock is asked
  unsigned round_ = 0;
  std::int64_t asked_steady_ns_ = 0, asked_system_ns_ = 0;
  std::int64_t begins_ns_ = 0;  ///< by our steady clock; 0: not yet
  bool stopped_ = false;
  bool all_ended_ = false;  ///< and all were told so
  std::string broken_;      ///< by messages; one line
  std::vector<std::string> losses_;
  std::unique_ptr<GatheredRun> gathered_;
};

}  // namespace hallmark::distributed
