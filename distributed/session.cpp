#include "distributed/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <stop_token>
#include <thread>

#include "base/nanoseconds.hpp"
#include "base/random.hpp"
#include "distributed/counter_sums.hpp"
#include "loadgen/drivers/driver_for.hpp"
#include "loadgen/engine/driver.hpp"
#include "loadgen/results/run_identity.hpp"
#include "loadgen/results/run_record.hpp"
#include "loadgen/results/tally_codec.hpp"
#include "reports/json_report.hpp"

namespace hallmark::distributed {
namespace {

using base::Error;
using base::Result;
using loadgen::LoadOptions;
using loadgen::LoadOutputs;
using reports::LoadResult;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

/// A rank says so often that it lives: ten times in the silence that its death would be.
constexpr std::int64_t alive_every_ns = Coordinator::silence_ns / 10;
/// Between looks at the messages: nothing that is measured waits for one, and each look costs the
/// processor that the load runs on.
constexpr auto pause = std::chrono::milliseconds(10);

bool of_streams(const LoadOptions& options) {
  return !options.store && !loadgen::of_datagrams(options.target);
}

/// The share of one rank.
Result<LoadOptions> share_of(const LoadOptions& options, const Peers& peers) {
  if (options.share)
    return Error{"--share is for processes without MPI: ranks take their shares by themselves"};
  if (options.workload.subscribers != 0)
    return Error{
        "--subscribers is for one process: ranks do not share them; let hallmark load have them, "
        "beside the ranks"};
  if (options.connections < peers.size())
    return Error{fmt::format("--connections {} for {} ranks; allowed: one for each at least",
                             options.connections, peers.size())};
  LoadOptions own = options;
  own.share.emplace();
  own.share->number = peers.rank();
  own.share->of = peers.size();
  return own;
}

}  // namespace

Session::Session(Peers& peers, Clock clock, Facts facts, RunLoad run_load)
    : peers_(peers),
      clock_(std::move(clock)),
      facts_(std::move(facts)),
      run_load_(std::move(run_load)) {
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
  watch_signals();
}

Session::~Session() = default;

std::optional<reports::ExitCode> Session::refused() const {
  if (!coordinator_ || !coordinator_->refusal()) return std::nullopt;
  return coordinator_->refusal()->code;
}

void Session::watch_signals() {
  signals_.async_wait([this](boost::system::error_code error, int) {
    if (error) return;
    if (!interrupted_) say(Interrupted{});
    interrupted_ = true;
    watch_signals();
  });
}

void Session::say(Message message, std::uint32_t to) {
  const std::scoped_lock lock{mutex_};
  said_.push_back({to, std::move(message)});
}

void Session::send_what_was_said() {
  std::vector<Said> said;
  {
    const std::scoped_lock lock{mutex_};
    said.swap(said_);
  }
  for (const Said& one : said) peers_.send(one.to, encode(one.message));
}

/// Returns true if a message has come.
bool Session::pump() {
  signals_context_.poll();
  const std::int64_t now_ns = clock_.steady_ns();
  say_alive(now_ns);
  send_what_was_said();
  const auto envelope = peers_.receive();
  if (envelope) {
    if (envelope->from == 0) heard_root_ns_ = now_ns;
    // A message that cannot be read is of a rank of another version, whose greeting refuses it.
    if (const auto message = decode(envelope->bytes)) {
      if (coordinator_) coordinator_->take(envelope->from, *message);
      handle(envelope->from, *message);
    } else if (coordinator_) {
      coordinator_->take(envelope->from, Hello{{}, {}, {}, message.error().message});
    }
  }
  // A message that has come is read first: this process may have been stopped, and nobody was
  // silent.
  if (envelope) return true;
  if (coordinator_) coordinator_->tick();
  look_for_root(now_ns);
  return false;
}

void Session::say_alive(std::int64_t now_ns) {
  if (now_ns - alive_ns_ <= alive_every_ns) return;
  alive_ns_ = now_ns;
  for (std::uint32_t rank = 0; rank < (is_root() ? peers_.size() : 1); ++rank) say(Alive{}, rank);
}

/// Rank 0 speaks from its Prepare on until it has all results: a silence means its death.
void Session::look_for_root(std::int64_t now_ns) {
  const bool speaks = prepared_ && !taken_ && !left_;
  if (is_root() || !speaks || orphaned_ || now_ns - heard_root_ns_ <= Coordinator::silence_ns)
    return;
  orphaned_ = true;
  stop(true);
}

void Session::pump_until(const std::function<bool()>& done) {
  while (!done()) {
    if (pump()) continue;
    const bool compares = coordinator_ && coordinator_->compares();
    if (!compares && (prepared_ || !greeted_)) {
      std::this_thread::sleep_for(pause);
    } else {
      // A question for the clock, or the answer, may come at any time. Who is to give it may need
      // this processor.
      std::this_thread::yield();
    }
  }
}

void Session::handle(std::uint32_t from, const Message& message) {
  if (std::holds_alternative<Ping>(message)) {
    peers_.send(0, encode(Pong{clock_.steady_ns(), clock_.system_ns()}));
  } else if (const auto* const prepare = std::get_if<Prepare>(&message)) {
    prepared_ = *prepare;
  } else if (const auto* const moved_counters = std::get_if<Moved>(&message)) {
    const std::scoped_lock lock{mutex_};
    moved_.push_back(moved_counters->counters);
  } else if (std::holds_alternative<Taken>(message)) {
    taken_ = true;
  } else if (const auto* const told = std::get_if<Begin>(&message)) {
    begin(*told);
  } else if (const auto* const observed = std::get_if<Observed>(&message)) {
    judge(from, *observed);
  } else if (std::holds_alternative<AllEnded>(message)) {
    end_all();
  } else if (const auto* const told_to_stop = std::get_if<Stop>(&message)) {
    stop(told_to_stop->lost != 0);
  } else if (const auto* const leave = std::get_if<Leave>(&message)) {
    left_ = static_cast<int>(leave->exit_code);
    stop(true);
  }
}

void Session::begin(const Begin& begin) {
  const std::scoped_lock lock{mutex_};
  if (sender_) sender_->set_bound(begin.bound_ns);
  begins_ = begin;
  changed_.notify_all();
}

void Session::judge(std::uint32_t from, const Observed& observed) {
  const std::scoped_lock lock{mutex_};
  if (judge_ && !judge_->take(from, observed)) lost_ = true;
  changed_.notify_all();
}

void Session::end_all() {
  const std::scoped_lock lock{mutex_};
  all_ended_ = true;
  changed_.notify_all();
}

/// A rank that was interrupted itself has stopped already: told twice, it would wait for nothing.
void Session::stop(bool lost) {
  if (!interrupted_) stop_.request_stop();
  const std::scoped_lock lock{mutex_};
  stopped_ = true;
  lost_ = lost_ || lost;
  changed_.notify_all();
}

std::optional<steady_clock::time_point> Session::wait_for_begin() {
  say(Connected{});
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return begins_ || stopped_; });
  if (stopped_) return std::nullopt;
  return steady_clock::time_point(nanoseconds(begins_->steady_ns));
}

