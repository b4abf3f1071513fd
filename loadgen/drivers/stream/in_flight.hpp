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

/// Plain requests which differ in their ids and places alone: a batch of a closed loop. Kept so,
/// they take no memory each.
struct PendingRow {
  Pending first;             ///< plain
  std::uint32_t stride = 0;  ///< from one id to the next, modulo 2^32
  std::size_t count = 0;

  std::uint32_t id(std::size_t i) const noexcept {
    return first.request_id + static_cast<std::uint32_t>(i) * stride;
  }
  Pending at(std::size_t i) const noexcept {
    Pending one = first;
    one.request_id = id(i);
    one.place = static_cast<std::uint16_t>(first.place + i);
    return one;
  }
  void drop(std::size_t n) noexcept {
    first = at(n);
    count -= n;
  }
};

/// A queue of the requests in flight on one connection, in the order they were sent. Memory grows
/// to twice the most that were ever in flight at once. It holds either rows or single requests:
/// whoever asks for a single one, or appends one, breaks the rows up.
class InFlight {
 public:
  bool empty() const noexcept { return size() == 0; }
  std::size_t size() const noexcept { return end_ - begin_ + in_rows_; }
  Pending& front() { return at(0); }
  /// The front; null when there is none.
  Pending* oldest() { return empty() ? nullptr : &front(); }
  /// When the front was planned; the queue is not empty.
  std::int64_t oldest_planned_ns() const noexcept {
    return in_rows_ != 0 ? rows_[begin_row_].first.planned_ns : slots_[begin_].planned_ns;
  }
  /// Entry `i` from the front, below size(). Entries lie one behind the other.
  Pending& at(std::size_t i) {
    if (in_rows_ != 0) break_up();
    return slots_[begin_ + i];
  }
  /// The request with that id which has not ended; null when there is none. The ids of a queue
  /// ascend, modulo 2^32.
  Pending* find(std::uint32_t request_id) {
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

  /// The row at the front; null if single requests are held.
  const PendingRow* row() const noexcept { return in_rows_ != 0 ? &rows_[begin_row_] : nullptr; }

  /// The rows for which there is memory.
  std::size_t row_capacity() const noexcept { return rows_.capacity(); }

  /// Appends a row; it is broken up if single requests are held.
  void push(const PendingRow& row) {
    if (2 * begin_row_ > rows_.size()) {  // more are gone than are left to be moved
      rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(begin_row_));
      begin_row_ = 0;
    }
    rows_.push_back(row);
    in_rows_ += row.count;
    if (begin_ != end_) break_up();
  }

  /// Drops the oldest, at most size() of them.
  void pop(std::size_t count = 1) noexcept {
    if (in_rows_ != 0) return pop_of_rows(count);
    begin_ += count;
    if (begin_ == end_) begin_ = end_ = 0;
  }

  /// Room for `count` entries behind the last, none of them in the queue until they are committed.
  Pending* prepare(std::size_t count) {
    if (in_rows_ != 0) break_up();
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
    const std::size_t used = end_ - begin_;
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

  /// Appends what the rows hold to the single requests, of which there are none or older ones.
  [[gnu::noinline]] void break_up() {
    if (slots_.size() - end_ < in_rows_) make_room(in_rows_);
    for (std::size_t row = begin_row_; row < rows_.size(); ++row)
      for (std::size_t i = 0; i < rows_[row].count; ++i) slots_[end_++] = rows_[row].at(i);
    forget_rows();
  }

  [[gnu::noinline]] void pop_of_rows(std::size_t count) noexcept {
    in_rows_ -= count;
    while (count != 0) {
      PendingRow& row = rows_[begin_row_];
      const std::size_t some = std::min(count, row.count);
      row.drop(some);
      count -= some;
      if (row.count == 0) ++begin_row_;
    }
    if (in_rows_ == 0) forget_rows();
  }

  void forget_rows() noexcept {
    rows_.clear();
    begin_row_ = 0;
    in_rows_ = 0;
  }

  std::vector<Pending> slots_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::vector<PendingRow> rows_;
  std::size_t begin_row_ = 0;
  std::size_t in_rows_ = 0;  ///< requests
};

}  // namespace hallmark::loadgen
