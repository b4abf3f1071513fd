#include "base/descriptor.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <ctime>
#include <system_error>

#include "base/stop_signals.hpp"

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

bool is_regular(const Descriptor& file) {
  struct stat status {};
  return ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
}

/// Takes away from `content` what the file took, perhaps nothing. Returns 0 or an errno.
int write_some(const Descriptor& file, std::string_view& content, std::size_t most) {
  const auto written = ::write(file.get(), content.data(), std::min(most, content.size()));
  if (written < 0) return errno == EAGAIN || errno == EINTR ? 0 : errno;
  content.remove_prefix(static_cast<std::size_t>(written));
  return 0;
}

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
  if (is_regular(file)) {
    while (!content.empty()) {
      if (const int reason = write_some(file, content, content.size()); reason != 0) return reason;
    }
    return 0;
  }
  const WithoutSigpipe without_sigpipe;
  StopSignals stop;
  while (!content.empty()) {
    if (!stop.wait_for_room(file)) return EINTR;
    // A pipe with room takes so much at once, also if its descriptor blocks.
    if (const int reason = write_some(file, content, PIPE_BUF); reason != 0) return reason;
  }
  return 0;
}

std::string errno_text(int number) { return std::generic_category().message(number); }

}  // namespace hallmark::base
