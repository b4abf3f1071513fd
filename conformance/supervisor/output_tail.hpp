#pragma once

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"
#include "base/waker.hpp"

namespace hallmark::conformance {

/// Reads the output of a process, however much that is, and keeps the end of it.
class OutputTail {
 public:
  static constexpr std::size_t most_bytes = std::size_t{16} << 10;

  /// Takes over the end of a pipe that is read.
  explicit OutputTail(base::Descriptor pipe);
  ~OutputTail();
  OutputTail(const OutputTail&) = delete;
  OutputTail& operator=(const OutputTail&) = delete;

  /// The last lines, at most `most`, with all that was written up to now.
  std::vector<std::string> lines(std::size_t most);

 private:
  void drain();
  /// Reads about `most_at_once` bytes, at most one chunk more. Returns true if more may come.
  bool read_some(std::size_t most_at_once);

  base::Descriptor pipe_;
  base::Waker stop_;
  std::mutex mutex_;
  std::string tail_;
  std::jthread thread_;
};

}  // namespace hallmark::conformance
