#include "conformance/supervisor/process_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "conformance/supervisor/deep_sleep.hpp"
#include "conformance/supervisor/proc_stat.hpp"

namespace hallmark::conformance {
namespace {

/// Seconds of processor time in which any server answers: one that wants to run, has had less, and
/// has not answered is slow, and one that has had more hangs.
constexpr double enough_to_answer = 0.5;
/// The share of one core above which a process counts as spinning: it does not wait for anybody.
constexpr double busy = 0.1;
/// Whoever is woken by a signal that a request causes has been by then.
constexpr std::chrono::milliseconds long_asleep{50};

double seconds_between(std::uint64_t earlier, std::uint64_t later) {
  const auto ticks = static_cast<double>(later - std::min(earlier, later));
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

bool wants_to_run(const ProcStat& stat) { return stat.state == 'R'; }

}  // namespace

bool SpinningThreads::note(const std::string& thread, const ProcStat& stat, std::uint64_t waits) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = stretches_.try_emplace(thread, Stretch{waits, stat.ticks});
  if (known->second.waits != waits) known->second = {waits, stat.ticks};
  const double enough = expected_ ? enough_to_answer / 5 : enough_to_answer;
  const bool spins =
      wants_to_run(stat) && seconds_between(known->second.ticks, stat.ticks) >= enough;
  if (spins) found_ = true;
  return spins;
}

void SpinningThreads::answered() {
  const std::lock_guard lock(mutex_);
  for (auto& [thread, stretch] : stretches_) stretch.answered = true;
}

bool SpinningThreads::keeps_from_answering(const std::string& thread, const ProcStat& stat) {
  const std::lock_guard lock(mutex_);
  const auto known = stretches_.find(thread);
  if (known == stretches_.end() || !wants_to_run(stat)) return false;
  const bool long_enough = seconds_between(known->second.ticks, stat.ticks) >= enough_to_answer / 2;
  if (long_enough && known->second.answered) polls_ = true;
  return long_enough && !polls_;
}

bool ProcessWatch::Sample::runnable() const {
  return std::ranges::any_of(threads,
                             [](const auto& one) { return wants_to_run(one.second.stat); });
}

ProcessWatch::ProcessWatch(pid_t group, unsigned generation,
                           std::shared_ptr<SpinningThreads> spinning)
    : group_(group),
      generation_(generation),
      spinning_(std::move(spinning)),
      began_(std::chrono::steady_clock::now()),
      at_first_(sample()) {}

/// The threads of a process are told apart: the first of a server often waits for the others.
void ProcessWatch::add_threads(const std::string& process, Sample& all) const {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(process + "/task", ignored)) {
    const std::string thread = entry.path().string();
    if (const auto stat = proc_stat(thread)) {
      const std::uint64_t waits = waits_of(thread);
      all.threads[thread] = {*stat, waits, spinning_->note(thread, *stat, waits)};
    }
    if (!all.channel.empty()) continue;
    if (std::string channel = read_proc(thread + "/wchan"); channel.size() > 1)
      all.channel = std::move(channel);
  }
}

ProcessWatch::Sample ProcessWatch::sample() const {
  Sample all;
  for (const std::string& process : processes_of(group_)) {
    const auto stat = proc_stat(process);
    if (!stat) continue;
    all.ticks += stat->ticks;
    add_threads(process, all);
  }
  return all;
}

double ProcessWatch::cores_since(const Sample& now) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
  return passed.count() > 0 ? seconds_between(at_first_.ticks, now.ticks) / passed.count() : 0;
}

bool ProcessWatch::starved() const {
  return std::ranges::any_of(sample().threads, [&](const auto& one) {
    const auto& [name, now] = one;
    const auto before = at_first_.threads.find(name);
    const std::uint64_t since = before == at_first_.threads.end() ? 0 : before->second.stat.ticks;
    return wants_to_run(now.stat) && !now.spins &&
           seconds_between(since, now.stat.ticks) < enough_to_answer;
  });
}

bool ProcessWatch::spins(const Sample& now) const {
  return std::ranges::any_of(now.threads, [&](const auto& one) {
    const auto& [name, thread] = one;
    return thread.spins && spinning_->keeps_from_answering(name, thread.stat);
  });
}

/// A thread that something wakes now and then waits more often than it had when the watch began. A
/// group without a socket has left serving to somebody else.
bool ProcessWatch::sleeps_for_good(const Sample& now) const {
  if (std::chrono::steady_clock::now() - began_ < long_asleep || now.threads.empty()) return false;
  const bool all_sleep = std::ranges::all_of(now.threads, [&](const auto& one) {
    const auto& [name, thread] = one;
    const auto before = at_first_.threads.find(name);
    return before != at_first_.threads.end() && before->second.waits == thread.waits &&
           conformance::sleeps_for_good(name);
  });
  return all_sleep && std::ranges::any_of(processes_of(group_), has_socket);
}

bool ProcessWatch::stuck() const {
  const Sample now = sample();
  return spins(now) || sleeps_for_good(now);
}

std::string ProcessWatch::in_words() const {
  const Sample now = sample();
  if (now.runnable() || cores_since(now) > busy) return "spinning";
  return now.channel.empty() ? "sleeping" : "sleeping in " + now.channel;
}

}  // namespace hallmark::conformance
