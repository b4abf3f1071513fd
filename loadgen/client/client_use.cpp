#include "loadgen/client/client_use.hpp"

#include <sched.h>
#include <unistd.h>

#include <ctime>
#include <sstream>
#include <string>

#include "base/nanoseconds.hpp"
#include "base/read_file.hpp"

namespace hallmark::loadgen {
namespace {

/// The text of a file that the system makes up; empty if it cannot be read.
std::istringstream text_of(const std::string& path) {
  auto text = base::read_file(path, base::mebibyte, "a file of the system");
  return std::istringstream(text ? std::move(*text) : std::string());
}

/// proc(5), `stat`: behind `cpu`, in ticks: user nice system idle iowait irq softirq steal.
double stolen_seconds() {
  auto file = text_of("/proc/stat");
  std::string word;
  if (!(file >> word) || word != "cpu") return 0;
  double ticks = 0;
  for (int i = 0; i < 8; ++i) {
    if (!(file >> ticks)) return 0;
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// cgroup v2: the line `0::/path` names the group.
std::string own_cgroup() {
  auto file = text_of("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return {};
}

double throttled_seconds() {
  auto file = text_of("/sys/fs/cgroup" + own_cgroup() + "/cpu.stat");
  std::string name;
  for (double value = 0; file >> name >> value;) {
    if (name == "throttled_usec") return value / 1e6;
  }
  return 0;
}

}  // namespace

ThreadUse use_of_this_thread() {
  ThreadUse use;
  timespec cpu{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu) == 0)
    use.cpu_ns = cpu.tv_sec * base::second_ns + cpu.tv_nsec;
  auto file = text_of("/proc/thread-self/schedstat");
  std::int64_t ran = 0;
  if (!(file >> ran >> use.waited_ns)) use.waited_ns = 0;
  return use;
}

MachineUse machine_use() { return {stolen_seconds(), throttled_seconds()}; }

unsigned processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

}  // namespace hallmark::loadgen
