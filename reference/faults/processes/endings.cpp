#include "reference/faults/processes/endings.hpp"

#include <sched.h>
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
  // Others who share the machine are not to suffer: they get every processor that they want.
  const sched_param lowest{};
  ::sched_setscheduler(0, SCHED_IDLE, &lowest);
  // A loop without any effect could be left out.
  for (std::atomic<unsigned> turns{0};;) ++turns;
}

void sleep_for_ever() {
  for (;;) ::pause();  // returns when a signal comes
}

}  // namespace hallmark::faults