/// The keys are needed until every request of every rank has ended. Only rank 0 removes them.
void Session::wait_for_others() {
  say(Ended{});
  if (!is_root()) return;
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return all_ended_; });
}

void Session::observe(std::uint32_t own, std::span<const loadgen::Observation> observations,
                      std::int64_t complete_ns) {
  std::uint32_t owner = 0;
  for (Observed& one : sender_->sorted(own, observations, complete_ns))
    say(std::move(one), owner++);
}

void Session::greet(std::string refusal) {
  greeted_ = true;
  say(Hello{facts_.host, facts_.arguments, options_hash_, std::move(refusal)});
}

void Session::refuse(std::string why) {
  if (!greeted_) greet(std::move(why));
}

void Session::coordinate(const LoadOptions& options, const std::vector<std::string>& names,
                         const LoadOutputs& outputs, nanoseconds start_slack) {
  const auto start = [&](std::int64_t begins_ns) {
    using std::chrono::system_clock;
    const auto since = nanoseconds(begins_ns) + options.warmup;
    return std::make_unique<GatheredRun>(
        options, names, outputs, peers_.size(),
        system_clock::time_point(std::chrono::duration_cast<system_clock::duration>(since)));
  };
  coordinator_.emplace(peers_, clock_,
                       Agreement{facts_.arguments, options_hash_, start_slack.count(),
                                 Prepare{options.run_id, base::random_seed()}},
                       start);
}

Result<LoadResult> Session::run(const LoadOptions& options, const LoadOutputs& outputs,
                                nanoseconds start_slack) {
  auto own = share_of(options, peers_);
  if (!own) return own.error();
  const auto driver = loadgen::driver_for(*own);
  if (!driver) return driver.error();
  const auto names = (*driver)->parts();
  std::optional<loadgen::Requests> requests;  // whose replies may be held against each other
  if (of_streams(options)) requests = *loadgen::Requests::make(options.workload);
  options_hash_ = loadgen::options_hash(options);
  if (is_root()) coordinate(options, names, outputs, start_slack);
  join_share(*own);
  if (requests) watch_keys(*own, *requests);
  // Whoever ends the whole run tells rank 0, which tells all.
  const std::stop_callback ended{options.stop, [this] { say(Interrupted{}); }};
  greet({});
  pump_until([this] { return prepared_ || left_ || refused(); });
  if (refused()) return Error{coordinator_->refusal()->why};
  if (left_) return LoadResult();
  own->run_id = prepared_->run;  // each rank has made one up
  own->share->nonce = prepared_->nonce;
  load(*own);
  pump_until([this] { return is_root() ? coordinator_->over() : taken_ || left_ || orphaned_; });
  if (orphaned_) return orphaned_share(std::move(*own));
  if (!is_root()) return LoadResult();
  coordinator_->fall_silent();
  return coordinator_->result();
}

