#include "conformance/engine/scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <iterator>
#include <list>
#include <mutex>
#include <set>
#include <thread>

#include "reports/certify/run_verdict.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Verdict;

using UnitResults = std::vector<CaseResult>;

std::string reason_to_skip(const UnitPlayer& player, const Unit& unit,
                           const ScheduleOptions& options) {
  if (options.polite && (unit.danger() != Danger::documented || unit.needs.exclusive))
    return std::string(reports::spared);
  if (unit.needs.slow && !options.slow) return "waits out a minute: runs with --slow";
  if (unit.needs.exclusive && !player.exclusive()) {
    return "needs a target that nobody else uses: runs with --exclusive, or against an exec: "
           "target";
  }
  return {};
}

UnitResults without_playing(const Unit& unit, Verdict verdict, const std::string& reason) {
  UnitResults results;
  for (const CaseEntry& entry : unit.cases) results.push_back(not_played(entry, verdict, reason));
  return results;
}

/// Hands units out so that no two that run at a time share a resource, and that those that share
/// one run in their order: what an earlier one leaves behind, each run leaves to the same.
class Queue {
 public:
  Queue(const Suite& suite, std::vector<std::size_t> order, const ScheduleOptions& options)
      : suite_(suite), waiting_(order.begin(), order.end()), options_(options) {}

  /// The next unit that may run; nothing when all are taken or the run was stopped.
  std::optional<std::size_t> take() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (stopped() || waiting_.empty()) return std::nullopt;
      std::set<std::string> claimed = in_use_;
      for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
        const auto& wanted = suite_[*at].resources;
        const bool is_free = std::ranges::none_of(
            wanted, [&](const std::string& resource) { return claimed.contains(resource); });
        claimed.insert(wanted.begin(), wanted.end());
        if (!is_free) continue;
        const std::size_t index = *at;
        waiting_.erase(at);
        in_use_.insert(suite_[index].resources.begin(), suite_[index].resources.end());
        return index;
      }
      released_.wait(lock);
    }
  }

  void release(std::size_t index) {
    {
      const std::lock_guard lock(mutex_);
      for (const std::string& resource : suite_[index].resources) in_use_.erase(resource);
    }
    released_.notify_all();
  }

 private:
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  const Suite& suite_;
  std::list<std::size_t> waiting_;
  const ScheduleOptions& options_;
  std::set<std::string> in_use_;
  std::mutex mutex_;
  std::condition_variable released_;
};

class Schedule {
 public:
  Schedule(UnitPlayer& player, const Suite& suite, const ScheduleOptions& options)
      : player_(player), suite_(suite), options_(options), results_(suite.size()) {
    progress_.total = cases_in(suite);
  }

  ScheduleResult all() {
    std::vector<std::size_t> shared;
    std::vector<std::size_t> alone;
    for (std::size_t i = 0; i < suite_.size(); ++i) {
      const std::string reason = reason_to_skip(player_, suite_[i], options_);
      if (!reason.empty()) {
        finish(i, without_playing(suite_[i], Verdict::skipped, reason));
      } else {
        const Needs& needs = suite_[i].needs;
        (needs.exclusive || needs.alone ? alone : shared).push_back(i);
      }
    }
    // Behaviours wait for time points; started first, they wait beside everything else.
    std::ranges::stable_partition(shared,
                                  [&](std::size_t i) { return suite_[i].vector == nullptr; });
    run(std::move(shared), std::min(options_.jobs, player_.most_jobs()));
    run(std::move(alone), 1);
    return collect();
  }

 private:
  void run(std::vector<std::size_t> order, unsigned jobs) {
    if (order.empty()) return;
    Queue queue(suite_, std::move(order), options_);
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < jobs; ++i)
      threads.emplace_back([&, is_spare = i >= fewer(jobs)] { work(queue, is_spare); });
    work(queue, false);
  }

  /// `is_spare`: others do without the thread once a case has cast doubt.
  void work(Queue& queue, bool is_spare) {
    while (!is_spare || !options_.fewer_once_failed || !doubtful_) {
      const auto index = queue.take();
      if (!index) return;
      finish(*index, play(suite_[*index]));
      queue.release(*index);
    }
  }

  /// Plays a unit. It does not depend on the units that were played before it on the same thread.
  UnitResults play(const Unit& unit) {
    player_.seam().begin_part(unit.cases.front().id);
    if (const std::string why = player_.why_no_more(); !why.empty())
      return without_playing(unit, Verdict::skipped, why);
    return player_.play(unit);
  }

  void finish(std::size_t index, UnitResults results) {
    const std::lock_guard lock(mutex_);
    progress_.done += results.size();
    for (const CaseResult& result : results) {
      if (result.verdict == Verdict::fail || result.verdict == Verdict::error) ++progress_.failed;
    }
    if (std::ranges::any_of(results, casts_doubt)) doubtful_ = true;
    if (options_.on_judged) options_.on_judged(results);
    results_[index] = std::move(results);
    if (options_.on_progress) options_.on_progress(progress_);
  }

  ScheduleResult collect() {
    ScheduleResult result;
    player_.seam().begin_part("suite");
    result.interrupted = player_.stopped();
    for (std::size_t i = 0; i < suite_.size(); ++i) {
      if (!results_[i]) continue;
      std::move(results_[i]->begin(), results_[i]->end(), std::back_inserter(result.cases));
    }
    return result;
  }

  UnitPlayer& player_;
  const Suite& suite_;
  const ScheduleOptions& options_;
  std::vector<std::optional<UnitResults>> results_;
  Progress progress_;
  std::atomic<bool> doubtful_{false};  ///< a case has cast doubt
  std::mutex mutex_;
};

}  // namespace

bool casts_doubt(const CaseResult& result) {
  switch (result.verdict) {
    case Verdict::pass:
    case Verdict::skipped:
    case Verdict::unsupported: return false;
    default: return true;
  }
}

ScheduleResult play_suite(UnitPlayer& player, const Suite& suite, const ScheduleOptions& options) {
  return Schedule(player, suite, options).all();
}

}  // namespace hallmark::conformance
