#include "base/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <system_error>

namespace hallmark::base {
namespace {

/// Keeps SIGPIPE, which writing to a pipe without a reader raises, away from this thread.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutSigpipe() {
    constexpr timespec now{};
    if (!was_pending_) ::sigtimedwait(&pipe_, nullptr, &now);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = other.release();
  }
  return *this;
}

void Descriptor::reset() noexcept {
  if (open()) ::close(number_);
  number_ = -1;
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error{"cannot make a pipe: " + errno_text(errno)};
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

std::ptrdiff_t read_some(const Descriptor& file, std::span<char> into) {
  while (true) {
    const auto got = ::read(file.get(), into.data(), into.size());
    if (got >= 0 || errno != EINTR) return got;
  }
}

int write_all(const Descriptor& file, std::string_view content) {
  const WithoutSigpipe without_sigpipe;
  while (!content.empty()) {
    const auto written = ::write(file.get(), content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd room{file.get(), POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

std::string errno_text(int number) { return std::generic_category().message(number); }

}  // namespace hallmark::base
