#include "loadgen/drivers/stream/run.hpp"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <thread>

#include "loadgen/drivers/datagram/run.hpp"
#include "loadgen/drivers/store/run.hpp"
#include "loadgen/drivers/stream/run_connections.hpp"
#include "loadgen/drivers/stream/setup.hpp"
#include "loadgen/drivers/stream/stream.hpp"
#include "loadgen/drivers/stream/worker.hpp"
#include "loadgen/engine/interrupts.hpp"
#include "loadgen/judge/record_judge.hpp"
#include "loadgen/results/run_record.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;

namespace asio = boost::asio;
using std::chrono::duration_cast;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

/// Everything of a run that is not in a worker: signals, the collecting of reports and the order of
/// things. Lives on one io_context, run by the caller's thread.
class Run {
 public:
  Run(const LoadOptions& options, const LoadOutputs& outputs, const Requests& requests)
      : options_(options),
        outputs_(outputs),
        requests_(requests),
        pool_(requests.parts().size(), 2 * std::size_t{worker_count(options)} + 2, options.staged,
              !options.closed),
        connections_(context_, options, requests,
                     [this](std::uint32_t connection, base::Descriptor socket) {
                       workers_[worker_of(connection)]->adopt(connection, std::move(socket));
                     }),
        // What other processes ask is not seen.
        watched_(options.workload.keys, options.share ? 0 : options.watched) {}

  reports::LoadResult run();

 private:
  void describe();
  void interrupt();
  asio::awaitable<void> whole();
  asio::awaitable<bool> prepare();
  asio::awaitable<void> load();
  asio::awaitable<bool> wait_for_start();
  asio::awaitable<void> tidy_up();
  /// Of how many processes this is which one.
  std::uint32_t shares() const { return options_.share ? options_.share->of : 1; }
  std::uint32_t share() const { return options_.share ? options_.share->number : 0; }
  bool sets_up() const { return share() == 0; }
  bool is_subscriber(std::uint32_t connection) const { return connection >= options_.connections; }
  std::uint32_t worker_of(std::uint32_t connection) const;
  void add_facts();
  WorkerPlan plan();
  WorkerEvents events(std::uint32_t worker);
  asio::awaitable<void> read_back();
  void start_worker(const WorkerPlan& plan, std::uint32_t number);
  void fail(std::string_view what, const Error& error) {
    result_.run_error = fmt::format("{}: {}: {}", options_.target_text, what, error.message);
  }

  const LoadOptions& options_;
  const LoadOutputs& outputs_;
  const Requests& requests_;
  asio::io_context context_{1};
  Interrupts interrupts_{context_};
  /// Expires never; cancelled when what a coroutine waits for has happened.
  asio::steady_timer gate_{context_, steady_clock::time_point::max()};
  TallyPool pool_;
  Endpoints endpoints_;
  std::optional<Stream> setup_;
  RunConnections connections_;
  steady_clock::time_point origin_;
  std::optional<SecondLog> log_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
  std::uint32_t running_ = 0;
  std::int64_t end_ns_ = 0;
  CpuTime cpu_before_;
  ClientMeter meter_;
  std::optional<DepartureLog> departures_;
  WatchedKeys watched_;
  std::optional<CounterLedger> counters_;
  std::optional<InsertLedger> inserts_;
  std::optional<RecordJudge> judge_;
  int interrupted_ = 0;
  std::exception_ptr broken_;
  reports::LoadResult result_;
};

reports::LoadResult Run::run() {
  describe();
  raise_descriptor_limit();
  if (options_.handle_signals) interrupts_.watch([this] { interrupt(); });
  asio::co_spawn(context_, whole(), [this](std::exception_ptr failed) {
    broken_ = std::move(failed);
    context_.stop();
  });
  context_.run();
  for (auto& worker : workers_) worker->abandon();
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
  if (broken_) std::rethrow_exception(broken_);
  return std::move(result_);
}

void Run::describe() {
  loadgen::describe(options_, result_);
  const auto add = [&](std::string name, const auto& value) {
    result_.header.options.push_back({std::move(name), fmt::format("{}", value)});
  };
  const Workload& workload = options_.workload;
  add("keys", workload.keys);
  if (!workload.named_keys) add("key-choice", workload.key_choice.text());
  add("value-bytes", workload.value_sizes.text());
  if (workload.subscribers != 0) add("subscribers", workload.subscribers);
  add("seed", options_.workload.seed);
}

// The first signal ends the planning, the second the wait for replies.
void Run::interrupt() {
  result_.interrupted = true;
  connections_.stop();
  boost::system::error_code ignored;
  if (setup_) setup_->cancel(ignored);
  for (auto& worker : workers_) interrupted_ == 0 ? worker->stop() : worker->abandon();
  ++interrupted_;
}

