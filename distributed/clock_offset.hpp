#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

namespace hallmark::distributed {

/// The time by which a clock is ahead of ours: `offset_ns` nanoseconds, give or take `bound_ns`.
struct ClockOffset {
  std::int64_t offset_ns = 0;
  std::int64_t bound_ns = 0;
  bool operator==(const ClockOffset&) const = default;
};

/// Finds the offset of a clock by questions and answers (Cristian 1989): it was read between the
/// question and the answer, so half of the round trip bounds the error. The shortest counts.
class ClockComparison {
 public:
  /// `theirs_ns` was read after our clock said `asked_ns` and before it said `answered_ns`.
  void add(std::int64_t asked_ns, std::int64_t theirs_ns, std::int64_t answered_ns) {
    const std::int64_t bound = (answered_ns - asked_ns + 1) / 2;
    if (best_ && best_->bound_ns <= bound) return;
    best_ = ClockOffset{theirs_ns - (asked_ns + (answered_ns - asked_ns) / 2), bound};
  }

  /// Empty before the first answer.
  const std::optional<ClockOffset>& best() const { return best_; }

 private:
  std::optional<ClockOffset> best_;
};

}  // namespace hallmark::distributed
