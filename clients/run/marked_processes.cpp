#include "clients/run/marked_processes.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "base/descriptor.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace hallmark::clients {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
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

/// The second number of the file; the first is the time on a processor.
std::uint64_t wait_of_thread(const std::string& directory) {
  std::ifstream file(directory + "/schedstat");
  std::uint64_t on_processor = 0;
  std::uint64_t waited = 0;
  return file >> on_processor >> waited ? waited : 0;
}

/// The process is named by a descriptor before it is looked at: its number may be given to another
/// one meanwhile.
bool end_if_marked(const std::string& directory, pid_t id, std::string_view mark,
                   std::map<pid_t, std::string>& names) {
  const base::Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
  if (!process.open() || !has_mark(content_of(directory + "/environ"), mark)) return false;
  std::string name = content_of(directory + "/comm");
  while (name.ends_with('\n')) name.pop_back();
  if (::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) != 0) return false;
  // A process that was ended may be there for a moment longer.
  return names.emplace(id, base::printable(name)).second;
}

bool end_all(std::string_view mark, std::map<pid_t, std::string>& names) {
  bool found = false;
  each_numbered("/proc", [&](const std::string& directory, pid_t id) {
    found = end_if_marked(directory, id, mark, names) || found;
  });
  return found;
}

}  // namespace

std::vector<std::string> end_marked_processes(std::string_view mark) {
  std::map<pid_t, std::string> ended;
  // Again, for those that were started by one that was ended later.
  constexpr int most_rounds = 20;
  for (int round = 0; round < most_rounds && end_all(mark, ended); ++round) {
  }
  std::vector<std::string> names;
  names.reserve(ended.size());
  for (const auto& [id, name] : ended) names.push_back(name);
  std::ranges::sort(names);
  return names;
}

std::chrono::nanoseconds waits_for_processor(std::string_view mark) {
  std::uint64_t waited = 0;
  each_numbered("/proc", [&](const std::string& process, pid_t /*id*/) {
    if (!has_mark(content_of(process + "/environ"), mark)) return;
    each_numbered(process + "/task", [&](const std::string& thread, pid_t /*id*/) {
      waited += wait_of_thread(thread);
    });
  });
  return std::chrono::nanoseconds(waited);
}

}  // namespace hallmark::clients