// Results of co_await get names before they are used: GCC 12 miscompiles it inside && and ?:.
asio::awaitable<void> Run::whole() {
  const bool ready = co_await prepare();
  if (ready) co_await load();
  if (judge_ && !endpoints_.empty()) co_await read_back();
  if (!endpoints_.empty()) co_await tidy_up();
}

asio::awaitable<bool> Run::prepare() {
  auto endpoints = co_await resolve(options_.target);
  if (!endpoints) {
    fail("cannot resolve", endpoints.error());
    co_return false;
  }
  endpoints_ = std::move(*endpoints);
  auto stream = co_await connect(endpoints_, options_.timeout);
  if (!stream) {
    endpoints_.clear();
    fail("cannot connect", stream.error());
    co_return false;
  }
  setup_.emplace(std::move(*stream));
  const auto steps = sets_up() ? requests_.before() : std::vector<SetupStep>();
  const auto played = co_await play(*setup_, requests_, steps, options_.timeout);
  setup_.reset();
  if (result_.interrupted) co_return false;
  if (!played) fail("cannot store the keys", played.error());
  if (!played) co_return false;
  const auto opened = co_await connections_.open_all(endpoints_);
  if (!opened) fail("cannot connect", opened.error());
  if (!opened || result_.interrupted) co_return false;
  co_return co_await wait_for_start();
}

/// Until all processes of the run begin.
asio::awaitable<bool> Run::wait_for_start() {
  if (!options_.share) co_return true;
  const auto left = options_.share->start - system_clock::now();
  if (left.count() < 0) {
    result_.run_error = fmt::format("ready {:.1f} s after the start of all shares; start later",
                                    -std::chrono::duration<double>(left).count());
    co_return false;
  }
  constexpr auto early = std::chrono::milliseconds(20);  // threads take a while to start
  asio::steady_timer timer{context_, left > early ? left - early : nanoseconds(0)};
  boost::system::error_code ignored;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  co_return !result_.interrupted;
}

asio::awaitable<void> Run::load() {
  origin_ = steady_clock::now() + (options_.closed ? nanoseconds(0) : lead_in);
  if (options_.share) {
    const auto left = options_.share->start - system_clock::now();
    origin_ = steady_clock::now() + std::max(nanoseconds(0), duration_cast<nanoseconds>(left));
    if (options_.closed) std::this_thread::sleep_until(origin_);
  }
  cpu_before_ = cpu_time();
  meter_.begin();
  log_.emplace(requests_.names(), pool_, outputs_, !options_.closed, worker_count(options_),
               system_clock::now() + duration_cast<system_clock::duration>(
                                         origin_ - steady_clock::now() + options_.warmup));
  if (!options_.closed) departures_.emplace(schedule_of(options_), !options_.share);
  const reports::SocketFacts sockets = facts_of(connections_.sockets());
  judge_.emplace(requests_, watched_, worker_count(options_));
  if (!options_.share) {
    // Of what other processes do to the same keys nothing is known.
    const std::uint32_t keys = options_.workload.keys;
    if (!requests_.counters().empty()) counters_.emplace(keys);
    if (requests_.tells_winners()) inserts_.emplace(keys, Requests::passing_ttl_ns());
  }
  const WorkerPlan shared = plan();
  for (std::uint32_t i = 0; i < worker_count(options_); ++i)
    start_worker(shared, share() + shares() * i);
  boost::system::error_code ignored;
  co_await gate_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  for (auto& thread : threads_) thread.join();
  conclude(*log_, requests_.names(), end_ns_ - shared.warmup_ns, cpu_before_, result_);
  result_.client = meter_.told();
  result_.client->sockets = sockets;
  if (!options_.closed) certify_schedule(options_, log_->total(), departures_, result_);
  const reports::ErrorKind& not_reconnected = connections_.not_reconnected();
  if (not_reconnected.count != 0) result_.errors.push_back(not_reconnected);
  add_facts();
}

WorkerPlan Run::plan() {
  const auto end = options_.warmup + options_.duration;
  return {.connection = {.requests = &requests_,
                         .open_loop = !options_.closed,
                         .warmup_ns = options_.warmup.count(),
                         .timeout_ns = options_.timeout.count(),
                         .lag_bound_ns = options_.lag_bound.count(),
                         .departures = departures_ ? &*departures_ : nullptr,
                         .watched = watched_.size() == 0 ? nullptr : &watched_,
                         .counters = counters_ ? &*counters_ : nullptr,
                         .inserts = inserts_ ? &*inserts_ : nullptr},
          .tallies = &pool_,
          .origin = origin_,
          .schedule = schedule_of(options_),
          .depth = options_.depth,
          .workers = shares() * worker_count(options_),
          .subscribers = options_.workload.subscribers,
          .churn = options_.churn,
          .staged = options_.staged,
          .warmup_ns = options_.warmup.count(),
          .end_ns = end.count(),
          .timeout_ns = options_.timeout.count()};
}

