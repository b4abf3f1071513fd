#include "conformance/supervisor/process_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "conformance/supervisor/proc_stat.hpp"

namespace hallmark::conformance {
namespace {

/// Seconds of processor time in which any server answers: one that wants to run, has had less, and
/// has not answered is slow, and one that has had more hangs.
constexpr double enough_to_answer = 0.5;
/// Of a core; who uses more does not wait for anybody.
constexpr double busy = 0.1;

}  // namespace

ProcessWatch::ProcessWatch(pid_t group, unsigned generation)
    : group_(group),
      generation_(generation),
      began_(std::chrono::steady_clock::now()),
      at_first_(sample()) {}

/// The threads of a process are told apart: the first of a server often waits for the others.
void ProcessWatch::add_threads(const std::string& process, Sample& all) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(process + "/task", ignored)) {
    const std::string thread = entry.path().string();
    const auto stat = proc_stat(thread);
    all.runnable |= stat && stat->state == 'R';
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

double ProcessWatch::seconds_used(const Sample& now) const {
  const auto ticks = static_cast<double>(now.ticks - std::min(at_first_.ticks, now.ticks));
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double ProcessWatch::cores_since(const Sample& now) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
  return passed.count() > 0 ? seconds_used(now) / passed.count() : 0;
}

bool ProcessWatch::starved() const {
  const Sample now = sample();
  return now.runnable && seconds_used(now) < enough_to_answer;
}

std::string ProcessWatch::in_words() const {
  const Sample now = sample();
  if (now.runnable || cores_since(now) > busy) return "spinning";
  return now.channel.empty() ? "sleeping" : "sleeping in " + now.channel;
}

}  // namespace hallmark::conformance
