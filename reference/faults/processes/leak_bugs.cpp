#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "base/number.hpp"
#include "base/read_file.hpp"
#include "reference/faults/bugs.hpp"
#include "reference/faults/connections/connection_fault.hpp"

namespace hallmark::faults {
namespace {

/// From now on the process gets no more than that of a resource.
void limit(decltype(RLIMIT_AS) resource, rlim_t most) {
  rlimit now{};
  ::getrlimit(resource, &now);
  now.rlim_cur = std::min(most, now.rlim_max);
  ::setrlimit(resource, &now);
}

struct Descriptors : ConnectionHooks {
  static constexpr rlim_t most = 1'024;  // what systems allow unless told otherwise
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

}  // namespace

Bugs leak_bugs() {
  return {
      {.id = "leak.descriptors",
       .breaks = "every connection leaves a descriptor open, and 1024 are allowed",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}},
                    {"throttr-2.0", {"silence.ended-connections"}}},
       .code = connections<Descriptors>()},
      {.id = "leak.memory",
       .breaks = "every connection leaves 1 MiB of memory, and 1 GiB is allowed",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}}},
       .code = connections<Memory>()},
      {.id = "leak.a-little",
       .breaks = "every connection leaves 64 bytes of memory",
       .violates = {{"throttr-7.1", {"silence.ended-connections"}}},
       .code = connections<ALittle>(),
       .unseen = "a client notices a leak only once the process has run out of something"},
  };
}

}  // namespace hallmark::faults
