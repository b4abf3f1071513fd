#include "reference/faults/processes/endings.hpp"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>

namespace hallmark::faults {

void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::abort();
}

void exit_at_once() { std::_Exit(EXIT_FAILURE); }

void spin() {
  // Like any server at first: who watches it tells spinning from waiting for a processor by the
  // time that it had. Then others get every processor that they want.
  constexpr time_t rude_seconds = 3;
  // Whoever asks the system for its processor time keeps it from giving processors to others.
  constexpr unsigned between_looks = 1'000'000;
  // A loop without any effect could be left out.
  std::atomic<unsigned> turns{0};
  timespec used{};
  while (++turns % between_looks != 0 ||
         (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0 && used.tv_sec < rude_seconds)) {
  }
  const sched_param lowest{};
  ::sched_setscheduler(0, SCHED_IDLE, &lowest);
  for (;;) ++turns;
}

void sleep_for_ever() {
  for (;;) ::pause();  // returns when a signal comes
}

}  // namespace hallmark::faults
