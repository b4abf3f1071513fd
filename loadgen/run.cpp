#include "loadgen/run.hpp"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <map>
#include <thread>

#include "loadgen/datagram/run.hpp"
#include "loadgen/interrupts.hpp"
#include "loadgen/run_record.hpp"
#include "loadgen/setup.hpp"
#include "loadgen/store/run.hpp"
#include "loadgen/stream.hpp"
#include "loadgen/summary.hpp"
#include "loadgen/worker.hpp"

namespace hallmark::loadgen {
namespace {

namespace asio = boost::asio;
using std::chrono::duration_cast;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

/// Between attempts to connect again: doubled from the first to the longest.
constexpr nanoseconds first_pause = std::chrono::milliseconds(10);
constexpr nanoseconds longest_pause = std::chrono::seconds(1);

/// Everything of a run that is not in a worker: connections, signals, the collecting of reports and
/// the order of things. Lives on one io_context, run by the caller's thread.
class Run {
 public:
  Run(const LoadOptions& options, const LoadOutputs& outputs, const Requests& requests)
      : options_(options),
        outputs_(outputs),
        requests_(requests),
        pool_(requests.parts().size(), 2 * std::size_t{worker_count(options)} + 2, options.staged) {
  }

  reports::LoadResult run();

 private:
  void describe();
  void interrupt();
  asio::awaitable<void> whole();
  asio::awaitable<bool> prepare();
  asio::awaitable<bool> open_connections();
  asio::awaitable<void> open_one(std::uint32_t connection);
  asio::awaitable<void> load();
  asio::awaitable<void> tidy_up();
  std::uint32_t all_connections() const {
    return options_.connections + options_.workload.subscribers;
  }
  bool is_subscriber(std::uint32_t connection) const { return connection >= options_.connections; }
  asio::awaitable<Result<Stream>> open(std::uint32_t connection);
  asio::awaitable<void> reconnect(std::uint32_t connection, bool gone);
  nanoseconds pause_before(std::uint32_t connection, unsigned attempt) const;
  std::uint32_t worker_of(std::uint32_t connection) const;
  void settle(std::uint32_t connection, bool gone);
  void note_gap(steady_clock::time_point since);
  void add_facts();
  WorkerPlan plan();
  WorkerEvents events();
  void start_worker(const WorkerPlan& plan, std::uint32_t number);
  void add_load_errors();
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
  std::vector<Descriptor> sockets_;
  std::uint32_t opening_ = 0;
  std::optional<Error> not_opened_;
  steady_clock::time_point origin_;
  std::optional<SecondLog> log_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
  std::uint32_t running_ = 0;
  std::int64_t end_ns_ = 0;
  CpuTime cpu_before_;
  ClientMeter meter_;
  std::optional<DepartureLog> departures_;
  reports::ErrorKind not_reconnected_{"reconnect failed", 0, {}};
  reports::ConnectionFacts facts_;
  Histogram connecting_;
  std::map<std::uint32_t, steady_clock::time_point> gone_;  ///< connections, since when
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
  boost::system::error_code ignored;
  if (setup_) setup_->cancel(ignored);
  for (auto& worker : workers_) interrupted_ == 0 ? worker->stop() : worker->abandon();
  ++interrupted_;
}

// Results of co_await get names before they are used: GCC 12 miscompiles it inside && and ?:.
asio::awaitable<void> Run::whole() {
  const bool ready = co_await prepare();
  if (ready) co_await load();
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
  const auto steps = requests_.before();
  const auto played = co_await play(*setup_, requests_, steps, options_.timeout);
  setup_.reset();
  if (result_.interrupted) co_return false;
  if (!played) fail("cannot store the keys", played.error());
  co_return played&& co_await open_connections();
}

asio::awaitable<bool> Run::open_connections() {
  sockets_.resize(all_connections());
  opening_ = all_connections();
  for (std::uint32_t i = 0; i < all_connections(); ++i) {
    asio::co_spawn(context_, open_one(i), asio::detached);
  }
  boost::system::error_code ignored;
  co_await gate_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  if (not_opened_) fail("cannot connect", *not_opened_);
  co_return !not_opened_ && !result_.interrupted;
}

/// A connection that is ready for its requests, or its deliveries.
asio::awaitable<Result<Stream>> Run::open(std::uint32_t connection) {
  const auto began = steady_clock::now();
  auto stream = co_await connect(endpoints_, options_.timeout);
  if (!stream) {
    ++facts_.failed;
    co_return stream.error();
  }
  connecting_.record(static_cast<std::uint64_t>(nanoseconds(steady_clock::now() - began).count()));
  ++facts_.opened;
  if (!is_subscriber(connection)) co_return std::move(*stream);
  const auto steps = requests_.subscription();
  const auto subscribed = co_await play(*stream, requests_, steps, options_.timeout);
  if (!subscribed) co_return subscribed.error();
  co_return std::move(*stream);
}

asio::awaitable<void> Run::open_one(std::uint32_t connection) {
  auto stream = co_await open(connection);
  if (stream) {
    sockets_[connection] = Descriptor{stream->release()};
  } else {
    not_opened_ = stream.error();
  }
  if (--opening_ == 0) gate_.cancel();
}

asio::awaitable<void> Run::load() {
  origin_ = steady_clock::now() + (options_.closed ? nanoseconds(0) : lead_in);
  cpu_before_ = cpu_time();
  meter_.begin();
  log_.emplace(requests_.names(), pool_, outputs_, !options_.closed, worker_count(options_),
               system_clock::now() + duration_cast<system_clock::duration>(
                                         origin_ - steady_clock::now() + options_.warmup));
  if (!options_.closed) departures_.emplace(schedule_of(options_));
  const reports::SocketFacts sockets = facts_of(sockets_);
  const WorkerPlan shared = plan();
  for (std::uint32_t i = 0; i < worker_count(options_); ++i) start_worker(shared, i);
  boost::system::error_code ignored;
  co_await gate_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  for (auto& thread : threads_) thread.join();
  conclude(*log_, requests_.names(), end_ns_ - shared.warmup_ns, cpu_before_, result_);
  result_.client = meter_.told();
  result_.client->sockets = sockets;
  if (!options_.closed) certify_schedule(options_, log_->total(), departures_, result_);
  add_load_errors();
  add_facts();
}

void Run::add_load_errors() {
  if (not_reconnected_.count != 0) result_.errors.push_back(not_reconnected_);
}

WorkerPlan Run::plan() {
  const auto end = options_.warmup + options_.duration;
  return {.connection = {.requests = &requests_,
                         .open_loop = !options_.closed,
                         .warmup_ns = options_.warmup.count(),
                         .lag_bound_ns = options_.lag_bound.count(),
                         .departures = departures_ ? &*departures_ : nullptr},
          .tallies = &pool_,
          .origin = origin_,
          .schedule = schedule_of(options_),
          .depth = options_.depth,
          .workers = worker_count(options_),
          .subscribers = options_.workload.subscribers,
          .churn = options_.churn,
          .staged = options_.staged,
          .warmup_ns = options_.warmup.count(),
          .end_ns = end.count(),
          .timeout_ns = options_.timeout.count()};
}

void Run::start_worker(const WorkerPlan& plan, std::uint32_t number) {
  std::vector<Descriptor> sockets;
  const auto add = [&](std::uint32_t first, std::uint32_t many) {
    for (std::uint32_t c = number; c < many; c += plan.workers)
      sockets.push_back(std::move(sockets_[first + c]));
  };
  add(0, options_.connections);
  add(options_.connections, options_.workload.subscribers);
  ++running_;
  workers_.push_back(std::make_unique<Worker>(plan, number, std::move(sockets), events()));
  threads_.push_back(start_worker_thread(
      context_, [worker = workers_.back().get()] { worker->run(); },
      [this](std::exception_ptr failed) {
        broken_ = failed;
        context_.stop();
      },
      meter_.thread()));
}

WorkerEvents Run::events() {
  return handed_over(context_,
                     {.report =
                          [this](std::int64_t second, std::unique_ptr<Tally> tally, bool last) {
                            if (second < 0) cpu_before_ = cpu_time();
                            log_->report(second, std::move(tally), last);
                          },
                      .done =
                          [this](std::int64_t end_ns) {
                            end_ns_ = std::max(end_ns_, end_ns);
                            if (--running_ == 0) gate_.cancel();
                          },
                      .lost =
                          [this](std::uint32_t connection, bool gone) {
                            asio::co_spawn(context_, reconnect(connection, gone), asio::detached);
                          }});
}

/// Half of it or more: connections that were lost together do not all come back at once.
nanoseconds Run::pause_before(std::uint32_t connection, unsigned attempt) const {
  const auto longest = std::min(longest_pause, first_pause * (1U << std::min(attempt, 10U)));
  const std::uint64_t drawn = CounterRandom::mix(std::uint64_t{connection} << 32 | attempt);
  return longest / 2 +
         nanoseconds(CounterRandom::scale(drawn, static_cast<std::uint64_t>(longest.count() / 2)));
}

asio::awaitable<void> Run::reconnect(std::uint32_t connection, bool gone) {
  if (gone) {
    ++facts_.lost;
    gone_.emplace(connection, steady_clock::now());
  }
  asio::steady_timer pause{context_};
  for (unsigned attempt = gone ? 0 : 1; running_ != 0 && !result_.interrupted; ++attempt) {
    // A connection that is replaced still works: the first attempt need not wait.
    if (gone || attempt > 1) {
      pause.expires_after(pause_before(connection, attempt));
      co_await pause.async_wait(asio::use_awaitable);
    }
    if (running_ == 0) co_return;
    auto stream = co_await open(connection);
    if (stream) {
      settle(connection, gone);
      workers_[worker_of(connection)]->adopt(connection, Descriptor{stream->release()});
      co_return;
    }
    ++not_reconnected_.count;
    not_reconnected_.example = stream.error().message;
  }
}

/// The numbers of subscribers begin anew.
std::uint32_t Run::worker_of(std::uint32_t connection) const {
  const std::uint32_t own = is_subscriber(connection) ? options_.connections : 0;
  return (connection - own) % worker_count(options_);
}

void Run::settle(std::uint32_t connection, bool gone) {
  ++(gone ? facts_.regained : facts_.replaced);
  const auto since = gone_.find(connection);
  if (since == gone_.end()) return;
  note_gap(since->second);
  gone_.erase(since);
}

void Run::note_gap(steady_clock::time_point since) {
  const auto gap = static_cast<std::uint64_t>(nanoseconds(steady_clock::now() - since).count());
  facts_.longest_gap_ns = std::max(facts_.longest_gap_ns, gap);
}

/// What is told of connections, deliveries and single requests.
void Run::add_facts() {
  for (const auto& [connection, since] : gone_) note_gap(since);
  facts_.connecting = latency_of(connecting_);
  result_.connections = facts_;
  const Tally& total = log_->total();
  result_.slowest = slowest_of(total, requests_);
  if (total.stages) result_.stages = stages_of(*total.stages);
  if (const auto subscribers = options_.workload.subscribers; subscribers != 0)
    result_.fan_out = fan_out_of(total, requests_, subscribers);
}

asio::awaitable<void> Run::tidy_up() {
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
