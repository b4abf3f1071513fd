// Measures how late a thread wakes that sleeps until a given time, and the processor time that it
// takes, for each means of sleeping. Usage: hallmark_pacing_bench [SECONDS]
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#ifdef HALLMARK_IO_URING
#include <liburing.h>
#endif

#include "base/descriptor.hpp"
#include "base/nanoseconds.hpp"
#include "loadgen/client/client_use.hpp"
#include "loadgen/client/process.hpp"
#include "loadgen/engine/poller.hpp"
#include "loadgen/histogram/histogram.hpp"

namespace hallmark::loadgen {
namespace {

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * base::second_ns + time.tv_nsec;
}

timespec spec_of(std::int64_t ns) { return {ns / base::second_ns, ns % base::second_ns}; }

using Sleep = std::function<void(std::int64_t until)>;

struct Lateness {
  Histogram late;
  double busy = 0;
};

Lateness measure(const Sleep& sleep, double per_second, double seconds) {
  Lateness found;
  const std::int64_t begun = now() + 10'000'000;
  const std::int64_t cpu_before = use_of_this_thread().cpu_ns;
  const auto many = static_cast<std::int64_t>(per_second * seconds);
  for (std::int64_t i = 0; i < many; ++i) {
    const auto due = begun + static_cast<std::int64_t>(static_cast<double>(i) * 1e9 / per_second);
    if (now() < due) sleep(due);
    found.late.record(static_cast<std::uint64_t>(std::max<std::int64_t>(0, now() - due)));
  }
  const auto lasted = static_cast<double>(now() - begun);
  found.busy = static_cast<double>(use_of_this_thread().cpu_ns - cpu_before) / lasted;
  return found;
}

/// epoll_pwait2 until the time, or until `awake` ns before it and then the clock over and over.
Sleep with_epoll(Poller& poller, std::int64_t awake) {
  return [&poller, awake](std::int64_t until) {
    const std::int64_t wait = until - awake - now();
    if (wait > 0) poller.wait(wait);
    while (now() < until) {
      if (awake != 0)
        poller.wait(0);
      else
        poller.wait(std::max<std::int64_t>(0, until - now()));
    }
  };
}

/// A timerfd in an epoll set.
class TimerInEpoll {
 public:
  TimerInEpoll() { poller_.add(timer_.get(), 0); }
  void sleep(std::int64_t until) {
    itimerspec wanted{};
    wanted.it_value = spec_of(until);
    timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &wanted, nullptr);
    poller_.wait(base::second_ns);
    std::uint64_t expired = 0;
    [[maybe_unused]] const auto read = ::read(timer_.get(), &expired, sizeof expired);
  }

 private:
  base::Descriptor timer_{timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)};
  Poller poller_;
};

void with_nanosleep(std::int64_t until) {
  const timespec time = spec_of(until);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

#ifdef HALLMARK_IO_URING
/// A timeout of io_uring, which is what Asio's io_uring backend waits with.
class Uring {
 public:
  Uring() : works_(io_uring_queue_init(8, &ring_, 0) == 0) {}
  ~Uring() {
    if (works_) io_uring_queue_exit(&ring_);
  }
  Uring(const Uring&) = delete;
  Uring& operator=(const Uring&) = delete;
  bool works() const { return works_; }
  void sleep(std::int64_t until) {
    const std::int64_t wait = std::max<std::int64_t>(1, until - now());
    __kernel_timespec time{wait / base::second_ns, wait % base::second_ns};
    io_uring_cqe* done = nullptr;
    io_uring_wait_cqe_timeout(&ring_, &done, &time);
    if (done != nullptr) io_uring_cqe_seen(&ring_, done);
  }

 private:
  io_uring ring_{};
  bool works_;
};
#endif

void print(const std::string& name, double per_second, const Lateness& found) {
  const auto us = [&](double q) { return static_cast<double>(found.late.quantile(q)) / 1000; };
  fmt::print(
      "{:<28} {:>6.0f}/s  late p50 {:>6.1f}  p99 {:>7.1f}  p99.9 {:>7.1f} us  busy {:>5.1f} %\n",
      name, per_second, us(0.5), us(0.99), us(0.999), 100 * found.busy);
}

}  // namespace
}  // namespace hallmark::loadgen

int main(int count, char** arguments) {
  using namespace hallmark::loadgen;
  const double seconds = count > 1 ? std::atof(arguments[1]) : 3;
  be_punctual();
  Poller poller;
  TimerInEpoll timer;
  std::vector<std::pair<std::string, Sleep>> ways;
  ways.emplace_back("epoll_pwait2", with_epoll(poller, 0));
  ways.emplace_back("timerfd in epoll", [&](std::int64_t until) { timer.sleep(until); });
  ways.emplace_back("clock_nanosleep", with_nanosleep);
#ifdef HALLMARK_IO_URING
  Uring uring;
  if (uring.works()) ways.emplace_back("io_uring", [&](std::int64_t until) { uring.sleep(until); });
#endif
  ways.emplace_back("epoll_pwait2, awake 80 us", with_epoll(poller, 80'000));
  for (const double rate : {200.0, 1'000.0, 5'000.0}) {
    for (const auto& [name, sleep] : ways) print(name, rate, measure(sleep, rate, seconds));
  }
}
