#include "loadgen/drivers/stream/run_driver.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "loadgen/drivers/stream/driver.hpp"
#include "loadgen/drivers/stream/run_connections.hpp"
#include "loadgen/drivers/stream/setup.hpp"
#include "loadgen/judge/record_judge.hpp"
#include "loadgen/results/run_record.hpp"
#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {
namespace {

namespace asio = boost::asio;
using base::Error;
using base::Result;

Error failed(std::string_view what, const Error& why) {
  return {fmt::format("{}: {}", what, why.message)};
}

/// Returns true if this process sees all requests. It does not see those of other processes, unless
/// somebody puts them together.
bool sees_all(const LoadOptions& options) { return !options.share || options.share->observed; }
bool counts_all(const LoadOptions& options) { return !options.share || options.share->moved; }

/// Readies the target, keeps the connections, and judges the records.
class StreamRun final : public RunDriver {
 public:
  StreamRun(const LoadOptions& options, Requests requests)
      : options_(options),
        requests_(std::move(requests)),
        watched_(options.workload.keys, sees_all(options) ? options.watched : 0) {}

  std::vector<std::string> parts() const override { return requests_.names(); }
  std::uint32_t threads() const override { return worker_count(options_); }
  void describe(reports::RunHeader& header) const override;
  Result<void> prepare(RunControl& run) override;
  void begin(RunControl& run, const LoopPlan& plan) override;
  LoopDriver& drive(EventLoop& loop, std::uint32_t own) override;
  void observe(std::uint32_t own, const Tally& tally) override;
  void interrupt() override;
  void conclude(RunControl& run, const Tally& total, reports::LoadResult& result) override;
  void tidy_up(RunControl& run, reports::LoadResult& result) override;

 private:
  asio::awaitable<Result<void>> ready_target();
  asio::awaitable<Result<void>> play_once(std::span<const SetupStep> steps, StepObserver answered);
  void hand_out(std::uint32_t own, const Tally& tally);
  bool knows_counters();
  asio::awaitable<void> read_back(reports::LoadResult& result);
  asio::awaitable<void> remove_keys(reports::LoadResult& result);
  void add_facts(const Tally& total, reports::LoadResult& result) const;
  StreamDriver::Lost lost_to(RunControl& run);
  /// The number of processes that share the run.
  std::uint32_t shares() const { return options_.share ? options_.share->of : 1; }
  bool sets_up() const { return !options_.share || options_.share->number == 0; }
  bool is_subscriber(std::uint32_t connection) const { return connection >= options_.connections; }
  std::uint32_t loop_of(std::uint32_t connection) const;

