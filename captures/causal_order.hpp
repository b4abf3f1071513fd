#pragma once

#include <array>
#include <deque>
#include <functional>

#include "captures/reassembly.hpp"

namespace hallmark::captures {

/// The two directions of a connection as one sequence: nothing comes before what its sender had
/// received, whatever the order in which the capture saw them.
class CausalOrder {
 public:
  /// Held back for bytes of the other direction; beyond, the oldest is let through.
  static constexpr std::size_t most_held_bytes = std::size_t{16} << 20;
  static constexpr std::size_t most_held_pieces = 16'384;

  /// 0 or 1, as the connection numbers its directions.
  using Direction = std::size_t;
  using Deliver = std::function<void(Direction, const Piece&)>;

  explicit CausalOrder(Deliver deliver) : deliver_(std::move(deliver)) {}

  void add(Direction direction, const Piece& piece);
  /// Declares that no bytes of the direction are captured: from here on, nobody waits for them.
  void expect_nothing_of(Direction direction);
  /// Lets everything through.
  void finish();

 private:
  struct Held {
    Bytes bytes;
    Piece piece;  ///< its bytes are those above
  };

  bool may_pass(Direction direction, const Piece& piece) const {
    return piece.seen <= delivered_[1 - direction];
  }
  void deliver(Direction direction, const Piece& piece);
  void deliver_front(Direction direction);
  bool release_front(Direction direction);
  void release();
  void force();

  Deliver deliver_;
  std::array<std::deque<Held>, 2> held_;
  std::array<std::uint64_t, 2> delivered_{};
  std::size_t held_bytes_ = 0;
};

}  // namespace hallmark::captures
