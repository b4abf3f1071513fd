#pragma once

#include <functional>
#include <map>

#include "captures/event.hpp"
#include "captures/segment.hpp"

namespace hallmark::captures {

/// Bytes of one direction in their order, or the knowledge that some are not in the capture.
struct Piece {
  ByteView bytes;
  std::uint64_t missing = 0;
  Time at{};
  std::uint64_t seen = 0;  ///< bytes of the other direction that their sender had received
};

/// An irregularity of a segment. Offsets count the bytes of the direction.
struct Irregularity {
  FindingKind kind;
  Stretch where;
  std::string reason;
};

/// Puts the segments of one direction of a connection in order (RFC 9293, section 3.4). What comes
/// first stands; offsets count from the first byte of the direction that the capture could hold.
class Reassembly {
 public:
  /// Held behind a hole: beyond either, the hole counts as missing.
  static constexpr std::size_t most_held_bytes = std::size_t{16} << 20;
  static constexpr std::size_t most_held_segments = 16'384;
  /// A segment farther ahead than any window reaches is none of this connection.
  static constexpr std::uint64_t farthest_ahead = std::uint64_t{1} << 30;

  using Deliver = std::function<void(const Piece&)>;
  using Remark = std::function<void(Irregularity)>;

  Reassembly(Deliver deliver, Remark remark)
      : deliver_(std::move(deliver)), remark_(std::move(remark)) {}

  bool started() const { return started_; }
  /// The sequence number of the first byte.
  std::uint32_t first() const { return first_; }
  /// `sequence` is that of the first byte.
  void start(std::uint32_t sequence);

  /// Precondition of the following: started.

  void add(Segment segment, Time at, std::uint64_t seen);

  /// The offset that an acknowledgement by the other side stands for.
  std::uint64_t offset_of(std::uint32_t sequence) const;

  /// Everything before it was delivered.
  std::uint64_t next() const { return next_; }
  bool finished() const { return fin_ && next_ >= *fin_; }
  std::optional<std::uint64_t> fin() const { return fin_; }

  /// Declares what stands before the first held segment missing, but nothing from `until` on.
  void give_up(std::uint64_t until, Time at);
  /// Delivers all that is held; what the other side received up to `acknowledged` counts as
  /// missing.
  void finish(std::uint64_t acknowledged, Time at);

 private:
  struct Held {
    Bytes bytes;
    std::uint64_t length;
    Time at;
    std::uint64_t seen;
  };

  std::int64_t place_of(std::uint32_t sequence) const;
  void place_payload(ByteView payload, std::uint64_t begin, std::uint64_t end, Time at,
                     std::uint64_t seen);
  void hold(std::uint64_t begin, std::uint64_t end, const Piece& piece);
  void compare(std::uint64_t begin, std::uint64_t end, std::uint64_t offset, const Held& held,
               ByteView bytes) const;
  void deliver(const Piece& piece, std::uint64_t length);
  void drain();

  Deliver deliver_;
  Remark remark_;
  bool started_ = false;
  std::uint32_t first_ = 0;
  std::uint64_t next_ = 0;
  std::optional<std::uint64_t> fin_;
  std::map<std::uint64_t, Held> held_;  ///< disjoint, all behind `next_`
  std::size_t held_bytes_ = 0;
};

}  // namespace hallmark::captures
