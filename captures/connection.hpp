#pragma once

#include <array>
#include <optional>
#include <vector>

#include "captures/causal_order.hpp"
#include "captures/conversation.hpp"

namespace hallmark::captures {

/// A TCP connection of a capture: its segments in, what was said on it out.
class Connection {
 public:
  /// After an acknowledgement of bytes that the capture lacks, so many more segments may come
  /// before they count as missing: captures of several queues are not strictly in order.
  static constexpr unsigned patience = 16;

  /// `server_port`: the side with that port is the server where no handshake says so; 0: unknown.
  /// `format` has to outlive it.
  Connection(const Format& format, std::uint32_t number, std::uint16_t server_port, Sink sink);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void add(const Segment& segment, Time at);
  /// Both sides have closed it, or one has reset it.
  bool over() const { return reset_ || (streams_[0].finished() && streams_[1].finished()); }
  /// Returns true if the SYN begins another connection between the same endpoints.
  bool is_another(const Segment& syn) const;
  /// Settles what is open. `how` says why nothing more comes, where the connection itself does not.
  void end(const std::string& how);

 private:
  using Direction = CausalOrder::Direction;
  struct Undecided {
    Direction direction;
    Bytes bytes;
    Piece piece;
  };

  void start_streams(const Segment& segment, Direction direction);
  void give_up_holes(Time at);
  void note_end(const Segment& segment, Direction direction);
  void take(Direction direction, const Piece& piece);
  void hold_undecided(Direction direction, const Piece& piece);
  void remark(Direction direction, Irregularity irregularity);
  void decide_by_bytes(bool finally);
  void decide(Direction client, Evidence evidence);
  void feed(Direction direction, const Piece& piece);
  Side side_of(Direction direction) const {
    return direction == *client_ ? Side::client : Side::server;
  }

  const Format& format_;
  std::uint32_t number_;
  std::uint16_t server_port_;
  Sink sink_;
  std::array<Endpoint, 2> ends_;  ///< direction 0 is from the first, 1 from the second
  bool known_ = false;
  bool from_beginning_ = false;
  Time first_{}, last_{};
  CausalOrder order_;
  std::array<Reassembly, 2> streams_;
  std::array<std::uint64_t, 2> acknowledged_{};
  std::array<unsigned, 2> waited_{};
  std::array<bool, 2> captured_{};
  std::array<bool, 2> absent_{};
  std::optional<Direction> client_;
  std::optional<Direction> closer_;
  bool reset_ = false;
  std::vector<Undecided> undecided_;
  std::array<Bytes, 2> openings_;
  std::vector<std::pair<Direction, Irregularity>> remarks_;
  std::optional<Conversation> conversation_;
};

}  // namespace hallmark::captures
