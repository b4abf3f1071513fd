#include "base/stop_signals.hpp"

#include <poll.h>
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <mutex>

#include "base/waker.hpp"

namespace hallmark::base {
namespace {

/// A signal that ends the program, and what handled it before.
struct Watched {
  int number;
  struct sigaction before {};
  bool taken_over = false;
};

std::mutex mutex;
int users = 0;
Watched watched[] = {{SIGINT}, {SIGTERM}};
std::atomic<bool> handled_elsewhere{false};
std::atomic<bool> given_up{false};

/// Rung by the handler. It is made before the handler is installed, and never closed.
Waker& stop() {
  static Waker& waker = *new Waker;
  return waker;
}

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

extern "C" void note_stop(int number, siginfo_t* info, void* context) {
  const int kept = errno;
  for (const Watched& one : watched) {
    if (one.number != number || !has_handler(one.before)) continue;
    handled_elsewhere = true;
    if ((one.before.sa_flags & SA_SIGINFO) != 0)
      one.before.sa_sigaction(number, info, context);
    else
      one.before.sa_handler(number);
  }
  stop().wake();
  errno = kept;
}

void take_over(Watched& one) {
  ::sigaction(one.number, nullptr, &one.before);
  one.taken_over = (one.before.sa_flags & SA_SIGINFO) != 0 || one.before.sa_handler != SIG_IGN;
  if (!one.taken_over) return;
  struct sigaction ours {};
  ours.sa_sigaction = note_stop;
  ours.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigaction(one.number, &ours, nullptr);
}

/// Leaves a handler alone that somebody else has installed meanwhile.
void give_back(const Watched& one) {
  struct sigaction now {};
  ::sigaction(one.number, nullptr, &now);
  if (one.taken_over && (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == note_stop)
    ::sigaction(one.number, &one.before, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  const std::lock_guard lock(mutex);
  stop();
  if (users++ != 0) return;
  stop().clear();
  handled_elsewhere = false;
  for (Watched& one : watched) take_over(one);
}

StopSignals::~StopSignals() {
  const std::lock_guard lock(mutex);
  if (--users != 0) return;
  for (const Watched& one : watched) give_back(one);
}

bool StopSignals::wait_for_room(const Descriptor& file) {
  while (true) {
    pollfd waiting[] = {{file.get(), POLLOUT, 0}, {stop().fd(), POLLIN, 0}};
    const int ready = ::poll(waiting, 2, given_up ? 0 : -1);
    if (ready < 0 && errno == EINTR) continue;
    const bool room = waiting[0].revents != 0;
    const bool stopped = waiting[1].revents != 0;
    if (room && (!stopped || handled_elsewhere)) return true;
    given_up = true;
    return false;
  }
}

}  // namespace hallmark::base