  const LoadOptions& options_;
  Requests requests_;
  Endpoints endpoints_;
  std::optional<Stream> setup_;
  std::optional<RunConnections> connections_;
  reports::SocketFacts sockets_;
  StreamPlan plan_;
  StreamDriver::Lost lost_;
  std::vector<std::unique_ptr<StreamDriver>> drivers_;
  WatchedKeys watched_;
  std::optional<CounterLedger> counters_;
  std::optional<InsertLedger> inserts_;
  std::optional<RecordJudge> judge_;
  unsigned interruptions_ = 0;
};

void StreamRun::describe(reports::RunHeader& header) const {
  const auto add = [&](std::string name, const auto& value) {
    header.options.push_back({std::move(name), fmt::format("{}", value)});
  };
  const Workload& workload = options_.workload;
  add("keys", workload.keys);
  if (!workload.named_keys) add("key-choice", workload.key_choice.text());
  add("value-bytes", workload.value_sizes.text());
  if (workload.subscribers != 0) add("subscribers", workload.subscribers);
  add("seed", workload.seed);
}

void StreamRun::interrupt() {
  ++interruptions_;
  if (connections_) connections_->stop();
  boost::system::error_code ignored;
  if (setup_) setup_->cancel(ignored);
}

Result<void> StreamRun::prepare(RunControl& run) {
  connections_.emplace(run.context(), options_, requests_,
                       [this](std::uint32_t connection, base::Descriptor socket) {
                         drivers_[loop_of(connection)]->adopt(connection, std::move(socket));
                       });
  Result<void> ready;
  run.await([](StreamRun& self, Result<void>& outcome) -> asio::awaitable<void> {
    outcome = co_await self.ready_target();
  }(*this, ready));
  return ready;
}

// Results of co_await get names before they are used, and so do its arguments: GCC 12 miscompiles
// it inside && and ?:, and loses temporaries.
asio::awaitable<Result<void>> StreamRun::ready_target() {
  auto endpoints = co_await resolve(options_.target);
  if (!endpoints) co_return failed("cannot resolve", endpoints.error());
  auto stream = co_await connect(*endpoints, options_.timeout);
  if (!stream) co_return failed("cannot connect", stream.error());
  endpoints_ = std::move(*endpoints);
  setup_.emplace(std::move(*stream));
  const auto steps = sets_up() ? requests_.before() : std::vector<SetupStep>();
  const auto played = co_await play(*setup_, requests_, steps, options_.timeout);
  setup_.reset();
  if (interruptions_ != 0) co_return Result<void>{};
  if (!played) co_return failed("cannot store the keys", played.error());
  const auto opened = co_await connections_->open_all(endpoints_);
  if (!opened) {
    // The connection that removes the keys needs a descriptor.
    connections_->sockets().clear();
    co_return failed("cannot connect", opened.error());
  }
  co_return Result<void>{};
}

void StreamRun::begin(RunControl& run, const LoopPlan& plan) {
  sockets_ = facts_of(connections_->sockets());
  judge_.emplace(requests_, watched_, threads());
  const std::uint32_t keys = options_.workload.keys;
  if (counts_all(options_) && !requests_.counters().empty()) counters_.emplace(keys);
  // The winners in other processes are not known here.
  if (!options_.share && requests_.tells_winners())
    inserts_.emplace(keys, Requests::passing_ttl_ns());
  lost_ = lost_to(run);
  plan_ = {.connection = {.requests = &requests_,
                          .open_loop = plan.open_loop,
                          .warmup_ns = plan.warmup_ns,
                          .timeout_ns = options_.timeout.count(),
                          .lag_bound_ns = options_.lag_bound.count(),
                          .most_in_flight = options_.most_in_flight,
                          .watched = watched_.size() == 0 ? nullptr : &watched_,
                          .counters = counters_ ? &*counters_ : nullptr,
                          .inserts = inserts_ ? &*inserts_ : nullptr},
           .depth = options_.depth,
           .subscribers = options_.workload.subscribers,
           .churn = options_.churn,
           .staged = options_.staged};
}

/// Connections are opened again by the thread of the run.
StreamDriver::Lost StreamRun::lost_to(RunControl& run) {
  return [this, &context = run.context()](std::uint32_t connection, bool gone) {
    asio::post(context, [this, connection, gone] { connections_->open_again(connection, gone); });
  };
}

LoopDriver& StreamRun::drive(EventLoop& loop, std::uint32_t /*own*/) {
  std::vector<base::Descriptor> sockets;
  const auto add = [&](std::uint32_t first, std::uint32_t many) {
    for (std::uint32_t c = loop.number(); c < many; c += loop.plan().loops)
      sockets.push_back(std::move(connections_->sockets()[first + c]));
  };
  add(0, options_.connections);
  add(options_.connections, options_.workload.subscribers);
  return *drivers_.emplace_back(
      std::make_unique<StreamDriver>(loop, plan_, std::move(sockets), lost_));
}

void StreamRun::observe(std::uint32_t own, const Tally& tally) {
  if (options_.share && options_.share->observed) return hand_out(own, tally);
  judge_->take(own, tally.observed, tally.unobserved_since_ns);
}

/// Somebody else judges.
void StreamRun::hand_out(std::uint32_t own, const Tally& tally) {
  std::int64_t complete_ns = tally.unobserved_since_ns;
  for (std::size_t slot = 0; slot < watched_.size(); ++slot)
    complete_ns = std::min(complete_ns, watched_.watched_until_ns(slot));
  options_.share->observed(own, tally.observed, complete_ns);
  for (const Observation& one : tally.observed)
    watched_.judged(watched_.slot_of(requests_.parts()[one.part].keys, one.key), 1);
}

/// The numbers of subscribers begin anew.
std::uint32_t StreamRun::loop_of(std::uint32_t connection) const {
  const std::uint32_t own = is_subscriber(connection) ? options_.connections : 0;
  return (connection - own) % (shares() * threads()) / shares();
}

void StreamRun::conclude(RunControl& run, const Tally& total, reports::LoadResult& result) {
  if (options_.share && counters_) options_.share->moved(*counters_);
  if (options_.share && options_.share->ended) options_.share->ended();
  result.client->sockets = sockets_;
  const reports::ErrorKind& not_reconnected = connections_->not_reconnected();
  if (not_reconnected.count != 0) result.errors.push_back(not_reconnected);
  add_facts(total, result);
  judge_->finish();
  if (inserts_) judge_->take_inserts(inserts_->findings());
  if (knows_counters() && interruptions_ < 2) run.await(read_back(result));
  result.records = judge_->checks();
}

/// Returns true if this process knows by how much every counter was moved.
bool StreamRun::knows_counters() {
  if (!counters_ || !sets_up()) return false;
  return !options_.share || options_.share->add_moved(*counters_);
}

/// Adds what is told of connections, deliveries and single requests.
void StreamRun::add_facts(const Tally& total, reports::LoadResult& result) const {
  result.connections = connections_->facts();
  result.slowest = slowest_of(total, requests_);
  if (total.stages) result.stages = stages_of(*total.stages);
  if (const auto subscribers = options_.workload.subscribers; subscribers != 0)
    result.fan_out = fan_out_of(total, requests_, subscribers);
}

/// Plays steps over a connection of their own.
asio::awaitable<Result<void>> StreamRun::play_once(std::span<const SetupStep> steps,
                                                   StepObserver answered) {
  auto stream = co_await connect(endpoints_, options_.timeout);
  if (!stream) co_return stream.error();
  setup_.emplace(std::move(*stream));
  auto played = co_await play(*setup_, requests_, steps, options_.timeout, std::move(answered));
  setup_.reset();
  co_return played;
}

/// Reads back the final quotas of the counters, over a connection that did not move them.
asio::awaitable<void> StreamRun::read_back(reports::LoadResult& result) {
  const auto steps = requests_.counters();
  StepObserver told = [this](const SetupStep& step, const CheckedReply& reply) {
    judge_->read_back(*counters_, step.key,
                      reply.success ? std::optional(reply.told) : std::nullopt);
  };
  const auto played = co_await play_once(steps, std::move(told));
  if (!played) result.errors.push_back({"counters not read back", 1, played.error().message});
}

asio::awaitable<void> StreamRun::remove_keys(reports::LoadResult& result) {
  if (options_.share && !options_.share->ended) {
    // Others may still be waiting for what the keys are needed for.
    asio::steady_timer timer{co_await asio::this_coro::executor, options_.timeout};
    boost::system::error_code ignored;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  const auto steps = requests_.after();
  const auto played = co_await play_once(steps, {});
  if (!played && result.run_error.empty())
    result.errors.push_back({"keys left behind", 1, played.error().message});
}

void StreamRun::tidy_up(RunControl& run, reports::LoadResult& result) {
  if (endpoints_.empty() || !sets_up()) return;
  run.await(remove_keys(result));
}

}  // namespace

Result<std::unique_ptr<RunDriver>> stream_run_driver(const LoadOptions& options) {
  auto requests = Requests::make(options.workload);
  if (!requests) return requests.error();
  return std::unique_ptr<RunDriver>(std::make_unique<StreamRun>(options, std::move(*requests)));
}

}  // namespace hallmark::loadgen
