#include "proxy/faults.hpp"

namespace hallmark::proxy {
namespace {

std::chrono::nanoseconds delay_in(const Delay& range, const DatagramRandom& random,
                                  std::uint64_t copy) {
  const auto width = static_cast<std::uint64_t>((range.longest - range.shortest).count());
  return range.shortest + std::chrono::nanoseconds(random.below(width + 1, Draw::delay, copy));
}

Copy copy_of(const FaultPlan& plan, const DatagramRandom& random, std::uint64_t index,
             std::size_t size) {
  Copy copy{.delay = delay_in(plan.delay, random, index)};
  if (random.chance(plan.reorder, Draw::reorder, index)) {
    const auto more = random.below(plan.overtaken_by_at_most, Draw::overtaken_by, index);
    copy.overtaken_by = 1 + static_cast<std::uint32_t>(more);
  }
  if (size > 0 && random.chance(plan.truncate, Draw::truncate, index)) {
    copy.cut_to = random.below(size, Draw::length, index);
  }
  const std::size_t left = copy.cut_to.value_or(size);
  if (left > 0 && random.chance(plan.corrupt, Draw::corrupt, index)) {
    const auto mask = 1 + random.below(255, Draw::mask, index);
    copy.flip = {random.below(left, Draw::position, index), static_cast<std::uint8_t>(mask)};
  }
  return copy;
}

}  // namespace

Fate Faults::fate_of(const DatagramId& id, std::size_t size) const {
  const FaultPlan& asked = plan(id.direction);
  const DatagramRandom random(seed_, id);
  Fate fate;
  if (random.chance(asked.drop, Draw::drop)) return fate;
  const std::uint64_t copies = random.chance(asked.duplicate, Draw::duplicate) ? 2 : 1;
  for (std::uint64_t i = 0; i < copies; ++i) fate.push_back(copy_of(asked, random, i, size));
  return fate;
}

}  // namespace hallmark::proxy
