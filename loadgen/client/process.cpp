#include "loadgen/client/process.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace hallmark::loadgen {

CpuTime cpu_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
}

void be_punctual() {
  prctl(PR_SET_TIMERSLACK, 1UL);
  if (sched_getscheduler(0) != SCHED_OTHER) return;  // whoever started this knows better
  // sched_setattr(2): of a normal thread the runtime is the length of its turn, at least 100 us.
  struct {
    std::uint32_t size;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime_ns;
    std::uint64_t deadline_ns;
    std::uint64_t period_ns;
  } attributes{};
  attributes.size = sizeof attributes;
  attributes.policy = SCHED_OTHER;
  attributes.nice = getpriority(PRIO_PROCESS, 0);
  attributes.runtime_ns = 100'000;
  syscall(SYS_sched_setattr, 0, &attributes, 0U);
}

void be_patient() {
  if (sched_getscheduler(0) != SCHED_OTHER) return;  // as above
  const sched_param none{};
  sched_setscheduler(0, SCHED_BATCH, &none);
}

void stay_on_processor(unsigned place) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  unsigned left = place % static_cast<unsigned>(CPU_COUNT(&allowed));
  for (std::size_t processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed) || left-- != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace hallmark::loadgen
