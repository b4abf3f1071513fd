#include "clients/run/marked_processes.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "base/descriptor.hpp"
#include "base/number.hpp"
#include "base/read_file.hpp"
#include "base/text.hpp"

namespace hallmark::clients {
namespace {

/// Empty where a process ends while it is read.
std::string content_of(const std::string& path) {
  // Linux gives a process an environment of at most three quarters of 8 MiB: execve(2).
  constexpr std::size_t most_bytes = 8 * base::mebibyte;
  const auto content = base::read_file(path, most_bytes, "what a process is");
  return content ? *content : "";
}

/// True if one of the environment's entries, which end with a zero, is the mark.
bool has_mark(const std::string& environment, std::string_view mark) {
  std::string entry(mark);
  entry.push_back('\0');
  const std::string all = '\0' + environment;
  return all.find('\0' + entry) != std::string::npos;
}

template <typename Take>
void each_numbered(const std::string& directory, const Take& take) {
  std::error_code failed;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator at(directory, failed); !failed && at != end;
       at.increment(failed)) {
    const auto number = base::number_in<std::uint32_t>(at->path().filename().string());
    if (number) take(at->path().string(), static_cast<pid_t>(*number));
  }
}

/// Returns the stat of a process or thread from behind its name on: that may have spaces and
/// parentheses in it.
std::istringstream stat_of(const std::string& directory) {
  const std::string stat = content_of(directory + "/stat");
  return std::istringstream(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
}

void add_thread(const std::string& directory, ProcessorUse& all) {
  std::ifstream file(directory + "/schedstat");
  std::int64_t used = 0;
  std::int64_t waited = 0;
  if (!(file >> used >> waited)) return;
  all.used += std::chrono::nanoseconds(used);
  all.waited += std::chrono::nanoseconds(waited);
  char state = 'X';
  stat_of(directory) >> state;
  if (state == 'R') all.is_runnable = true;
}

/// True while a process changes into another program: the kernel has taken its memory, and has not
/// given the new one its arguments and environment yet. Zombies and threads of the kernel look the
/// same but for their state and their flags.
bool changes_program(const std::string& directory) {
  if (!content_of(directory + "/cmdline").empty()) return false;
  std::istringstream rest = stat_of(directory);
  char state = 'X';
  std::int64_t skipped = 0;
  std::uint64_t flags = 0;
  rest >> state >> skipped >> skipped >> skipped >> skipped >> skipped >> flags;
  constexpr std::uint64_t thread_of_kernel = 0x0020'0000;  // PF_KTHREAD of linux/sched.h
  return rest && state != 'Z' && state != 'X' && (flags & thread_of_kernel) == 0;
}

/// Empty if it has none. Nothing if the process is changing into another program. A file that was
/// opened before such a change and read behind it is empty, too: it is opened again.
std::optional<std::string> environment_of(const std::string& directory) {
  constexpr int most_attempts = 3;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    std::string environment = content_of(directory + "/environ");
    if (!environment.empty()) return environment;
    if (changes_program(directory)) return std::nullopt;
  }
  return std::string{};
}

/// Tells what one round over all processes has found.
struct Round {
  bool ended_one = false;
  bool unsure_of_one = false;  ///< one was changing into another program
};

/// The process is named by a descriptor before it is looked at: its number may be given to another
/// one meanwhile.
void end_if_marked(const std::string& directory, pid_t id, std::string_view mark,
                   std::map<pid_t, std::string>& names, Round& round) {
  const base::Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
  if (!process.open()) return;
  const auto environment = environment_of(directory);
  if (!environment) round.unsure_of_one = true;
  if (!environment || !has_mark(*environment, mark)) return;
  std::string name = content_of(directory + "/comm");
  while (name.ends_with('\n')) name.pop_back();
  if (::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) != 0) return;
  // A process that was ended may be there for a moment longer.
  if (names.emplace(id, base::printable(name)).second) round.ended_one = true;
}

Round end_all(std::string_view mark, std::map<pid_t, std::string>& names) {
  Round round;
  each_numbered("/proc", [&](const std::string& directory, pid_t id) {
    end_if_marked(directory, id, mark, names, round);
  });
  return round;
}

}  // namespace

std::vector<std::string> end_marked_processes(std::string_view mark) {
  std::map<pid_t, std::string> ended;
  // Again, for those that were started by one that was ended later, and for those that were between
  // two programs.
  constexpr int most_rounds = 50;
  constexpr std::chrono::milliseconds until_it_has_changed{1};
  for (int round = 0; round < most_rounds; ++round) {
    const Round found = end_all(mark, ended);
    if (found.unsure_of_one) std::this_thread::sleep_for(until_it_has_changed);
    if (!found.ended_one && !found.unsure_of_one) break;
  }
  std::vector<std::string> names;
  names.reserve(ended.size());
  for (const auto& [id, name] : ended) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

ProcessorUse processor_use(std::string_view mark) {
  ProcessorUse all;
  each_numbered("/proc", [&](const std::string& process, pid_t /*id*/) {
    const auto environment = environment_of(process);
    if (!environment) all.is_runnable = true;
    if (!environment || !has_mark(*environment, mark)) return;
    each_numbered(process + "/task",
                  [&](const std::string& thread, pid_t /*id*/) { add_thread(thread, all); });
  });
  return all;
}

}  // namespace hallmark::clients
