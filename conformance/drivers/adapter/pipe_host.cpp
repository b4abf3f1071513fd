#include "conformance/drivers/adapter/pipe_host.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "conformance/engine/clock.hpp"

namespace hallmark::conformance {
namespace {

constexpr std::size_t chunk = std::size_t{64} << 10;

void set_nonblocking(const base::Descriptor& end) {
  ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

class PipeLink : public AdapterLink {
 public:
  PipeLink(std::unique_ptr<base::ChildProcess> child, base::Descriptor in, base::Descriptor out,
           base::Descriptor err)
      : child_(std::move(child)), in_(std::move(in)), out_(std::move(out)), err_(std::move(err)) {
    for (const base::Descriptor* end : {&*in_, &out_, &err_}) set_nonblocking(*end);
  }

  /// Whoever still runs here hangs, or has said what it should not.
  ~PipeLink() override { child_->kill(); }

  Dispatch send(std::string_view bytes, Time until) override {
    while (!bytes.empty()) {
      const ssize_t written = in_ ? ::write(in_->get(), bytes.data(), bytes.size()) : -1;
      if (written > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(written));
      } else if (!in_ || (errno != EAGAIN && errno != EINTR)) {
        return Dispatch::refused;
      } else if (!wait(in_->get(), POLLOUT, until)) {
        return Dispatch::timed_out;
      }
    }
    return Dispatch::sent;
  }

  Arrival receive(std::string& into, Time until) override {
    for (;;) {
      const ssize_t got = ::read(out_.get(), buffer_.data(), buffer_.size());
      if (got > 0) {
        into.append(buffer_.data(), static_cast<std::size_t>(got));
        return Arrival::bytes;
      }
      if (got == 0) return Arrival::closed;
      if (errno != EAGAIN && errno != EINTR) return Arrival::reset;
      if (!wait(out_.get(), POLLIN, until)) return Arrival::timed_out;
    }
  }

  void finish_sending() override { in_.reset(); }

  std::string how_it_ended(Time until) override {
    child_->wait(time_left(until));
    keep_last_words();
    return child_->how_it_ended();
  }

  std::string last_words() const override {
    std::string words = last_words_;
    while (!words.empty() && words.back() == '\n') words.pop_back();
    return words;
  }

 private:
  /// Until the descriptor is ready, its standard error is read: an adapter that writes much to it
  /// must not have to wait for us. Whether it is ready before `until`.
  bool wait(int fd, short events, Time until) {
    for (;;) {
      std::array<pollfd, 2> waiting{{{fd, events, 0}, {silent_ ? -1 : err_.get(), POLLIN, 0}}};
      const Time now = monotonic_now();
      if (now >= until) return false;
      const Time left = until - now;
      const timespec wait{static_cast<time_t>(left / 1'000'000'000),
                          static_cast<long>(left % 1'000'000'000)};
      if (ppoll(waiting.data(), waiting.size(), &wait, nullptr) <= 0) continue;
      if (waiting[1].revents != 0) keep_last_words();
      if (waiting[0].revents != 0) return true;
    }
  }

  /// Keeps what is there now, at most one chunk: the caller checks the time in between.
  void keep_last_words() {
    const ssize_t got = ::read(err_.get(), buffer_.data(), buffer_.size());
    if (got == 0) silent_ = true;
    if (got <= 0) return;
    last_words_.append(buffer_.data(), static_cast<std::size_t>(got));
    if (last_words_.size() > PipeHost::most_last_words)
      last_words_.erase(0, last_words_.size() - PipeHost::most_last_words);
  }

  std::unique_ptr<base::ChildProcess> child_;
  std::optional<base::Descriptor> in_;
  base::Descriptor out_;
  base::Descriptor err_;
  std::array<char, chunk> buffer_;
  std::string last_words_;
  bool silent_ = false;  ///< it has closed its standard error
};

}  // namespace

PipeHost::PipeHost(std::string command) : command_(std::move(command)) {
  ::signal(SIGPIPE, SIG_IGN);
}

AdapterStart PipeHost::start() {
  auto in = base::make_pipe();
  auto out = base::make_pipe();
  auto err = base::make_pipe();
  for (const auto* pipe : {&in, &out, &err}) {
    if (!*pipe) return "no pipe to the adapter: " + pipe->error().message;
  }
  base::ChildOptions options;
  options.in = in->read.get();
  options.out = out->write.get();
  options.err = err->write.get();
  auto child = base::ChildProcess::start(base::shell_command(command_), options);
  if (!child) return child.error().message;
  return std::unique_ptr<AdapterLink>(std::make_unique<PipeLink>(
      std::move(*child), std::move(in->write), std::move(out->read), std::move(err->read)));
}

Time PipeHost::now() const { return monotonic_now(); }

}  // namespace hallmark::conformance
