#include "conformance/supervisor/process_group.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "base/number.hpp"
#include "conformance/supervisor/proc_stat.hpp"

namespace hallmark::conformance {
namespace {

constexpr auto listing_age = std::chrono::seconds(1);
constexpr std::uint64_t kibibyte = 1024;

/// Resident pages without those of files and shared memory.
std::uint64_t quick_memory(const std::string& process) {
  std::istringstream statm(read_proc(process + "/statm"));
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  statm >> size >> resident >> shared;
  return (resident - std::min(shared, resident)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// The number behind that name in /proc/PID/smaps_rollup, in bytes; 0 where there is none.
std::uint64_t rolled_up(const std::string& rollup, std::string_view name) {
  const auto at = rollup.find("\n" + std::string(name) + ":");
  if (at == std::string::npos) return 0;
  std::istringstream rest(rollup.substr(at + name.size() + 2));
  std::uint64_t kibibytes = 0;
  rest >> kibibytes;
  return kibibytes * kibibyte;
}

/// Memory that is of no file, swapped or not, shared out among those who share it; without what was
/// given back and not yet taken. Kernels before 5.14 and those built without smaps have the
/// counters only.
std::uint64_t exact_memory(const std::string& process) {
  const std::string rollup = read_proc(process + "/smaps_rollup");
  if (rollup.find("\nPss_Anon:") == std::string::npos) return quick_memory(process);
  const std::uint64_t all = rolled_up(rollup, "Pss_Anon") + rolled_up(rollup, "SwapPss");
  return all - std::min(all, rolled_up(rollup, "LazyFree"));
}

/// Since Linux 6.2 the size of the directory is their number; before, it is 0.
std::uint64_t descriptors_of(const std::string& process) {
  const std::string directory = process + "/fd";
  struct stat status {};
  if (::stat(directory.c_str(), &status) == 0 && status.st_size > 0)
    return static_cast<std::uint64_t>(status.st_size);
  std::error_code failed;
  std::uint64_t count = 0;
  for (std::filesystem::directory_iterator at(directory, failed), end; !failed && at != end;
       at.increment(failed))
    ++count;
  return count;
}

bool wants_to_run(const std::string& process) {
  std::error_code ignored;
  for (const auto& thread : std::filesystem::directory_iterator(process + "/task", ignored)) {
    const auto stat = proc_stat(thread.path().string());
    if (stat && stat->state == 'R') return true;
  }
  return false;
}

/// ns; 0 if the process is gone.
std::uint64_t cpu_of(const std::string& process) {
  constexpr std::uint64_t second = 1'000'000'000;
  const auto id = base::number_in<pid_t>(std::string_view(process).substr(process.rfind('/') + 1));
  clockid_t clock{};
  timespec used{};
  if (!id || ::clock_getcpuclockid(*id, &clock) != 0 || ::clock_gettime(clock, &used) != 0)
    return 0;
  return static_cast<std::uint64_t>(used.tv_sec) * second +
         static_cast<std::uint64_t>(used.tv_nsec);
}

/// It has ended, and waits to be reaped. The first thread of a process may end before the others.
bool is_zombie(const ProcStat& stat) { return stat.state == 'Z' && stat.threads <= 1; }

}  // namespace

std::vector<std::string> ProcessGroup::members(Thoroughness how) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (how == Thoroughness::exact || members_.empty() || now - looked_ > listing_age) {
    members_ = processes_of(group_);
    looked_ = now;
  }
  return members_;
}

ProcessFigures ProcessGroup::figures(Thoroughness how) {
  ProcessFigures all;
  for (const std::string& process : members(how)) {
    const auto stat = proc_stat(process);
    if (!stat || is_zombie(*stat)) continue;
    all.memory += how == Thoroughness::exact ? exact_memory(process) : quick_memory(process);
    all.descriptors += descriptors_of(process);
    all.threads += stat->threads;
    all.cpu += cpu_of(process);
    if (how == Thoroughness::exact && wants_to_run(process)) ++all.runnable;
  }
  return all;
}

}  // namespace hallmark::conformance
