#include "loadgen/engine/run.hpp"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>

#include "loadgen/drivers/driver_for.hpp"
#include "loadgen/engine/event_loop.hpp"
#include "loadgen/engine/interrupts.hpp"
#include "loadgen/engine/loop_thread.hpp"
#include "loadgen/results/run_record.hpp"

namespace hallmark::loadgen {
namespace {

namespace asio = boost::asio;
using std::chrono::duration_cast;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

/// Threads are started so long before their time begins.
constexpr nanoseconds thread_start = std::chrono::milliseconds(20);

/// A run over any transport: the order of things, signals, and the collecting of reports. The
/// caller's thread runs its io_context.
class Run final : RunControl {
 public:
  Run(const LoadOptions& options, const LoadOutputs& outputs, std::unique_ptr<RunDriver> driver)
      : options_(options),
        outputs_(outputs),
        driver_(std::move(driver)),
        threads_wanted_(driver_->threads()),
        pool_(driver_->parts().size(),
              threads_wanted_ + std::min(threads_wanted_, processors()) + std::size_t{2},
              options.staged, !options.closed) {}

  reports::LoadResult run();

 private:
  asio::io_context& context() override { return context_; }
  unsigned interruptions() override;
  void await(asio::awaitable<void> work) override;

  /// Until it is stopped; it is whenever it has run out of work, too.
  void run_context() {
    context_.restart();
    context_.run();
  }

  void interrupt();
  std::uint32_t shares() const { return options_.share ? options_.share->of : 1; }
  bool find_origin();
  bool wait_for_origin();
  void load();
  LoopPlan plan();
  void start_loop(const LoopPlan& plan, std::uint32_t own);
  LoopEvents events(std::uint32_t own);
  void give_up(std::exception_ptr broken);
  void sum_up(const LoopPlan& plan);

