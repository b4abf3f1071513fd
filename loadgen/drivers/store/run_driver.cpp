#include "loadgen/drivers/store/run_driver.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/quantity.hpp"
#include "loadgen/drivers/store/driver.hpp"
#include "loadgen/results/run_record.hpp"

namespace hallmark::loadgen::store {
namespace {

namespace asio = boost::asio;
using base::Error;
using base::Result;
using std::chrono::duration_cast;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

constexpr auto judged_every = std::chrono::milliseconds(100);
constexpr std::uint32_t keys_at_once = 1000;
const std::string only_part = "decide";

Error failed(std::string_view what, const stores::Error& why) {
  return {fmt::format("{}: {}", what, why.message)};
}

/// Removes the keys, keeps the connections, and judges the admissions.
class StoreRun final : public RunDriver {
 public:
  explicit StoreRun(const LoadOptions& options)
      : options_(options),
        mix_{{only_part, 1}},
        chooser_(mix_, {options.workload.key_choice, options.workload.keys, options.workload.seed},
                 options.workload.seed) {}

  std::vector<std::string> parts() const override { return {only_part}; }
  std::uint32_t threads() const override { return own_connections(options_); }
  void describe(reports::RunHeader& header) const override;
  Result<void> prepare(RunControl& run) override;
  void begin(RunControl& run, const LoopPlan& plan) override;
  LoopDriver& drive(EventLoop& loop, std::uint32_t own) override;
  void conclude(RunControl& run, const Tally& total, reports::LoadResult& result) override;
  void tidy_up(RunControl& run, reports::LoadResult& result) override;

 private:
  stores::Result<void> erase(stores::Connection& connection,
                             const std::function<bool()>& given_up) const;
  void judge_now_and_then();
  /// One of several processes removes them.
  bool removes_keys() const { return !options_.share || options_.share->number == 0; }

  const LoadOptions& options_;
  std::vector<MixPart> mix_;
  RequestChooser chooser_;
  std::vector<std::unique_ptr<stores::Connection>> connections_;
  DriverPlan plan_;
  std::optional<AdmissionJudge> judge_;
  std::optional<asio::steady_timer> judging_;
  std::vector<std::unique_ptr<Driver>> drivers_;
  bool touched_ = false;  ///< there may be keys of this run
};

void StoreRun::describe(reports::RunHeader& header) const {
  const auto add = [&](std::string name, const auto& value) {
    header.options.push_back({std::move(name), fmt::format("{}", value)});
  };
  add("strategy", options_.store->strategy);
  add("keys", options_.workload.keys);
  add("key", options_.workload.key_prefix + "0");
  add("retries", options_.store->retries);
  add("timeout", base::human_duration(options_.timeout));
  add("seed", options_.workload.seed);
}

/// The libraries of stores say in words why this machine has no connection to give.
stores::Error with_remedy(stores::Error error) {
  if (error.kind == stores::ErrorKind::starved)
    error.message +=
        ": this machine has no port, descriptor or memory left for it; ask for fewer connections, "
        "or raise `ulimit -n`";
  return error;
}

Result<void> StoreRun::prepare(RunControl& run) {
  const auto interrupted = [&] { return run.interruptions() != 0; };
  for (std::uint32_t i = 0; i < threads(); ++i) {
    auto connection = options_.store->connect();
    if (!connection) return failed("cannot connect", with_remedy(connection.error()));
    connections_.push_back(std::move(*connection));
    if (interrupted()) return {};
  }
  if (!removes_keys()) return {};
  const auto erased = erase(*connections_.front(), interrupted);
  if (!erased) return failed("cannot remove what earlier runs left", erased.error());
  return {};
}

/// The keys of this run and no others, by their names.
stores::Result<void> StoreRun::erase(stores::Connection& connection,
                                     const std::function<bool()>& given_up) const {
  std::vector<std::string> keys;
  for (std::uint32_t key = 0; key < options_.workload.keys;) {
    if (given_up()) return {};
    keys.clear();
    for (; key < options_.workload.keys && keys.size() < keys_at_once; ++key) {
      keys.push_back(fmt::format("{}{}", options_.workload.key_prefix, key));
    }
    if (const auto erased = connection.erase(keys); !erased) return erased.error();
  }
  return {};
}

void StoreRun::begin(RunControl& run, const LoopPlan& plan) {
  touched_ = true;
  plan_ = {.options = &*options_.store,
           .chooser = &chooser_,
           .key_prefix = options_.workload.key_prefix,
           // From here on the steady clock: one that is set while the run lasts moves no decision.
           .epoch_ns = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count() -
                       duration_cast<nanoseconds>(steady_clock::now() - plan.origin).count(),
           .timeout_ns = options_.timeout.count(),
           .lag_bound_ns = options_.lag_bound.count()};
  judge_.emplace(options_.store->bounds, options_.workload.keys, threads(), plan_.epoch_ns);
  judging_.emplace(run.context());
  judge_now_and_then();
}

void StoreRun::judge_now_and_then() {
  judging_->expires_after(judged_every);
  judging_->async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    judge_->judge();
    judge_now_and_then();
  });
}

LoopDriver& StoreRun::drive(EventLoop& loop, std::uint32_t own) {
  return *drivers_.emplace_back(
      std::make_unique<Driver>(loop, plan_, std::move(connections_[own]), judge_->lane(own)));
}

void StoreRun::conclude(RunControl& /*run*/, const Tally& /*total*/, reports::LoadResult& result) {
  if (options_.share && options_.share->ended) options_.share->ended();
  judging_->cancel();
  judge_->finish();
  reports::StoreLoad& store = result.store.emplace();
  for (const auto& driver : drivers_) add(store.counts, driver->counts());
  store.admissions = judge_->checks(options_.workload.key_prefix);
}

void StoreRun::tidy_up(RunControl& /*run*/, reports::LoadResult& result) {
  if (!touched_ || !removes_keys()) return;
  auto connection = options_.store->connect();
  const auto erased = connection ? erase(**connection, [] { return false; }) : connection.error();
  if (!erased) result.errors.push_back({"keys left behind", 1, erased.error().message});
}

}  // namespace

Result<std::unique_ptr<RunDriver>> run_driver(const LoadOptions& options) {
  if (options.workload.keys == 0) return Error{"--keys 0; allowed: at least 1"};
  return std::unique_ptr<RunDriver>(std::make_unique<StoreRun>(options));
}

}  // namespace hallmark::loadgen::store
