#include "conformance/supervisor/proc_stat.hpp"

#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <string_view>

#include "base/number.hpp"
#include "base/read_file.hpp"

namespace hallmark::conformance {
namespace {

/// No file of /proc that is read here has more.
constexpr std::size_t largest = 4096;

void skip_fields(std::istream& from, int fields) {
  std::string skipped;
  for (int i = 0; i < fields; ++i) from >> skipped;
}

}  // namespace

std::string read_proc(const std::string& path) {
  const auto text = base::read_file(path, largest, "what Linux tells of a process");
  return text ? *text : std::string();
}

/// The fields begin behind the name, which may hold spaces and parentheses.
std::optional<ProcStat> proc_stat(const std::string& directory) {
  const std::string text = read_proc(directory + "/stat");
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(text.substr(name_end + 1));
  ProcStat stat;
  constexpr int between_state_and_utime = 10;
  constexpr int between_stime_and_threads = 4;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  rest >> stat.state;
  skip_fields(rest, between_state_and_utime);
  rest >> user >> system;
  skip_fields(rest, between_stime_and_threads);
  rest >> stat.threads;
  if (!rest) return std::nullopt;
  stat.ticks = user + system;
  return stat;
}

std::uint64_t waits_of(const std::string& directory) {
  constexpr std::string_view name = "\nvoluntary_ctxt_switches:";
  const std::string text = read_proc(directory + "/status");
  const auto at = text.find(name);
  if (at == std::string::npos) return 0;
  std::istringstream rest(text.substr(at + name.size()));
  std::uint64_t waits = 0;
  rest >> waits;
  return waits;
}

std::vector<std::string> processes_of(pid_t group) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const auto process = base::number_in<pid_t>(entry.path().filename().string());
    if (process && ::getpgid(*process) == group) found.push_back(entry.path().string());
  }
  return found;
}

}  // namespace hallmark::conformance
