#include "loadgen/drivers/store/run.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>

#include "base/quantity.hpp"
#include "loadgen/drivers/store/worker.hpp"
#include "loadgen/engine/interrupts.hpp"
#include "loadgen/results/run_record.hpp"

namespace hallmark::loadgen::store {
namespace {

namespace asio = boost::asio;
using std::chrono::duration_cast;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

constexpr auto judged_every = std::chrono::milliseconds(100);
constexpr std::uint32_t keys_at_once = 1000;
const std::string only_part = "decide";

/// Everything of a run that is not in a worker. Lives on one io_context, run by the caller's
/// thread.
class Run {
 public:
  Run(const LoadOptions& options, const LoadOutputs& outputs)
      : options_(options),
        outputs_(outputs),
        mix_{{only_part, 1}},
        chooser_(mix_, {options.workload.key_choice, options.workload.keys, options.workload.seed},
                 options.workload.seed),
        pool_(1, std::size_t{options.connections} + 2, false, !options.closed) {}

  reports::LoadResult run();

 private:
  void describe();
  void interrupt();
  bool interrupted();
  bool prepare();
  stores::Result<void> erase(stores::Connection& connection, bool stoppable);
  void load();
  void judge_now_and_then();
  WorkerPlan plan();
  WorkerEvents events();
  void start_worker(const WorkerPlan& plan, std::uint32_t number);
  void sum_up();
  void tidy_up();
  void fail(std::string_view what, std::string_view why) {
    result_.run_error = fmt::format("{}: {}: {}", options_.target_text, what, why);
  }

  const LoadOptions& options_;
  const LoadOutputs& outputs_;
  std::vector<MixPart> mix_;
  RequestChooser chooser_;
  asio::io_context context_{1};
  Interrupts interrupts_{context_};
  asio::steady_timer judging_{context_};
  TallyPool pool_;
  std::vector<std::unique_ptr<stores::Connection>> connections_;
  steady_clock::time_point origin_;
  std::optional<AdmissionJudge> judge_;
  std::optional<SecondLog> log_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
  std::uint32_t running_ = 0;
  std::int64_t end_ns_ = 0;
  CpuTime cpu_before_;
  ClientMeter meter_;
  bool touched_ = false;  ///< there may be keys of this run
  std::exception_ptr broken_;
  reports::LoadResult result_;
};

reports::LoadResult Run::run() {
  describe();
  raise_descriptor_limit();
  if (options_.handle_signals) interrupts_.watch([this] { interrupt(); });
  if (prepare()) load();
  if (touched_) tidy_up();
  return std::move(result_);
}

void Run::describe() {
  loadgen::describe(options_, result_);
  const auto add = [&](std::string name, const auto& value) {
    result_.header.options.push_back({std::move(name), fmt::format("{}", value)});
  };
  add("strategy", options_.store->strategy);
  add("keys", options_.workload.keys);
  add("key", options_.workload.key_prefix + "0");
  add("retries", options_.store->retries);
  add("timeout", base::human_duration(options_.timeout));
  add("seed", options_.workload.seed);
}

void Run::interrupt() {
  result_.interrupted = true;
  for (auto& worker : workers_) worker->stop();
}

bool Run::interrupted() {
  context_.poll();
  context_.restart();
  return result_.interrupted;
}

bool Run::prepare() {
  for (std::uint32_t i = 0; i < options_.connections; ++i) {
    auto connection = options_.store->connect();
    if (!connection) {
      fail("cannot connect", connection.error().message);
      return false;
    }
    connections_.push_back(std::move(*connection));
    if (interrupted()) return false;
  }
  if (const auto erased = erase(*connections_.front(), true); !erased) {
    fail("cannot remove what earlier runs left", erased.error().message);
    return false;
  }
  return !result_.interrupted;
}

/// The keys of this run and no others, by their names.
stores::Result<void> Run::erase(stores::Connection& connection, bool stoppable) {
  std::vector<std::string> keys;
  for (std::uint32_t key = 0; key < options_.workload.keys;) {
    if (interrupted() && stoppable) return {};
    keys.clear();
    for (; key < options_.workload.keys && keys.size() < keys_at_once; ++key) {
      keys.push_back(fmt::format("{}{}", options_.workload.key_prefix, key));
    }
    if (const auto erased = connection.erase(keys); !erased) return erased.error();
  }
  return {};
}

void Run::load() {
  touched_ = true;
  origin_ = steady_clock::now();
  const auto started = system_clock::now();
  cpu_before_ = cpu_time();
  meter_.begin();
  const WorkerPlan shared = plan();
  judge_.emplace(options_.store->bounds, options_.workload.keys, options_.connections,
                 shared.epoch_ns);
  log_.emplace(std::vector{only_part}, pool_, outputs_, !options_.closed, options_.connections,
               started + duration_cast<system_clock::duration>(options_.warmup));
  auto keep_running = asio::make_work_guard(context_);
  for (std::uint32_t i = 0; i < options_.connections; ++i) start_worker(shared, i);
  judge_now_and_then();
  context_.run();
  context_.restart();
  judging_.cancel();
  for (auto& thread : threads_) thread.join();
  if (broken_) std::rethrow_exception(broken_);
  conclude(*log_, {only_part}, end_ns_ - shared.warmup_ns, cpu_before_, result_);
  result_.client = meter_.told();
  sum_up();
}

void Run::judge_now_and_then() {
  judging_.expires_after(judged_every);
  judging_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    judge_->judge();
    judge_now_and_then();
  });
}

void Run::sum_up() {
  judge_->finish();
  reports::StoreLoad& store = result_.store.emplace();
  for (const auto& worker : workers_) add(store.counts, worker->counts());
  store.admissions = judge_->checks(options_.workload.key_prefix);
}

WorkerPlan Run::plan() {
  const auto end = options_.warmup + options_.duration;
  return {.options = &*options_.store,
          .chooser = &chooser_,
          .key_prefix = options_.workload.key_prefix,
          .tallies = &pool_,
          .origin = origin_,
          // From here on the steady clock: one that is set while the run lasts moves no decision.
          .epoch_ns = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count() -
                      duration_cast<nanoseconds>(steady_clock::now() - origin_).count(),
          .schedule = schedule_of(options_),
          .open_loop = !options_.closed,
          .workers = options_.connections,
          .warmup_ns = options_.warmup.count(),
          .end_ns = end.count(),
          .timeout_ns = options_.timeout.count()};
}

void Run::start_worker(const WorkerPlan& plan, std::uint32_t number) {
  ++running_;
  workers_.push_back(std::make_unique<Worker>(plan, number, std::move(connections_[number]),
                                              judge_->lane(number), events()));
  threads_.push_back(start_worker_thread(
      context_, [worker = workers_.back().get()] { worker->run(); },
      [this](std::exception_ptr failed) {
        broken_ = failed;
        for (auto& other : workers_) other->stop();
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

void Run::tidy_up() {
  auto connection = options_.store->connect();
  auto erased = connection ? erase(**connection, false) : connection.error();
  if (!erased) result_.errors.push_back({"keys left behind", 1, erased.error().message});
}

}  // namespace

base::Result<reports::LoadResult> run_load(const LoadOptions& options, const LoadOutputs& outputs) {
  if (options.workload.keys == 0) return base::Error{"--keys 0; allowed: at least 1"};
  return Run{options, outputs}.run();
}

}  // namespace hallmark::loadgen::store
