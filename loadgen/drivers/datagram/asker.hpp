#pragma once
#include <chrono>
#include <functional>
#include <vector>

#include "loadgen/drivers/datagram/requests.hpp"
#include "loadgen/drivers/datagram/socket.hpp"

namespace hallmark::loadgen::datagram {

/// Asks what harms nobody when it is asked twice: each question again until it is answered, up to
/// `tries` times a `timeout` apart, many at a time.
class Asker {
 public:
  static constexpr int tries = 5;

  Asker(Socket socket, std::chrono::nanoseconds timeout)
      : socket_(std::move(socket)), timeout_(timeout) {}

  using Question = std::function<base::Bytes(std::size_t index, std::uint64_t id)>;
  using Answer = std::function<void(std::size_t index, base::ByteView reply)>;

  /// Asks questions 0 … `count` - 1; `answered` is called at most once for each. `interrupted` ends
  /// it. Returns the last error of the socket, 0 when there was none.
  int ask(std::size_t count, const Question& question, const Answer& answered,
          const std::function<bool()>& interrupted);

 private:
  void send(std::size_t from, std::size_t to, const Question& question);
  void receive(std::size_t from, std::size_t to, const Answer& answered);
  bool all_answered(std::size_t from, std::size_t to) const;

  Socket socket_;
  std::chrono::nanoseconds timeout_;
  ReceiveBatch receiving_;
  std::vector<bool> is_answered_;
  int error_ = 0;
};

}  // namespace hallmark::loadgen::datagram