/// The part of a share that is the same for all ranks.
void Session::join_share(LoadOptions& options) {
  options.stop = stop_.get_token();
  options.share->ended = [this] { wait_for_others(); };
  options.share->moved = [this](const loadgen::CounterLedger& counters) { moved(counters); };
  options.share->add_moved = [this](loadgen::CounterLedger& counters) {
    return add_moved(counters);
  };
}

void Session::watch_keys(LoadOptions& options, const loadgen::Requests& requests) {
  watched_.emplace(options.workload.keys, options.watched);
  if (watched_->size() == 0) return;
  sender_.emplace(requests, *watched_, peers_.size(), loadgen::worker_count(options));
  if (peers_.rank() < watched_->size()) judge_.emplace(requests, options.watched, peers_.size());
  options.share->observed =
      [this](std::uint32_t own_loop, std::span<const loadgen::Observation> observations,
             std::int64_t complete_ns) { observe(own_loop, observations, complete_ns); };
}

void Session::moved(const loadgen::CounterLedger& counters) {
  if (!is_root()) say(Moved{encode(counters)});
}

/// Every rank that ended has told of its counters before.
bool Session::add_moved(loadgen::CounterLedger& counters) {
  const std::scoped_lock lock{mutex_};
  const bool all_told = moved_.size() + 1 == peers_.size();
  return all_told && std::ranges::all_of(moved_, [&](const base::Bytes& told) {
           return add_encoded(told, counters).has_value();
         });
}

/// This rank's share of a run whose rank 0 is gone: `hallmark report merge` adds up such shares.
LoadResult Session::orphaned_share(LoadOptions options) {
  if (begins_) {
    options.share->start = std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(
            nanoseconds(begins_->system_ns)));
  }
  LoadResult share = std::move(own_);
  share.run = loadgen::identity_of(options, {});
  if (share.run_error.empty())
    share.run_error =
        fmt::format("rank 0 died; this is the share of rank {} ({})", peers_.rank(), facts_.host);
  return share;
}

/// A run that ended before its first request has not said so.
void Session::observes_no_more() {
  if (!watched_) return;
  for (std::uint32_t owner = 0; owner < peers_.size() && owner < watched_->size(); ++owner)
    say(Observed{INT64_MAX, {}}, owner);
}

LoadOutputs Session::outputs_of_share() {
  LoadOutputs outputs;
  outputs.connected = [this] { return wait_for_begin(); };
  outputs.tallied = [this](std::uint64_t second, double length_s, const loadgen::Tally& tally) {
    say(Second{second, static_cast<std::uint64_t>(length_s * base::ns_per_second),
               loadgen::encode(tally)});
  };
  return outputs;
}

void Session::load(const LoadOptions& options) {
  std::thread thread([&] {
    say(Finished{reports::render_json(measured(options))});
    const std::scoped_lock lock{mutex_};
    load_over_ = true;
  });
  pump_until([this] {
    const std::scoped_lock lock{mutex_};
    return load_over_;
  });
  thread.join();
}

/// This rank's own result, without what its tallies have told.
LoadResult Session::measured(const LoadOptions& options) {
  auto run = run_load_(options, outputs_of_share());
  observes_no_more();
  if (!run) {
    own_.run_error = run.error().message;
    return own_;
  }
  LoadResult result = without_tallies(*run);
  add_checks(result);
  own_ = std::move(*run);
  own_.records = result.records;
  return result;
}

/// The findings on the keys that this rank owns, when all ranks have told of them or are gone.
void Session::add_checks(LoadResult& result) {
  std::unique_lock lock{mutex_};
  if (!judge_ || !begins_) return;
  changed_.wait(lock, [this] { return judge_->complete() || lost_; });
  // The load has judged the counters of this rank's own requests, and nothing else.
  reports::RecordChecks checks = judge_->finish();
  if (result.records) {
    checks.counters = result.records->counters;
    checks.counters_wrong = result.records->counters_wrong;
    std::ranges::move(result.records->violations, std::back_inserter(checks.violations));
  }
  result.records = std::move(checks);
  judge_.reset();
}

int Session::leave(int exit_code) {
  if (orphaned_) return static_cast<int>(reports::ExitCode::unreachable_or_harness_error);
  if (!is_root()) {
    pump_until([this] { return left_.has_value(); });
    say(Gone{});
    send_what_was_said();
    all_left_ = true;
    return *left_;
  }
  if (!coordinator_) coordinator_.emplace(peers_, clock_, Agreement(), nullptr);
  coordinator_->end(exit_code);
  const std::int64_t latest = clock_.steady_ns() + Coordinator::silence_ns;
  pump_until([&] { return coordinator_->all_gone() || clock_.steady_ns() > latest; });
  all_left_ = coordinator_->all_gone() && !coordinator_->lost_any();
  return exit_code;
}

}  // namespace hallmark::distributed
