#include "conformance/supervisor/deep_sleep.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <ios>
#include <sstream>
#include <string_view>

#include "base/text.hpp"
#include "conformance/supervisor/proc_stat.hpp"

namespace hallmark::conformance {
namespace {

struct Call {
  long number = -1;  ///< SYS_…
  std::array<std::uint64_t, 4> arguments{};
};

/// Returns the system call in which a thread waits; its number is -1 if there is none, or Linux
/// does not tell it.
Call call_of(const std::string& thread) {
  std::istringstream text(read_proc(thread + "/syscall"));  // "running" outside of any
  Call call;
  text >> call.number >> std::hex;
  for (std::uint64_t& one : call.arguments) text >> one;
  return text ? call : Call();
}

bool is_wait(std::uint64_t futex_operation) {
  switch (static_cast<int>(futex_operation) & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI: return true;
    default: return false;
  }
}

/// Returns the object behind a descriptor, such as "pipe:[1234]"; empty if Linux does not tell it.
std::string end_of(const std::filesystem::path& descriptor) {
  std::error_code ignored;
  return std::filesystem::read_symlink(descriptor, ignored).string();
}

/// Returns true if no other process and no timer makes a descriptor ready.
bool is_internal(const std::string& thread, std::uint64_t descriptor) {
  const std::string number = std::to_string(descriptor);
  const std::string what = end_of(thread + "/fd/" + number);
  if (what == "anon_inode:[timerfd]")
    return read_proc(thread + "/fdinfo/" + number).find("it_value: (0, 0)") != std::string::npos;
  return what == "anon_inode:[eventfd]" || what == "anon_inode:[signalfd]" ||
         what.starts_with("pipe:");
}

/// Returns true if that holds for all descriptors of an epoll instance. "tfd: 5 events: 19 …" is
/// the line of one.
bool are_internal(const std::string& thread, std::uint64_t epoll) {
  const std::string text = read_proc(thread + "/fdinfo/" + std::to_string(epoll));
  for (const std::string_view line : base::split(text, '\n')) {
    if (!line.starts_with("tfd:")) continue;
    std::istringstream rest{std::string(line.substr(line.find(':') + 1))};
    std::uint64_t descriptor = 0;
    if (!(rest >> descriptor) || !is_internal(thread, descriptor)) return false;
  }
  return !text.empty();
}

bool is_endless(std::uint64_t milliseconds) { return static_cast<int>(milliseconds) < 0; }

}  // namespace

bool sleeps_for_good(const std::string& thread) {
  const auto& [number, arguments] = call_of(thread);
  switch (number) {
#ifdef SYS_pause
    case SYS_pause: return true;
#endif
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait: return is_endless(arguments[3]) && are_internal(thread, arguments[0]);
    case SYS_rt_sigsuspend: return true;
    case SYS_rt_sigtimedwait: return arguments[2] == 0;             // its timeout
    case SYS_ppoll: return arguments[1] == 0 && arguments[2] == 0;  // descriptors, timeout
    case SYS_futex: return is_wait(arguments[1]) && arguments[3] == 0;
    case SYS_read: return is_internal(thread, arguments[0]);
    default: return false;
  }
}

bool has_socket(const std::string& process) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(process + "/fd", ignored))
    if (end_of(entry.path()).starts_with("socket:")) return true;
  return false;
}

}  // namespace hallmark::conformance
