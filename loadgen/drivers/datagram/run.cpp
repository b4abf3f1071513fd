#include "loadgen/drivers/datagram/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <thread>

#include "base/descriptor.hpp"
#include "base/nanoseconds.hpp"
#include "base/quantity.hpp"
#include "loadgen/drivers/datagram/server_counts.hpp"
#include "loadgen/drivers/datagram/worker.hpp"
#include "loadgen/engine/interrupts.hpp"
#include "loadgen/results/run_record.hpp"

namespace hallmark::loadgen::datagram {
namespace {

namespace asio = boost::asio;
using std::chrono::duration_cast;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

constexpr double most_places = 1 << 22;
constexpr std::size_t least_places = 4096;
/// Of a closed loop, whose rate nobody knows before: what a fast one sends in a second or so.
constexpr std::size_t closed_places = std::size_t{1} << 17;

/// In the open loop, the ids of two timeouts; in the closed, many times those in flight.
std::size_t places_for(const LoadOptions& options) {
  const double workers = worker_count(options);
  const double timeout = static_cast<double>(options.timeout.count()) / base::ns_per_second;
  double wanted = 2 * highest_rate(options) * timeout / workers + static_cast<double>(least_places);
  if (options.closed) {
    const double in_flight = static_cast<double>(options.depth) * options.connections / workers;
    wanted = std::max(static_cast<double>(closed_places), 4 * in_flight);
  }
  return std::bit_ceil(static_cast<std::size_t>(std::min(wanted, most_places)));
}

/// Digits that no run at another time, nor another run at this time, has: of a nanosecond.
std::string make_nonce() {
  const auto ns = static_cast<std::uint64_t>(system_clock::now().time_since_epoch().count());
  return fmt::format("{:010}",
                     base::mix64(ns ^ static_cast<std::uint64_t>(getpid()) << 48) % 10'000'000'000);
}

KeyPlan key_plan(const LoadOptions& options) {
  return {.keys = options.workload.keys,
          .prefix = options.workload.key_prefix,
          .patterns = options.datagram.key_patterns,
          .rules = options.datagram.rules,
          .workers = worker_count(options),
          .seed = options.workload.seed,
          .choice = options.workload.key_choice,
          .nonce = make_nonce()};
}

oracle::OverWhen over_when(const LoadOptions& options) {
  if (!options.datagram.over_when_known) return oracle::OverWhen::unknown;
  const bool above = options.workload.readings.reads({"over-when", "above"});
  return above ? oracle::OverWhen::above : oracle::OverWhen::at_limit;
}

/// Everything of a run that is not in a worker. Lives on one io_context, run by the caller's
/// thread.
class Run {
 public:
  Run(const LoadOptions& options, const LoadOutputs& outputs, const Requests& requests)
      : options_(options),
        outputs_(outputs),
        requests_(requests),
        pool_(requests.parts().size(), 2 * std::size_t{worker_count(options)} + 2, false,
              !options.closed) {}

  reports::LoadResult run();

 private:
  void describe();
  void interrupt();
  bool interrupted();
  bool prepare();
  bool target_answers();
  bool open_sockets();
  void load();
  WorkerPlan plan();
  WorkerEvents events();
  void start_worker(const WorkerPlan& plan, std::uint32_t number);
  void sum_up();
  void compare_counts();
  bool doubled() const { return result_.datagram->counts.duplicate != 0; }
  void fail(std::string_view what, std::string_view why) {
    result_.run_error = fmt::format("{}: {}: {}", options_.target_text, what, why);
  }

  const LoadOptions& options_;
  const LoadOutputs& outputs_;
  const Requests& requests_;
  asio::io_context context_{1};
  Interrupts interrupts_{context_};
  TallyPool pool_;
  Address address_;
  std::vector<Socket> sockets_;
  steady_clock::time_point origin_;
  std::optional<SecondLog> log_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
  std::uint32_t running_ = 0;
  std::int64_t end_ns_ = 0;
  CpuTime cpu_before_;
  ClientMeter meter_;
  std::optional<DepartureLog> departures_;
  int interrupted_ = 0;
  std::exception_ptr broken_;
  reports::LoadResult result_;
};

reports::LoadResult Run::run() {
  describe();
  raise_descriptor_limit();
  if (options_.handle_signals) interrupts_.watch([this] { interrupt(); });
  if (prepare()) load();
  return std::move(result_);
}

void Run::describe() {
  loadgen::describe(options_, result_);
  const auto add = [&](std::string name, const auto& value) {
    result_.header.options.push_back({std::move(name), fmt::format("{}", value)});
  };
  add("keys", requests_.keys().size());
  add("key", requests_.keys().text_of(0));
  add("timeout", base::human_duration(options_.timeout));
  add("seed", options_.workload.seed);
  if (options_.datagram.rules) add("rules", options_.datagram.rules_name);
}

// The first signal ends the planning, the second the wait for replies.
void Run::interrupt() {
  result_.interrupted = true;
  for (auto& worker : workers_) interrupted_ == 0 ? worker->stop() : worker->abandon();
  ++interrupted_;
}

bool Run::interrupted() {
  context_.poll();
  context_.restart();
  return result_.interrupted;
}

bool Run::prepare() {
  const auto address = resolve(std::get<base::UdpEndpoint>(options_.target));
  if (!address) {
    fail("cannot resolve", address.error().message);
    return false;
  }
  address_ = *address;
  return target_answers() && open_sockets();
}

// A socket of datagrams connects to anything: whether somebody is there shows in a reply only.
bool Run::target_answers() {
  auto socket = connect(address_, options_.datagram.receive_buffer);
  if (!socket) {
    fail("cannot connect", socket.error().message);
    return false;
  }
  Asker asker{std::move(*socket), options_.timeout};
  bool answered = false;
  const int error = asker.ask(
      1, [&](std::size_t, std::uint64_t id) { return requests_.ping(id); },
      [&](std::size_t, base::ByteView) { answered = true; }, [&] { return interrupted(); });
  if (answered || result_.interrupted) return answered && !result_.interrupted;
  fail("no reply to ping", error != 0 ? base::errno_text(error)
                                      : fmt::format("asked {} times, {} apart", Asker::tries,
                                                    base::human_duration(options_.timeout)));
  return false;
}

bool Run::open_sockets() {
  for (std::uint32_t i = 0; i < options_.connections; ++i) {
    auto socket = connect(address_, options_.datagram.receive_buffer);
    if (!socket) {
      fail("cannot connect", socket.error().message);
      return false;
    }
    sockets_.push_back(std::move(*socket));
  }
  return true;
}

void Run::load() {
  result_.datagram.emplace();
  result_.datagram->receive_buffer = sockets_.front().receive_buffer;
  origin_ = steady_clock::now() + (options_.closed ? nanoseconds(0) : lead_in);
  cpu_before_ = cpu_time();
  meter_.begin();
  log_.emplace(requests_.names(), pool_, outputs_, !options_.closed, worker_count(options_),
               system_clock::now() + duration_cast<system_clock::duration>(options_.warmup));
  if (!options_.closed) departures_.emplace(schedule_of(options_));
  const WorkerPlan shared = plan();
  auto keep_running = asio::make_work_guard(context_);
  for (std::uint32_t i = 0; i < worker_count(options_); ++i) start_worker(shared, i);
  context_.run();
  context_.restart();
  for (auto& thread : threads_) thread.join();
  if (broken_) std::rethrow_exception(broken_);
  conclude(*log_, requests_.names(), end_ns_ - shared.warmup_ns, cpu_before_, result_);
  result_.client = meter_.told();
  if (!options_.closed) certify_schedule(options_, log_->total(), departures_, result_);
  sum_up();
}

void Run::sum_up() {
  reports::DatagramLoad& datagram = *result_.datagram;
  for (const auto& worker : workers_) {
    add(datagram.counts, worker->book().counts());
    add(datagram.trouble, worker->trouble());
  }
  datagram.accounting_error = reports::imbalance(datagram.counts);
  if (options_.datagram.rules) compare_counts();
}

void Run::compare_counts() {
  std::vector<const LimitWatch*> watches;
  reports::LimitChecks& checks = result_.datagram->limits.emplace();
  for (const auto& worker : workers_) {
    watches.push_back(&*worker->book().limits());
    add(checks, watches.back()->checks(doubled()));
  }
  auto socket = connect(address_, options_.datagram.receive_buffer);
  if (!socket || interrupted_ > 1) return;
  Asker asker{std::move(*socket), options_.timeout};
  const int before = interrupted_;
  result_.datagram->server = compare_with_server(asker, requests_, watches, doubled(), [&] {
    interrupted();
    return interrupted_ > before;
  });
}

WorkerPlan Run::plan() {
  const auto end = options_.warmup + options_.duration;
  return {.book = {.requests = &requests_,
                   .open_loop = !options_.closed,
                   .timeout_ns = options_.timeout.count(),
                   .lag_bound_ns = options_.lag_bound.count(),
                   .departures = departures_ ? &*departures_ : nullptr,
                   .places = places_for(options_),
                   .watch_limits = options_.datagram.rules != nullptr,
                   .over_when = over_when(options_)},
          .tallies = &pool_,
          .origin = origin_,
          .schedule = schedule_of(options_),
          .depth = options_.depth,
          .workers = worker_count(options_),
          .warmup_ns = options_.warmup.count(),
          .end_ns = end.count()};
}

void Run::start_worker(const WorkerPlan& plan, std::uint32_t number) {
  std::vector<Socket> sockets;
  for (std::uint32_t c = number; c < options_.connections; c += plan.workers) {
    sockets.push_back(std::move(sockets_[c]));
  }
  ++running_;
  workers_.push_back(std::make_unique<Worker>(plan, number, std::move(sockets), events()));
  threads_.push_back(start_worker_thread(
      context_, [worker = workers_.back().get()] { worker->run(); },
      [this](std::exception_ptr failed) {
        broken_ = failed;
        for (auto& other : workers_) other->abandon();
        context_.stop();
      },
      meter_.thread()));
}

WorkerEvents Run::events() {
  return handed_over(context_,
                     {
                         .report =
                             [this](std::int64_t second, std::unique_ptr<Tally> tally, bool last) {
                               if (second < 0) cpu_before_ = cpu_time();
                               log_->report(second, std::move(tally), last);
                             },
                         .done =
                             [this](std::int64_t end_ns) {
                               end_ns_ = std::max(end_ns_, end_ns);
                               if (--running_ == 0) context_.stop();
                             },
                     });
}

}  // namespace

base::Result<reports::LoadResult> run_load(const LoadOptions& options, const LoadOutputs& outputs) {
  auto keys = Keys::make(key_plan(options));
  if (!keys) return keys.error();
  const auto requests = Requests::make(options.workload.readings, options.workload.mix,
                                       options.workload.seed, std::move(*keys));
  if (!requests) return requests.error();
  return Run{options, outputs, *requests}.run();
}

}  // namespace hallmark::loadgen::datagram
