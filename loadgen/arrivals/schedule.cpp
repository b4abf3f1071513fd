#include "loadgen/arrivals/schedule.hpp"

#include <cmath>

namespace hallmark::loadgen {
std::string_view name_of(Arrivals arrivals) {
  switch (arrivals) {
    case Arrivals::constant: return "constant";
    case Arrivals::poisson: return "poisson";
    case Arrivals::replay: return "replay";
  }
  return "";
}

Schedule::Schedule(const SchedulePlan& plan, std::uint32_t offset, std::uint32_t stride)
    : plan_(plan), offset_(offset), stride_(stride), random_(plan.seed, RandomStream::arrival) {
  advance();
}

std::optional<Planned> Schedule::take_due(std::int64_t now_ns) {
  if (!next_ || next_->at_ns > now_ns) return std::nullopt;
  const auto due = next_;
  advance();
  return due;
}

// Every share walks the whole sequence: a Poisson arrival is the sum of all gaps before it, and a
// gap costs less than what a request costs to send.
void Schedule::advance() {
  next_.reset();
  for (;; ++index_) {
    const std::int64_t at = time_of(index_);
    if (at >= plan_.duration_ns) return;
    const auto connection = static_cast<std::uint32_t>(index_ % plan_.connections);
    if (connection % stride_ != offset_) continue;
    next_ = Planned{index_++, at, connection};
    return;
  }
}

// Called once for each index, in order.
std::int64_t Schedule::time_of(std::uint64_t index) {
  if (plan_.arrivals == Arrivals::replay)
    return index < plan_.times->size() ? (*plan_.times)[index] : plan_.duration_ns;
  // A process of another rate is one of rate 1 in another time.
  if (plan_.arrivals == Arrivals::poisson) due_ -= std::log(random_.unit_at(index));
  const double due = plan_.arrivals == Arrivals::poisson ? due_ : static_cast<double>(index);
  return static_cast<std::int64_t>(plan_.rate.time_of(due));
}

}  // namespace hallmark::loadgen
