#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hallmark::loadgen {

/// A request that was sent and whose reply has not come. Times are nanoseconds from the start of
/// the run.
struct Pending {
  std::int64_t planned_ns = 0;
  std::int64_t sent_ns = 0;
  std::uint32_t request_id = 0;
  std::uint8_t part = 0;
  bool counted : 1 = true;      ///< false during warm-up
  bool expired : 1 = false;     ///< already counted as timed out; its reply may still come
  bool ended : 1 = false;       ///< before a request that was sent earlier
  bool marked : 1 = false;      ///< its departure is logged
  bool watched : 1 = false;     ///< its outcome is observed
  bool held_up : 1 = false;     ///< the target did not take what was to be sent before it
  std::uint8_t unused : 2 = 0;  ///< a whole byte is written without a look at the old one
  std::uint16_t place = 0;      ///< requests before it in the same write

  /// Returns true if its reply only has to be counted.
  bool plain() const noexcept { return counted && !expired && !ended && !watched; }
};

/// A queue of the requests in flight on one connection, in the order they were sent. Memory grows
/// to twice the most that were ever in flight at once.
class InFlight {
 public:
  bool empty() const noexcept { return begin_ == end_; }
  std::size_t size() const noexcept { return end_ - begin_; }
  Pending& front() noexcept { return slots_[begin_]; }
  /// The front; null when there is none.
  Pending* oldest() noexcept { return empty() ? nullptr : &front(); }
  /// Entry `i` from the front, below size(). Entries lie one behind the other.
  Pending& at(std::size_t i) noexcept { return slots_[begin_ + i]; }
  /// The request with that id which has not ended; null when there is none. The ids of a queue
  /// ascend, modulo 2^32.
  Pending* find(std::uint32_t request_id) noexcept {
    if (empty()) return nullptr;
    const std::uint32_t first = front().request_id;
    std::size_t below = 0;
    for (std::size_t above = size(); below + 1 < above;) {
      const std::size_t middle = below + (above - below) / 2;
      const bool beyond = at(middle).request_id - first > request_id - first;
      (beyond ? above : below) = middle;
    }
    Pending& found = at(below);
    return found.request_id == request_id && !found.ended ? &found : nullptr;
  }

  /// The number of entries before this one.
  std::size_t position_of(const Pending& pending) const noexcept {
    return static_cast<std::size_t>(&pending - slots_.data()) - begin_;
  }

  /// Drops the oldest, at most size() of them.
  void pop(std::size_t count = 1) noexcept {
    begin_ += count;
    if (begin_ == end_) begin_ = end_ = 0;
  }

  /// Room for `count` entries behind the last, none of them in the queue until they are committed.
  Pending* prepare(std::size_t count) {
    if (slots_.size() - end_ < count) make_room(count);
    return slots_.data() + end_;
  }
  void commit(std::size_t count) noexcept { end_ += count; }

  void push(const Pending& pending) {
    *prepare(1) = pending;
    commit(1);
  }

 private:
  // Entries are moved to the front only when at least as many have been dropped since they were
  // last: each is moved once or twice in its life.
  [[gnu::noinline]] void make_room(std::size_t count) {
    const std::size_t used = size();
    const auto first = slots_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto last = slots_.begin() + static_cast<std::ptrdiff_t>(end_);
    if (begin_ >= used && slots_.size() - used >= count) {
      std::move(first, last, slots_.begin());
    } else {
      std::vector<Pending> larger(std::max(slots_.size() * 2, used + count));
      std::move(first, last, larger.begin());
      slots_.swap(larger);
    }
    begin_ = 0;
    end_ = used;
  }

  static constexpr std::size_t initial_slots = 64;

  std::vector<Pending> slots_ = std::vector<Pending>(initial_slots);
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace hallmark::loadgen
