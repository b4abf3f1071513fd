#include "loadgen/judge/counter_ledger.hpp"

namespace hallmark::loadgen {

void CounterLedger::lost(std::uint32_t key, std::int64_t by) {
  const std::scoped_lock lock{mutex_};
  (by < 0 ? lost_[key].least : lost_[key].most) += by;
}

CounterLedger::Range CounterLedger::lost_of(std::uint32_t key) const {
  const std::scoped_lock lock{mutex_};
  const auto found = lost_.find(key);
  return found == lost_.end() ? Range{} : found->second;
}

CounterLedger::Range CounterLedger::range_of(std::uint32_t key, std::int64_t first) const {
  const Moved& moved = moved_[key];
  const std::int64_t known = first + std::int64_t{moved.up} - std::int64_t{moved.down};
  const Range lost = lost_of(key);
  return {known + lost.least, known + lost.most};
}

bool CounterLedger::may_have_met_an_end(std::uint32_t key, std::int64_t first,
                                        std::int64_t limit) const {
  const Moved& moved = moved_[key];
  const Range lost = lost_of(key);
  return first - std::int64_t{moved.down} + lost.least < 0 ||
         first + std::int64_t{moved.up} + lost.most > limit;
}

}  // namespace hallmark::loadgen
