#include "distributed/session.hpp"

#include <fmt/format.h>

#include <csignal>
#include <stop_token>
#include <thread>

#include "base/nanoseconds.hpp"
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
/// Between looks at the messages; nothing that is measured waits for one.
constexpr auto pause = std::chrono::milliseconds(2);

/// The share of one rank.
Result<LoadOptions> share_of(const LoadOptions& options, const Peers& peers) {
  if (options.share)
    return Error{"--share is for processes without MPI: ranks take their shares by themselves"};
  if (options.store || loadgen::of_datagrams(options.target))
    return Error{fmt::format("several ranks take tcp:// and unix:// targets; '{}' is neither",
                             options.target_text)};
  if (options.workload.subscribers != 0)
    return Error{"--subscribers is for one process: ranks do not share them"};
  if (options.connections < peers.size())
    return Error{fmt::format("--connections {} for {} ranks; allowed: one for each at least",
                             options.connections, peers.size())};
  LoadOptions own = options;
  own.share = loadgen::Share{peers.rank(), peers.size(), {}, {}, {}};
  own.run_id.clear();  // each rank has made one up; rank 0 gives the whole its own
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
  if (const std::int64_t now = clock_.steady_ns(); now - alive_ns_ > alive_every_ns) {
    alive_ns_ = now;
    say(Alive{});
  }
  send_what_was_said();
  const auto envelope = peers_.receive();
  if (envelope) {
    // A message that cannot be read is of a rank of another version, whose greeting refuses it.
    if (const auto message = decode(envelope->bytes)) {
      if (coordinator_) coordinator_->take(envelope->from, *message);
      handle(envelope->from, *message);
    } else if (coordinator_) {
      coordinator_->take(envelope->from, Hello{{}, {}, {}, message.error().message});
    }
  }
  if (coordinator_) coordinator_->tick();
  return envelope.has_value();
}

void Session::pump_until(const std::function<bool()>& done) {
  while (!done()) {
    const bool busy = pump();
    if (busy || (coordinator_ && coordinator_->compares())) continue;
    if (prepared_ || !greeted_) {
      std::this_thread::sleep_for(pause);
    } else {
      std::this_thread::yield();  // a question for the clock may come at any time
    }
  }
}

void Session::handle(std::uint32_t from, const Message& message) {
  if (std::holds_alternative<Ping>(message)) {
    peers_.send(0, encode(Pong{clock_.steady_ns(), clock_.system_ns()}));
  } else if (std::holds_alternative<Prepare>(message)) {
    prepared_ = true;
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
  begins_ns_ = begin.steady_ns;
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
  changed_.wait(lock, [this] { return begins_ns_ || stopped_; });
  if (stopped_) return std::nullopt;
  return steady_clock::time_point(nanoseconds(*begins_ns_));
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
                       Agreement{facts_.arguments, options_hash_, start_slack.count()}, start);
}

Result<LoadResult> Session::run(const LoadOptions& options, const LoadOutputs& outputs,
                                nanoseconds start_slack) {
  auto own = share_of(options, peers_);
  if (!own) return own.error();
  const auto requests = loadgen::Requests::make(options.workload);
  if (!requests) return requests.error();
  const auto names = requests->names();
  options_hash_ = loadgen::options_hash(options);
  if (is_root()) coordinate(options, names, outputs, start_slack);
  join_share(*own, *requests);
  // Whoever ends the whole run tells rank 0, which tells all.
  const std::stop_callback ended{options.stop, [this] { say(Interrupted{}); }};
  greet({});
  pump_until([this] { return prepared_ || left_ || refused(); });
  if (refused()) return Error{coordinator_->refusal()->why};
  if (left_) return LoadResult();
  load(*own);
  if (!is_root()) return LoadResult();
  pump_until([this] { return coordinator_->over(); });
  return coordinator_->result();
}

/// The part of a share that is the same for all ranks.
void Session::join_share(LoadOptions& options, const loadgen::Requests& requests) {
  options.stop = stop_.get_token();
  options.share->ended = [this] { wait_for_others(); };
  watched_.emplace(options.workload.keys, options.watched);
  if (watched_->size() == 0) return;
  sender_.emplace(requests, *watched_, peers_.size(), loadgen::worker_count(options));
  if (peers_.rank() < watched_->size()) judge_.emplace(requests, options.watched, peers_.size());
  options.share->observed =
      [this](std::uint32_t own_loop, std::span<const loadgen::Observation> observations,
             std::int64_t complete_ns) { observe(own_loop, observations, complete_ns); };
}

/// A run that ended before its first request has not said so.
void Session::observes_no_more() {
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
    LoadResult failed;
    failed.run_error = run.error().message;
    return failed;
  }
  LoadResult result = without_tallies(std::move(*run));
  add_checks(result);
  return result;
}

/// The findings on the keys that this rank owns, when all ranks have told of them or are gone.
void Session::add_checks(LoadResult& result) {
  std::unique_lock lock{mutex_};
  if (!judge_ || !begins_ns_) return;
  changed_.wait(lock, [this] { return judge_->complete() || lost_; });
  result.records = judge_->finish();
  judge_.reset();
}

int Session::leave(int exit_code) {
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
