#include "captures/reassembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hallmark::captures {
namespace {

constexpr const char* sent_again = "sent again; the first ones stand";

/// Bytes `from` to `to` of those that start at `offset`, as far as they were captured.
ByteView part_of(ByteView bytes, std::uint64_t offset, std::uint64_t from, std::uint64_t to) {
  const std::uint64_t first = std::min<std::uint64_t>(from - offset, bytes.size());
  const std::uint64_t last = std::min<std::uint64_t>(to - offset, bytes.size());
  return bytes.subspan(first, last - first);
}

}  // namespace

void Reassembly::start(std::uint32_t sequence) {
  started_ = true;
  first_ = sequence;
}

/// Sequence numbers wrap around: the place nearest to what is expected next is meant.
std::int64_t Reassembly::place_of(std::uint32_t sequence) const {
  const auto expected = static_cast<std::uint32_t>(first_ + next_);
  return static_cast<std::int64_t>(next_) + static_cast<std::int32_t>(sequence - expected);
}

std::uint64_t Reassembly::offset_of(std::uint32_t sequence) const {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(place_of(sequence), 0));
}

void Reassembly::add(Segment segment, Time at, std::uint64_t seen) {
  const std::int64_t place = place_of(segment.sequence + (segment.syn ? 1U : 0U));
  if (place < 0) {  // from before the capture
    const std::size_t cut = std::min<std::size_t>(static_cast<std::size_t>(-place), segment.length);
    segment.payload = segment.payload.subspan(std::min(cut, segment.payload.size()));
    segment.length -= cut;
  }
  const auto begin = static_cast<std::uint64_t>(std::max<std::int64_t>(place, 0));
  const std::uint64_t end = begin + segment.length;
  if (begin > next_ + farthest_ahead) {
    return remark_({FindingKind::reordered,
                    {begin, segment.length},
                    "farther ahead than any window: passed over"});
  }
  if (segment.fin && !fin_) fin_ = end;
  if (segment.length > 0) place_payload(segment.payload, begin, end, at, seen);
}

void Reassembly::place_payload(ByteView payload, std::uint64_t begin, std::uint64_t end, Time at,
                               std::uint64_t seen) {
  if (begin < next_) {
    remark_({FindingKind::retransmitted, {begin, std::min(end, next_) - begin}, sent_again});
  }
  if (end <= next_) return;
  if (begin <= next_ && held_.empty()) {
    return deliver({part_of(payload, begin, next_, end), 0, at, seen}, end - next_);
  }
  if (begin > next_) {
    remark_({FindingKind::reordered,
             {begin, end - begin},
             fmt::format("came before bytes {} to {}", next_, begin - 1)});
  }
  hold(begin, end, {payload, 0, at, seen});
  drain();
  if (held_bytes_ > most_held_bytes || held_.size() > most_held_segments) give_up(end, at);
}

/// Keeps those parts that are not held already.
void Reassembly::hold(std::uint64_t begin, std::uint64_t end, const Piece& piece) {
  std::uint64_t at = std::max(begin, next_);
  while (at < end) {
    auto later = held_.upper_bound(at);
    if (later != held_.begin()) {
      const auto& [offset, held] = *std::prev(later);
      if (at < offset + held.length) {
        const std::uint64_t until = std::min(end, offset + held.length);
        compare(at, until, offset, held, part_of(piece.bytes, begin, at, until));
        at = until;
        continue;
      }
    }
    const std::uint64_t until = later == held_.end() ? end : std::min(end, later->first);
    const ByteView part = part_of(piece.bytes, begin, at, until);
    held_.emplace(at, Held{Bytes(part.begin(), part.end()), until - at, piece.at, piece.seen});
    held_bytes_ += part.size();
    at = until;
  }
}

void Reassembly::compare(std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
                         const Held& held, ByteView bytes) const {
  const ByteView first = part_of(held.bytes, offset, begin, end);
  const std::size_t both = std::min(first.size(), bytes.size());
  const bool same = std::ranges::equal(first.first(both), bytes.first(both));
  remark_({same ? FindingKind::retransmitted : FindingKind::conflicting,
           {begin, end - begin},
           same ? sent_again : "sent again with other bytes; the first ones stand"});
}

/// The capture may have cut the segment: what is missing of it follows.
void Reassembly::deliver(const Piece& piece, std::uint64_t length) {
  next_ += length;
  if (!piece.bytes.empty()) deliver_(piece);
  const std::uint64_t missing = length - piece.bytes.size();
  if (missing > 0) deliver_({{}, missing, piece.at, piece.seen});
}

void Reassembly::drain() {
  while (!held_.empty() && held_.begin()->first <= next_) {
    const auto node = held_.extract(held_.begin());
    const Held& held = node.mapped();
    held_bytes_ -= held.bytes.size();
    deliver({held.bytes, 0, held.at, held.seen}, held.length);
  }
}

void Reassembly::give_up(std::uint64_t until, Time at) {
  if (!held_.empty()) until = std::min(until, held_.begin()->first);
  if (until > next_) deliver({{}, 0, at, 0}, until - next_);
  drain();
}

void Reassembly::finish(std::uint64_t acknowledged, Time at) {
  if (!started_) return;
  while (!held_.empty()) give_up(held_.begin()->first, at);
  // An acknowledgement of the end of the stream counts one more than there are bytes.
  const std::uint64_t end = fin_ ? *fin_ : acknowledged;
  if (end > next_) give_up(end, at);
}

}  // namespace hallmark::captures
