#include "loadgen/drivers/datagram/asker.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>

namespace hallmark::loadgen::datagram {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t at_once = 64;
constexpr std::uint64_t first_id = 100'000'000'000;

}  // namespace

int Asker::ask(std::size_t count, const Question& question, const Answer& answered,
               const std::function<bool()>& interrupted) {
  is_answered_.assign(count, false);
  error_ = 0;
  for (std::size_t from = 0; from < count; from += at_once) {
    const std::size_t to = std::min(count, from + at_once);
    for (int attempt = 0; attempt < tries && !all_answered(from, to); ++attempt) {
      send(from, to, question);
      const auto until = Clock::now() + timeout_;
      while (!all_answered(from, to) && Clock::now() < until) {
        if (interrupted()) return error_;
        pollfd waiting{socket_.descriptor.get(), POLLIN, 0};
        ::poll(&waiting, 1, 10);
        if (waiting.revents != 0) receive(from, to, answered);
        if (error_ == ECONNREFUSED) break;
      }
    }
    // Nobody is there: asking the others would be the same.
    if (error_ == ECONNREFUSED && !all_answered(from, to)) return error_;
  }
  return error_;
}

void Asker::send(std::size_t from, std::size_t to, const Question& question) {
  error_ = 0;
  for (std::size_t i = from; i < to; ++i) {
    if (is_answered_[i]) continue;
    const base::Bytes bytes = question(i, first_id + i);
    if (::send(socket_.descriptor.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) {
      error_ = errno;
    }
  }
}

void Asker::receive(std::size_t from, std::size_t to, const Answer& answered) {
  const int count = receiving_.receive(socket_.descriptor.get());
  if (count < 0 && errno != EAGAIN) error_ = errno;
  for (int i = 0; i < count; ++i) {
    const auto datagram = receiving_.at(static_cast<std::size_t>(i));
    const auto id = Requests::id_of(datagram.bytes);
    if (!id || *id < first_id + from || *id >= first_id + to) continue;
    const auto index = static_cast<std::size_t>(*id - first_id);
    if (is_answered_[index]) continue;
    is_answered_[index] = true;
    answered(index, datagram.bytes);
  }
}

bool Asker::all_answered(std::size_t from, std::size_t to) const {
  const auto begin = is_answered_.begin();
  return std::all_of(begin + static_cast<std::ptrdiff_t>(from),
                     begin + static_cast<std::ptrdiff_t>(to),
                     [](bool answered) { return answered; });
}

}  // namespace hallmark::loadgen::datagram
