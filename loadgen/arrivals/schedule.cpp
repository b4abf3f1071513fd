#include "loadgen/arrivals/schedule.hpp"

#include <algorithm>
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
    : plan_(plan),
      offset_(offset),
      stride_(stride),
      random_(plan.seed, RandomStream::arrival),
      index_(offset) {
  const bool poisson = plan_.arrivals == Arrivals::poisson;
  for (std::uint32_t c = offset; poisson && c < plan_.connections; c += stride) {
    if (const auto first = arrival(c, 0)) earliest_.push_back(*first);
  }
  std::make_heap(earliest_.begin(), earliest_.end());
  advance();
}

std::optional<Planned> Schedule::take_due(std::int64_t now_ns) {
  if (!next_ || next_->at_ns > now_ns) return std::nullopt;
  const auto due = next_;
  advance();
  return due;
}

void Schedule::advance() {
  next_ = plan_.arrivals == Arrivals::poisson ? take_earliest() : take_in_turn();
  if (next_) next_->ordinal = ordinal_++;
}

std::optional<Planned> Schedule::take_in_turn() {
  if (offset_ >= plan_.connections) return std::nullopt;
  const std::int64_t at_ns = time_of(index_);
  if (at_ns >= plan_.duration_ns) return std::nullopt;
  const auto connection = static_cast<std::uint32_t>(index_ % plan_.connections);
  const Planned taken{index_, at_ns, connection};
  // Behind the last own connection of a round comes the first one of the next round.
  const bool in_round = plan_.connections - connection > stride_;
  index_ += in_round ? stride_ : plan_.connections - connection + offset_;
  return taken;
}

std::optional<Planned> Schedule::take_earliest() {
  if (earliest_.empty()) return std::nullopt;
  std::pop_heap(earliest_.begin(), earliest_.end());
  const Arrival taken = earliest_.back();
  earliest_.pop_back();
  if (const auto following = arrival(taken.index + plan_.connections, taken.due)) {
    earliest_.push_back(*following);
    std::push_heap(earliest_.begin(), earliest_.end());
  }
  return Planned{taken.index, taken.at_ns,
                 static_cast<std::uint32_t>(taken.index % plan_.connections)};
}

// A process of another rate is one of rate 1 in another time.
std::optional<Schedule::Arrival> Schedule::arrival(std::uint64_t index, double after) const {
  const double due = after - std::log(random_.unit_at(index)) * plan_.connections;
  const auto at_ns = static_cast<std::int64_t>(plan_.rate.time_of(due));
  if (at_ns >= plan_.duration_ns) return std::nullopt;
  return Arrival{at_ns, index, due};
}

std::int64_t Schedule::time_of(std::uint64_t index) const {
  if (plan_.arrivals == Arrivals::replay)
    return index < plan_.times->size() ? (*plan_.times)[index] : plan_.duration_ns;
  return static_cast<std::int64_t>(plan_.rate.time_of(static_cast<double>(index)));
}

}  // namespace hallmark::loadgen
