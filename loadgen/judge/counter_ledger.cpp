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

std::vector<CounterLedger::Entry> CounterLedger::entries() const {
  std::vector<Entry> entries;
  for (std::uint32_t key = 0; key < moved_.size(); ++key) {
    const Entry entry{key, moved_[key].up, moved_[key].down, lost_of(key)};
    const bool untouched =
        entry.up == 0 && entry.down == 0 && entry.lost.least == 0 && entry.lost.most == 0;
    if (!untouched) entries.push_back(entry);
  }
  return entries;
}

bool CounterLedger::add(const Entry& entry) {
  if (entry.key >= moved_.size()) return false;
  const Range here = lost_of(entry.key);
  if (entry.lost.least > 0 || entry.lost.least < -most_lost - here.least || entry.lost.most < 0 ||
      entry.lost.most > most_lost - here.most)
    return false;
  moved_[entry.key].up += entry.up;
  moved_[entry.key].down += entry.down;
  lost(entry.key, entry.lost.least);
  lost(entry.key, entry.lost.most);
  return true;
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