  const LoadOptions& options_;
  const LoadOutputs& outputs_;
  asio::io_context context_{1};
  bool awaiting_ = false;
  Interrupts interrupts_{context_};
  asio::steady_timer beginning_{context_};
  std::vector<std::unique_ptr<EventLoop>> loops_;
  std::unique_ptr<RunDriver> driver_;
  std::uint32_t threads_wanted_;
  TallyPool pool_;
  steady_clock::time_point origin_;
  std::optional<SecondLog> log_;
  std::vector<std::thread> threads_;
  std::uint32_t running_ = 0;
  std::int64_t end_ns_ = 0;
  CpuTime cpu_before_;
  ClientMeter meter_;
  unsigned interruptions_ = 0;
  std::exception_ptr broken_;
  reports::LoadResult result_;
};

reports::LoadResult Run::run() {
  describe(options_, result_);
  driver_->describe(result_.header);
  raise_descriptor_limit();
  if (options_.handle_signals)
    interrupts_.watch([this] {
      result_.interrupted = true;
      interrupt();
    });
  const std::stop_callback stopped{options_.stop,
                                   [this] { asio::post(context_, [this] { interrupt(); }); }};
  if (const auto ready = driver_->prepare(*this); !ready) {
    result_.run_error = fmt::format("{}: {}", options_.target_text, ready.error().message);
  } else if (interruptions() == 0 && wait_for_origin()) {
    load();
  }
  driver_->tidy_up(*this, result_);
  return std::move(result_);
}

// The first ends the planning, the second the wait for replies.
void Run::interrupt() {
  for (auto& loop : loops_) interruptions_ == 0 ? loop->stop() : loop->abandon();
  ++interruptions_;
  driver_->interrupt();
  beginning_.cancel();
}

unsigned Run::interruptions() {
  if (!awaiting_) {
    context_.restart();
    context_.poll();
  }
  return interruptions_;
}

void Run::await(asio::awaitable<void> work) {
  std::exception_ptr failed;
  asio::co_spawn(context_, std::move(work), [&](std::exception_ptr thrown) {
    failed = std::move(thrown);
    context_.stop();
  });
  awaiting_ = true;
  run_context();
  awaiting_ = false;
  if (failed) std::rethrow_exception(failed);
}

/// When the time of the run begins. False: it has begun without this process, or nobody wants it.
bool Run::find_origin() {
  if (outputs_.connected) {
    const auto origin = outputs_.connected();
    if (origin) origin_ = *origin;
    return origin.has_value();
  }
  const auto now = steady_clock::now();
  origin_ = now + (options_.closed ? nanoseconds(0) : lead_in);
  if (!options_.share) return true;
  const auto left = options_.share->start - system_clock::now();
  origin_ = now + duration_cast<nanoseconds>(left);
  if (left.count() >= 0) return true;
  result_.run_error = fmt::format("ready {:.1f} s after the start of all shares; start later",
                                  -std::chrono::duration<double>(left).count());
  return false;
}

bool Run::wait_for_origin() {
  if (!find_origin()) return false;
  beginning_.expires_at(origin_ - thread_start);
  beginning_.async_wait([this](const boost::system::error_code&) { context_.stop(); });
  run_context();
  // Threads of a closed loop send as soon as they live.
  if (options_.closed && interruptions_ == 0) std::this_thread::sleep_until(origin_);
  return interruptions_ == 0;
}

void Run::load() {
  cpu_before_ = cpu_time();
  meter_.begin();
  log_.emplace(driver_->parts(), pool_, outputs_, !options_.closed, threads_wanted_,
               system_clock::now() + duration_cast<system_clock::duration>(
                                         origin_ - steady_clock::now() + options_.warmup));
  const LoopPlan shared = plan();
  driver_->begin(*this, shared);
  auto keep_running = asio::make_work_guard(context_);
  for (std::uint32_t i = 0; i < threads_wanted_; ++i) start_loop(shared, i);
  run_context();
  for (auto& thread : threads_) thread.join();
  if (broken_) std::rethrow_exception(broken_);
  sum_up(shared);
}

LoopPlan Run::plan() {
  const std::uint32_t loops = shares() * threads_wanted_;
  return {.tallies = &pool_,
          .origin = origin_,
          .schedule = schedule_of(options_),
          .open_loop = !options_.closed,
          .spinning = options_.spinning,
          .loops = loops,
          .crowded = loops >= processors(),
          .warmup_ns = options_.warmup.count(),
          .end_ns = (options_.warmup + options_.duration).count()};
}

void Run::start_loop(const LoopPlan& plan, std::uint32_t own) {
  const std::uint32_t share = options_.share ? options_.share->number : 0;
  EventLoop& loop =
      *loops_.emplace_back(std::make_unique<EventLoop>(plan, share + shares() * own, events(own)));
  LoopDriver& driver = driver_->drive(loop, own);
  ++running_;
  threads_.push_back(start_loop_thread(
      context_,
      [&loop, &driver, own, pinned = options_.pinned] {
        if (pinned) stay_on_processor(own);
        loop.run(driver);
      },
      [this](std::exception_ptr broken) { give_up(std::move(broken)); }, meter_.thread()));
}

void Run::give_up(std::exception_ptr broken) {
  broken_ = std::move(broken);
  for (auto& loop : loops_) loop->abandon();
  context_.stop();
}

LoopEvents Run::events(std::uint32_t own) {
  return handed_over(
      context_, {.report =
                     [this, own](std::int64_t second, std::unique_ptr<Tally> tally, bool last) {
                       if (second < 0) cpu_before_ = cpu_time();
                       driver_->observe(own, *tally);
                       log_->report(second, std::move(tally), last);
                     },
                 .done =
                     [this](std::int64_t end_ns) {
                       end_ns_ = std::max(end_ns_, end_ns);
                       if (--running_ == 0) context_.stop();
                     }});
}

void Run::sum_up(const LoopPlan& plan) {
  conclude(*log_, driver_->parts(), end_ns_ - plan.warmup_ns, cpu_before_, result_);
  result_.client = meter_.told();
  if (outputs_.counted) outputs_.counted(log_->total());
  driver_->conclude(*this, log_->total(), result_);
  if (options_.closed) return;
  std::vector<const DepartureLog*> departures;
  for (const auto& loop : loops_) departures.push_back(loop->departures());
  certify_schedule(options_, log_->total(), departures, result_);
}

}  // namespace

base::Result<reports::LoadResult> run_load(const LoadOptions& options, const LoadOutputs& outputs) {
  auto driver = driver_for(options);
  if (!driver) return driver.error();
  return Run{options, outputs, std::move(*driver)}.run();
}

}  // namespace hallmark::loadgen
