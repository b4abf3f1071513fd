#pragma once

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"
#include "base/waker.hpp"

namespace hallmark::conformance {

/// What a process writes, taken off it however much that is; the end of it is kept.
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
  /// Whether more may come; at most `most_at_once` bytes are read.
  bool read_some(std::size_t most_at_once);

  base::Descriptor pipe_;
  base::Waker stop_;
  std::mutex mutex_;
  std::string tail_;
  std::jthread thread_;
};

}  // namespace hallmark::conformance
