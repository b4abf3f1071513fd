#include "captures/causal_order.hpp"

#include <limits>
#include <utility>

namespace hallmark::captures {

void CausalOrder::add(Direction direction, const Piece& piece) {
  if (held_[direction].empty() && may_pass(direction, piece)) {
    deliver(direction, piece);
    return release();
  }
  held_[direction].push_back({Bytes(piece.bytes.begin(), piece.bytes.end()), piece});
  held_bytes_ += piece.bytes.size();
  release();
  while (held_bytes_ > most_held_bytes || held_[0].size() + held_[1].size() > most_held_pieces) {
    force();
  }
}

void CausalOrder::expect_nothing_of(Direction direction) {
  delivered_[direction] = std::numeric_limits<std::uint64_t>::max();
  release();
}

void CausalOrder::finish() {
  release();
  while (!held_[0].empty() || !held_[1].empty()) force();
}

void CausalOrder::deliver(Direction direction, const Piece& piece) {
  std::uint64_t& delivered = delivered_[direction];
  if (delivered != std::numeric_limits<std::uint64_t>::max()) {
    delivered += piece.bytes.size() + piece.missing;
  }
  deliver_(direction, piece);
}

void CausalOrder::deliver_front(Direction direction) {
  Held held = std::move(held_[direction].front());
  held_[direction].pop_front();
  held_bytes_ -= held.bytes.size();
  held.piece.bytes = held.bytes;
  deliver(direction, held.piece);
}

bool CausalOrder::release_front(Direction direction) {
  if (held_[direction].empty() || !may_pass(direction, held_[direction].front().piece))
    return false;
  deliver_front(direction);
  return true;
}

/// Delivers all pieces that may pass. If both sides wait for each other, a retransmission carried a
/// later acknowledgement than its first, uncaptured sending: then the oldest piece is let through.
void CausalOrder::release() {
  for (;;) {
    while (release_front(0) || release_front(1)) {
    }
    if (held_[0].empty() || held_[1].empty()) return;
    force();
  }
}

void CausalOrder::force() {
  const bool second = held_[0].empty() ||
                      (!held_[1].empty() && held_[1].front().piece.at < held_[0].front().piece.at);
  deliver_front(second ? 1 : 0);
}

}  // namespace hallmark::captures
