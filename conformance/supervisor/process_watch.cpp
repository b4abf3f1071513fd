#include "conformance/supervisor/process_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/read_file.hpp"

namespace hallmark::conformance {
namespace {

/// More than this no file of /proc that is read here has.
constexpr std::size_t largest = 4096;
/// Of a core; who uses less while it wants to run is kept from it.
constexpr double starving = 0.1;
/// Of a core; who uses more does not wait for anybody.
constexpr double busy = 0.1;

struct Stat {
  char state = '?';
  pid_t group = 0;
  std::uint64_t ticks = 0;
};

/// The fields of /proc/PID/stat behind the name, which may hold spaces and parentheses.
std::optional<Stat> parsed(const std::string& text) {
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(text.substr(name_end + 1));
  Stat stat;
  pid_t parent = 0;
  rest >> stat.state >> parent >> stat.group;
  std::string skipped;
  constexpr int between_group_and_utime = 8;
  for (int i = 0; i < between_group_and_utime; ++i) rest >> skipped;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  rest >> user >> system;
  if (!rest) return std::nullopt;
  stat.ticks = user + system;
  return stat;
}

std::string read(const std::string& path) {
  const auto text = base::read_file(path, largest, "what Linux tells of a process");
  return text ? *text : std::string();
}

bool is_process(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

ProcessWatch::ProcessWatch(pid_t group, unsigned generation)
    : group_(group),
      generation_(generation),
      began_(std::chrono::steady_clock::now()),
      at_first_(sample()) {}

ProcessWatch::Sample ProcessWatch::sample() const {
  Sample all;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string process = entry.path().filename().string();
    if (!is_process(process)) continue;
    const auto stat = parsed(read("/proc/" + process + "/stat"));
    if (!stat || stat->group != group_) continue;
    all.ticks += stat->ticks;
    all.runnable |= stat->state == 'R';
    if (std::string channel = read("/proc/" + process + "/wchan"); channel.size() > 1)
      all.channel = std::move(channel);
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
  const double cores = cores_since(now);
  if (cores > busy) return fmt::format("spinning, with {:.2f} of a core", cores);
  return now.channel.empty() ? "sleeping" : "sleeping in " + now.channel;
}

}  // namespace hallmark::conformance