void Run::start_worker(const WorkerPlan& plan, std::uint32_t number) {
  std::vector<base::Descriptor> sockets;
  const auto add = [&](std::uint32_t first, std::uint32_t many) {
    for (std::uint32_t c = number; c < many; c += plan.workers)
      sockets.push_back(std::move(connections_.sockets()[first + c]));
  };
  add(0, options_.connections);
  add(options_.connections, options_.workload.subscribers);
  ++running_;
  workers_.push_back(
      std::make_unique<Worker>(plan, number, std::move(sockets), events(number / shares())));
  threads_.push_back(start_worker_thread(
      context_, [worker = workers_.back().get()] { worker->run(); },
      [this](std::exception_ptr failed) {
        broken_ = failed;
        context_.stop();
      },
      meter_.thread()));
}

WorkerEvents Run::events(std::uint32_t worker) {
  return handed_over(
      context_, {.report =
                     [this, worker](std::int64_t second, std::unique_ptr<Tally> tally, bool last) {
                       if (second < 0) cpu_before_ = cpu_time();
                       judge_->take(worker, tally->observed, tally->unobserved_since_ns);
                       log_->report(second, std::move(tally), last);
                     },
                 .done =
                     [this](std::int64_t end_ns) {
                       end_ns_ = std::max(end_ns_, end_ns);
                       if (--running_ == 0) gate_.cancel();
                     },
                 .lost = [this](std::uint32_t connection,
                                bool gone) { connections_.open_again(connection, gone); }});
}

/// The numbers of subscribers begin anew.
std::uint32_t Run::worker_of(std::uint32_t connection) const {
  const std::uint32_t own = is_subscriber(connection) ? options_.connections : 0;
  return (connection - own) % (shares() * worker_count(options_)) / shares();
}

/// What the counters came to, by one that did not move them.
asio::awaitable<void> Run::read_back() {
  judge_->finish();
  if (inserts_) judge_->take_inserts(inserts_->findings());
  const auto steps = requests_.counters();
  if (counters_ && interrupted_ < 2) {
    auto stream = co_await connect(endpoints_, options_.timeout);
    Result<void> played;
    if (stream) {
      setup_.emplace(std::move(*stream));
      played = co_await play(*setup_, requests_, steps, options_.timeout,
                             [this](const SetupStep& step, const CheckedReply& reply) {
                               judge_->read_back(
                                   *counters_, step.key,
                                   reply.success ? std::optional(reply.told) : std::nullopt);
                             });
      setup_.reset();
    } else {
      played = stream.error();
    }
    if (!played) result_.errors.push_back({"counters not read back", 1, played.error().message});
  }
  result_.records = judge_->checks();
}

/// What is told of connections, deliveries and single requests.
void Run::add_facts() {
  result_.connections = connections_.facts();
  const Tally& total = log_->total();
  result_.slowest = slowest_of(total, requests_);
  if (total.stages) result_.stages = stages_of(*total.stages);
  if (const auto subscribers = options_.workload.subscribers; subscribers != 0)
    result_.fan_out = fan_out_of(total, requests_, subscribers);
}

asio::awaitable<void> Run::tidy_up() {
  if (!sets_up()) co_return;
  if (options_.share) {
    // Others may still be waiting for what the keys are needed for.
    asio::steady_timer timer{context_, options_.timeout};
    boost::system::error_code ignored;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  auto stream = co_await connect(endpoints_, options_.timeout);
  const auto steps = requests_.after();
  Result<void> played;
  if (stream) {
    setup_.emplace(std::move(*stream));
    played = co_await play(*setup_, requests_, steps, options_.timeout);
    setup_.reset();
  } else {
    played = stream.error();
  }
  if (!played && result_.run_error.empty()) {
    result_.errors.push_back({"keys left behind", 1, played.error().message});
  }
}

}  // namespace

Result<reports::LoadResult> run_load(const LoadOptions& options, const LoadOutputs& outputs) {
  if (options.store) return store::run_load(options, outputs);
  const auto transport = options.workload.readings.dialect().transport;
  if (of_datagrams(options.target)) return datagram::run_load(options, outputs);
  if (transport == protocol::Transport::datagram) {
    return Error{fmt::format("target '{}': dialect '{}' is spoken over udp://HOST:PORT",
                             options.target_text, options.workload.readings.dialect().name)};
  }
  const auto requests = Requests::make(options.workload);
  if (!requests) return requests.error();
  return Run{options, outputs, *requests}.run();
}

}  // namespace hallmark::loadgen
