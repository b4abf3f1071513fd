#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reports/load/load_tail.hpp"

namespace hallmark::loadgen {

/// A request that took long, with what may explain it. Times are nanoseconds from the start of the
/// run; -1: not known.
struct SlowRequest {
  std::uint64_t latency_ns = 0;  ///< by which it is ranked
  std::uint64_t index = 0;
  std::int64_t planned_ns = 0;
  std::int64_t sent_ns = 0;
  std::int64_t kernel_sent_ns = -1;
  std::int64_t kernel_received_ns = -1;
  std::int64_t read_ns = 0;
  std::uint32_t connection = 0;
  std::uint32_t key = 0;
  std::uint16_t place_in_write = 0;  ///< requests before it in the same write
  std::uint16_t place_in_read = 0;   ///< replies before its own in the same read
  std::uint8_t part = 0;
  bool fresh = true;  ///< the state of its connection has not been asked for
  std::optional<reports::TcpFacts> tcp = {};
};

/// The slowest requests of many.
class Slowest {
 public:
  static constexpr std::size_t most = 16;

  /// A request that is no slower is none of them.
  std::uint64_t least() const noexcept { return least_; }

  void add(const SlowRequest& request) {
    kept_.push_back(request);
    fresh_ = fresh_ || request.fresh;
    std::ranges::push_heap(kept_, slower);
    if (kept_.size() > most) {
      std::ranges::pop_heap(kept_, slower);
      kept_.pop_back();
    }
    if (kept_.size() == most) least_ = kept_.front().latency_ns;
  }

  void add(const Slowest& other) {
    for (const SlowRequest& request : other.kept_) {
      if (request.latency_ns > least_ || kept_.size() < most) add(request);
    }
  }

  bool any_fresh() const noexcept { return fresh_; }
  /// Gives the requests that have just been added the state of their connection.
  void explain(const std::optional<reports::TcpFacts>& state) {
    for (SlowRequest& request : kept_) {
      if (std::exchange(request.fresh, false)) request.tcp = state;
    }
    fresh_ = false;
  }

  /// The slowest first.
  std::vector<SlowRequest> ranked() const {
    auto all = kept_;
    std::ranges::stable_sort(all, slower);
    return all;
  }

  void reset() noexcept {
    kept_.clear();
    least_ = 0;
    fresh_ = false;
  }

 private:
  static bool slower(const SlowRequest& a, const SlowRequest& b) {
    return a.latency_ns > b.latency_ns;
  }

  std::vector<SlowRequest> kept_;  ///< a heap, the fastest in front
  std::uint64_t least_ = 0;
  bool fresh_ = false;
};

}  // namespace hallmark::loadgen
