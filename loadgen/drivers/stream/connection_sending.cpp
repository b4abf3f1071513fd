#include <algorithm>
#include <array>

#include "loadgen/drivers/stream/connection.hpp"
#include "loadgen/drivers/stream/row.hpp"

namespace hallmark::loadgen {
namespace {

/// Beyond this a target that does not read, or does not answer, is not given more: memory per
/// connection stays bounded whatever the rate.
constexpr std::size_t most_unsent_bytes = std::size_t{1} << 20;
/// Frames may be as large as a value: memory is made ready for a few of those at a time.
constexpr std::size_t most_prepared_bytes = std::size_t{1} << 15;
constexpr std::size_t most_in_flight = std::size_t{1} << 16;  // places in a write have 16 bits
/// Fewer requests are kept one by one: to look after a row takes as long as after some of them.
constexpr std::size_t shortest_row = 4;

}  // namespace

bool Connection::request(const Outgoing& outgoing, Tally& tally) {
  if (plan_.most_in_flight != 0 && in_flight_.size() >= plan_.most_in_flight) return false;
  return append(outgoing, 1, 1, tally) != 0;
}

std::uint64_t Connection::fill(const Outgoing& first, std::uint64_t stride, std::uint64_t depth,
                               Tally& tally) {
  Outgoing next = first;
  std::uint64_t filled = 0;
  while (answered_in_flight_ < depth) {
    const std::size_t appended = append(next, stride, depth - answered_in_flight_, tally);
    if (appended == 0) break;
    next.index += appended * stride;
    filled += appended;
  }
  return filled;
}

/// The number of requests for which there is room, and memory at once.
std::size_t Connection::room() const {
  if (out_.size() >= most_unsent_bytes || in_flight_.size() >= most_in_flight) return 0;
  const std::size_t bytes = std::min(most_unsent_bytes - out_.size(), most_prepared_bytes);
  return std::min(most_in_flight - in_flight_.size(), 1 + (bytes - 1) / requests_->room());
}

inline void Connection::append_each(const Outgoing& first, std::uint64_t stride,
                                    std::span<const Written> row) {
  // The compiler takes it that each write may change a member: it keeps copies in registers.
  const std::int64_t planned_ns = first.planned_ns;
  const std::uint32_t mask = watch_mask_;
  const bool counted = first.counted;
  Pending* const pending = in_flight_.prepare(row.size());
  std::uint64_t index = first.index;
  auto place = static_cast<std::uint16_t>(unstamped_);
  for (std::size_t i = 0; i < row.size(); ++i, ++place, index += stride) {
    const auto [part, key] = row[i];
    pending[i] = {.planned_ns = planned_ns,
                  .sent_ns = planned_ns,
                  .request_id = Requests::id_of(index),
                  .part = static_cast<std::uint8_t>(part),
                  .counted = counted,
                  .place = place};
    if ((key & mask) == 0) [[unlikely]]
      pending[i].watched = watch(part, key, planned_ns);
  }
  in_flight_.commit(row.size());
}

// Several short loops over a row of requests, most of which are seldom run: one loop that asks for
// everything each time takes more instructions.
std::size_t Connection::append(const Outgoing& first, std::uint64_t stride, std::uint64_t wanted,
                               Tally& tally) {
  const std::size_t count = std::min<std::uint64_t>({wanted, room(), longest_row});
  if (count == 0) return 0;
  std::array<Written, longest_row> memory;
  const std::span row{memory.data(), count};
  std::uint8_t* const at = out_.prepare(count * requests_->room());
  const WrittenRow written =
      requests_->write(at, first.index, stride, first.planned_ns, watch_mask_, row);
  out_.commit(written.bytes);
  if (may_be_alike_ && first.counted && count >= shortest_row && !written.may_be_watched) {
    in_flight_.push(PendingRow{{.planned_ns = first.planned_ns,
                                .sent_ns = first.planned_ns,
                                .request_id = Requests::id_of(first.index),
                                .place = static_cast<std::uint16_t>(unstamped_)},
                               static_cast<std::uint32_t>(stride),
                               count});
  } else {
    append_each(first, stride, row);
  }
  last_index_ = first.index + (count - 1) * stride;
  unstamped_ += count;
  count_written(row, first.counted, tally);
  if (plan_.departures != nullptr && first.counted && plan_.departures->marks(first.ordinal)) {
    in_flight_.at(in_flight_.size() - 1).marked = true;  // an open loop appends one at a time
    marked_.push_back(first.ordinal);
  }
  if (staged_) {
    for (const Written& one : row) send_times_.push(requests_->frame_bytes(one));
  }
  if (plan_.inserts != nullptr) {
    for (const auto& [part, key] : row)
      if (requests_->parts()[part].action == oracle::RecordAction::purge)
        plan_.inserts->purging(key);
  }
  return count;
}

void Connection::count_written(std::span<const Written> row, bool counted, Tally& tally) {
  const auto& parts = requests_->parts();
  if (parts.size() == 1) {  // which is answered: some part has to be
    answered_in_flight_ += row.size();
    if (counted) tally.parts[0].plan(row.size());
    return;
  }
  for (const Written& one : row) {
    if (parts[one.part].answered) ++answered_in_flight_;
    if (counted) tally.parts[one.part].plan();
  }
}

}  // namespace hallmark::loadgen
