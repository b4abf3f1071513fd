#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/number.hpp"
#include "base/read_file.hpp"
#include "reference/faults/bugs.hpp"
#include "reference/faults/connections/connection_fault.hpp"
#include "reference/faults/processes/endings.hpp"
#include "reference/faults/wire/wire_fault.hpp"

namespace hallmark::faults {
namespace {

/// Lets the process get no more than that of a resource from now on.
void limit(decltype(RLIMIT_AS) resource, rlim_t most) {
  rlimit now{};
  ::getrlimit(resource, &now);
  now.rlim_cur = std::min(most, now.rlim_max);
  ::setrlimit(resource, &now);
}

struct Descriptors : ConnectionHooks {
  static constexpr rlim_t most = 1'024;  // the limit of most systems unless told otherwise
  Descriptors() { limit(RLIMIT_NOFILE, most); }
  void begin(ByteBuffer&, ByteBuffer&) override { (void)::open("/dev/null", O_RDONLY | O_CLOEXEC); }
};

/// Bytes of address space that the process has.
rlim_t address_space() {
  const auto statm = base::read_file("/proc/self/statm", 4096, "the memory of this process");
  const auto pages = base::leading_number<std::uint64_t>(statm.value());
  return pages.value().number * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

struct Memory : ConnectionHooks {
  static constexpr std::size_t of_connection = std::size_t{1} << 20;
  static constexpr rlim_t allowed = rlim_t{1} << 30;
  Memory() { limit(RLIMIT_AS, address_space() + allowed); }
  void begin(ByteBuffer&, ByteBuffer&) override { leaked.push_back(new char[of_connection]); }
  std::vector<char*> leaked;
};

struct ALittle : ConnectionHooks {
  static constexpr std::size_t of_connection = 64;
  void begin(ByteBuffer&, ByteBuffer&) override { leaked.push_back(new char[of_connection]); }
  std::vector<char*> leaked;
};

void start_thread(void (*run)()) { std::thread(run).detach(); }

struct Threads : ConnectionHooks {
  static constexpr std::size_t most = 1'000;
  void begin(ByteBuffer&, ByteBuffer&) override {
    if (left++ < most) start_thread(sleep_for_ever);
  }
  std::size_t left = 0;
};

struct Busy : ConnectionHooks {
  Busy() { start_thread(spin); }
};

struct BusyAfterHalfClose : ConnectionHooks {
  bool half_close_unnoticed(const ByteBuffer&) override {
    if (!std::exchange(busy, true)) start_thread(spin);
    return false;
  }
  bool busy = false;
};

/// Keeps so many bytes for good, where a checker of leaks still finds them.
void leak(std::size_t bytes) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<char[]>> kept;
  const std::lock_guard lock(mutex);
  kept.push_back(std::make_unique<char[]>(bytes));
}

}  // namespace

Bugs leak_bugs() {
  return {
      {.id = "leak.descriptors",
       .breaks = "every connection leaves a descriptor open, and 1024 are allowed",
       .violates = {{"throttr-7.1", {"silence.ended-connections", "silence.left-over"}},
                    {"throttr-2.0", {"silence.ended-connections", "silence.left-over"}}},
       .code = connections<Descriptors>()},
      {.id = "leak.memory",
       .breaks = "every connection leaves 1 MiB of memory, and 1 GiB is allowed",
       .violates = {{"throttr-7.1", {"silence.ended-connections", "silence.left-over"}}},
       .code = connections<Memory>()},
      {.id = "leak.a-little",
       .breaks = "every connection leaves 64 bytes of memory",
       .violates = {{"throttr-7.1", {"silence.ended-connections", "silence.left-over"}}},
       .code = connections<ALittle>()},
      {.id = "leak.threads",
       .breaks = "each of the first 1000 connections leaves a thread that waits for ever",
       .violates = {{"throttr-7.1", {"silence.ended-connections", "silence.left-over"}}},
       .code = connections<Threads>()},
      {.id = "leak.of-purged-records",
       .breaks = "every record that is purged leaves 64 bytes of memory",
       .violates = {{"throttr-7.1", {"silence.left-over"}}},
       .code = wire(
           {.operations = {"PURGE"}, .request = [](Record&, const WireContext&) { leak(64); }})},
      {.id = "busy.from-the-start",
       .breaks = "a thread of the process never waits",
       .violates = {{"throttr-7.1", {"silence.rest"}}},
       .code = connections<Busy>()},
      {.id = "busy.after-half-close",
       .breaks = "after a half-close, a thread of the process never waits",
       .violates = {{"throttr-7.1", {"silence.rest"}}},
       .code = connections<BusyAfterHalfClose>()},
  };
}

}  // namespace hallmark::faults
