#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "loadgen/histogram/histogram.hpp"

namespace hallmark::loadgen {

/// The times that requests spent in each stage, nanoseconds.
struct StageTimes {
  Histogram planned_to_written;            ///< the client's own lag
  Histogram written_to_kernel_sent;        ///< until the system gave it to the network
  Histogram kernel_sent_to_received;       ///< the network and the target
  Histogram kernel_received_to_read;       ///< until the client read the reply
  std::uint64_t without_kernel_times = 0;  ///< requests of which the system told not both

  void add(const StageTimes& other);
  void reset();
};

/// When the system sent the requests in flight on one connection, by the position of their last
/// byte in its stream: what the error queue of a socket tells (SOF_TIMESTAMPING_OPT_ID).
class SendTimes {
 public:
  static constexpr std::int64_t unknown = -1;

  /// One more request, of so many bytes.
  void push(std::size_t bytes) {
    end_ += static_cast<std::uint32_t>(bytes);
    marks_.push_back({end_, unknown});
  }
  /// The oldest are answered.
  void pop(std::size_t count) {
    marks_.erase(marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(count));
    known_ -= std::min(known_, count);
  }
  /// The time at which the system sent the request that is so many behind the oldest.
  std::int64_t at(std::size_t position) const { return marks_[position].sent_ns; }

  /// The system sent everything up to and with byte `last` of the stream, counted from 0.
  void sent(std::uint32_t last, std::int64_t at_ns) {
    for (; known_ < marks_.size(); ++known_) {
      if (static_cast<std::int32_t>(marks_[known_].end - 1 - last) > 0) return;
      marks_[known_].sent_ns = at_ns;
    }
  }

  void clear() {
    marks_.clear();
    known_ = 0;
    end_ = 0;
  }

 private:
  struct Mark {
    std::uint32_t end = 0;  ///< one past its last byte, modulo 2^32
    std::int64_t sent_ns = unknown;
  };
  std::deque<Mark> marks_;
  std::size_t known_ = 0;  ///< of how many at the front the time has been told
  std::uint32_t end_ = 0;
};

}  // namespace hallmark::loadgen
