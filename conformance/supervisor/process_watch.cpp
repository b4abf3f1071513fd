#include "conformance/supervisor/process_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "conformance/supervisor/proc_stat.hpp"

namespace hallmark::conformance {
namespace {

/// Of a core; who uses less while it wants to run is kept from it.
constexpr double starving = 0.1;
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

double ProcessWatch::cores_since(const Sample& now) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
  const auto ticks = static_cast<double>(now.ticks - std::min(at_first_.ticks, now.ticks));
  const double seconds = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return passed.count() > 0 ? seconds / passed.count() : 0;
}

bool ProcessWatch::starved() const {
  const Sample now = sample();
  return now.runnable && cores_since(now) < starving;
}

std::string ProcessWatch::in_words() const {
  const Sample now = sample();
  if (now.runnable || cores_since(now) > busy) return "spinning";
  return now.channel.empty() ? "sleeping" : "sleeping in " + now.channel;
}

}  // namespace hallmark::conformance
