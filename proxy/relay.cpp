#include "proxy/relay.hpp"

#include <algorithm>

namespace hallmark::proxy {
namespace {

std::vector<std::uint8_t> damaged(std::span<const std::uint8_t> bytes, const Copy& copy) {
  const auto left = bytes.first(copy.cut_to.value_or(bytes.size()));
  std::vector<std::uint8_t> result(left.begin(), left.end());
  if (copy.flip) result[copy.flip->position] ^= copy.flip->mask;
  return result;
}

}  // namespace

Relay::Relay(const Faults& faults, const HeldLimits& limits, DecisionLog log)
    : faults_(faults), limits_(limits), log_(std::move(log)) {}

std::uint64_t Relay::open_flow() {
  flows_.try_emplace(flows_opened_);
  return flows_opened_++;
}

void Relay::close_flow(std::uint64_t flow) { flows_.erase(flow); }

Relay::Lane* Relay::lane_of(const DatagramId& id) {
  const auto found = flows_.find(id.flow);
  if (found == flows_.end()) return nullptr;
  return &found->second[static_cast<std::size_t>(id.direction)];
}

void Relay::receive(Direction direction, std::uint64_t flow, std::span<const std::uint8_t> bytes,
                    Time now) {
  DatagramId id{direction, flow, 0};
  Lane* const lane = lane_of(id);
  if (lane == nullptr) return turn_away(direction);
  id.number = lane->received++;
  const Fate fate = faults_.fate_of(id, bytes.size());
  count_faults(direction, fate);
  if (log_) log_({id, bytes.size(), fate});
  for (std::size_t i = 0; i < fate.size(); ++i) hold(id, fate[i], i == 0, bytes, now);
}

void Relay::turn_away(Direction direction) {
  ++counts_of(direction).received;
  ++counts_of(direction).discarded.flow_closed;
}

void Relay::count_faults(Direction direction, const Fate& fate) {
  Counts& counts = counts_of(direction);
  ++counts.received;
  counts.dropped += fate.empty();
  counts.duplicated += fate.size() > 1;
  for (const Copy& copy : fate) {
    counts.delayed += copy.delay > Time::zero();
    counts.held_back += copy.overtaken_by > 0;
    counts.corrupted += copy.flip.has_value();
    counts.truncated += copy.cut_to.has_value();
  }
}

bool Relay::has_room_for(std::size_t bytes) const {
  return held_.size() < limits_.datagrams && held_bytes_ + bytes <= limits_.bytes;
}

void Relay::hold(const DatagramId& id, const Copy& copy, bool first,
                 std::span<const std::uint8_t> bytes, Time now) {
  Counts& counts = counts_of(id.direction);
  const bool waits = copy.delay > Time::zero() || copy.overtaken_by > 0;
  if (waits && !has_room_for(copy.cut_to.value_or(bytes.size()))) {
    ++counts.discarded.held_limit;
    return;
  }
  Held held{.id = id, .first = first, .bytes = damaged(bytes, copy)};
  Turn turn{now + copy.delay, arrivals_++};
  if (copy.overtaken_by > 0) {
    const Time ready = turn.due;
    turn.due += faults_.plan(id.direction).held_back_at_most;
    auto& waiting = lane_of(id)->held_back;
    held.held_back = waiting.insert(waiting.end(), {id.number, copy.overtaken_by, ready, turn});
  }
  ++counts.held;
  held_bytes_ += held.bytes.size();
  held_.emplace(turn, std::move(held));
}

std::optional<Time> Relay::next_due() const {
  if (held_.empty()) return std::nullopt;
  return held_.begin()->first.due;
}

std::optional<Departure> Relay::take_due(Time now) {
  while (!held_.empty() && held_.begin()->first.due <= now) {
    auto node = held_.extract(held_.begin());
    Held& held = node.mapped();
    Counts& counts = counts_of(held.id.direction);
    --counts.held;
    held_bytes_ -= held.bytes.size();
    Lane* const lane = lane_of(held.id);
    if (lane == nullptr) {
      ++counts.discarded.flow_closed;
      continue;
    }
    ++counts.forwarded;
    depart(*lane, held, node.key().due);
    return Departure{held.id.direction, held.id.flow, std::move(held.bytes)};
  }
  return std::nullopt;
}

void Relay::depart(Lane& lane, const Held& held, Time due) {
  if (held.held_back) lane.held_back.erase(*held.held_back);
  if (!held.first) return;  // it has passed already, or will: a copy overtakes nobody
  const std::uint64_t number = held.id.number;
  if (number < lane.passed) {
    ++counts_of(held.id.direction).reordered;
  } else {
    lane.passed = number + 1;
  }
  overtake(lane, number, due);
}

/// Everything before `number` that is held back has been passed once more, at the time when
/// `number` was due: the order in which datagrams leave does not depend on how late they are taken.
void Relay::overtake(Lane& lane, std::uint64_t number, Time due) {
  for (auto one = lane.held_back.begin(); one != lane.held_back.end() && one->number < number;) {
    if (--one->overtaken_by > 0) {
      ++one;
      continue;
    }
    auto node = held_.extract(one->turn);
    node.key().due = std::max(due, one->ready);
    node.mapped().held_back.reset();
    held_.insert(std::move(node));
    one = lane.held_back.erase(one);
  }
}

void Relay::not_sent(Direction direction) {
  --counts_of(direction).forwarded;
  ++counts_of(direction).discarded.not_sent;
}

}  // namespace hallmark::proxy
