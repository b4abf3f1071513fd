#include "cli/options/interrupt.hpp"

#include <time.h>

#include <csignal>
#include <cstdint>

namespace hallmark::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<std::int64_t> interrupted_at{0};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_interrupt(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!interrupted.exchange(true)) {
    interrupted_at = now.tv_sec;
  } else if (now.tv_sec > interrupted_at + 1) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void listen_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() { return interrupted; }

const std::atomic<bool>& interruption() { return interrupted; }

}  // namespace hallmark::cli
