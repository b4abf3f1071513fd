#include "conformance/supervisor/output_tail.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace hallmark::conformance {
namespace {

constexpr std::size_t chunk = std::size_t{64} << 10;

}  // namespace

OutputTail::OutputTail(base::Descriptor pipe) : pipe_(std::move(pipe)) {
  ::fcntl(pipe_.get(), F_SETFL, ::fcntl(pipe_.get(), F_GETFL) | O_NONBLOCK);
  thread_ = std::jthread([this] { drain(); });
}

OutputTail::~OutputTail() { stop_.wake(); }

bool OutputTail::read_some(std::size_t most_at_once) {
  std::array<char, chunk> buffer;
  for (std::size_t taken = 0; taken < most_at_once;) {
    const ssize_t got = ::read(pipe_.get(), buffer.data(), buffer.size());
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    taken += static_cast<std::size_t>(got);
    tail_.append(buffer.data(), static_cast<std::size_t>(got));
    if (tail_.size() > most_bytes) tail_.erase(0, tail_.size() - most_bytes);
  }
  return true;
}

void OutputTail::drain() {
  std::array<pollfd, 2> waiting{{{pipe_.get(), POLLIN, 0}, {stop_.fd(), POLLIN, 0}}};
  for (bool more = true; more;) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) return;
    const std::lock_guard lock(mutex_);
    more = read_some(chunk);
  }
}

std::vector<std::string> OutputTail::lines(std::size_t most) {
  constexpr std::size_t whole_pipe = std::size_t{1} << 20;
  const std::lock_guard lock(mutex_);
  read_some(whole_pipe);
  std::vector<std::string> lines;
  std::string_view text = tail_;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  while (!text.empty() && lines.size() < most) {
    const std::size_t at = text.rfind('\n') + 1;  // npos + 1 is 0
    lines.emplace_back(text.substr(at));
    text.remove_suffix(text.size() - (at == 0 ? 0 : at - 1));
  }
  std::ranges::reverse(lines);
  return lines;
}

}  // namespace hallmark::conformance
