#pragma once
#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "proxy/counts.hpp"
#include "proxy/faults.hpp"

namespace hallmark::proxy {

/// Nanoseconds since any moment that stays the same.
using Time = std::chrono::nanoseconds;

/// Bounds of the datagrams that wait. A datagram that can be sent at once is not held and always
/// passes.
struct HeldLimits {
  std::size_t datagrams = 65'536;
  std::size_t bytes = std::size_t{64} << 20;
};

/// The decision about a datagram of `size` bytes.
struct Decision {
  DatagramId id;
  std::size_t size = 0;
  const Fate& fate;
};

using DecisionLog = std::function<void(const Decision&)>;

/// One copy that is to be sent now.
struct Departure {
  Direction direction = Direction::requests;
  std::uint64_t flow = 0;
  std::vector<std::uint8_t> bytes{};
};

/// The proxy without its sockets and clock: datagrams in, and out again when their time has come.
/// A flow is what passes between one client and the target.
class Relay {
 public:
  explicit Relay(const Faults& faults, const HeldLimits& limits = {}, DecisionLog log = {});

  /// A flow for a client that was not seen before. Returns its number: they count up from 0.
  std::uint64_t open_flow();

  /// Discards the datagrams that are still held for the flow.
  void close_flow(std::uint64_t flow);

  /// A datagram has come in an open flow. `now` never goes back.
  void receive(Direction direction, std::uint64_t flow, std::span<const std::uint8_t> bytes,
               Time now);

  /// A datagram has come for which no flow could be opened: it is counted and discarded.
  void turn_away(Direction direction);

  /// When `take_due` will next have something, unless more is received.
  std::optional<Time> next_due() const;

  /// The next datagram that is due at `now`, if any. It counts as forwarded.
  std::optional<Departure> take_due(Time now);

  /// Notes that the last departure of this direction could not be sent after all.
  void not_sent(Direction direction);
  /// An ICMP message came back for something forwarded in this direction.
  void refused(Direction direction) { ++counts_of(direction).refused; }
  /// The system had no room for so many datagrams of this direction.
  void missed(Direction direction, std::uint64_t number) { counts_of(direction).missed += number; }

  const Counts& counts(Direction direction) const {
    return counts_[static_cast<std::size_t>(direction)];
  }

 private:
  /// Order of departure; of those due at once, what came first goes first.
  struct Turn {
    Time due{};
    std::uint64_t arrival = 0;
    friend auto operator<=>(const Turn&, const Turn&) = default;
  };

  /// A datagram that is held back until others have passed it. Until then its turn is the latest
  /// that is allowed.
  struct HeldBack {
    std::uint64_t number = 0;
    std::uint32_t overtaken_by = 0;  ///< the number of those that have still to pass
    Time ready{};                    ///< when its delay is over
    Turn turn{};
  };

  /// One direction of one flow.
  struct Lane {
    std::uint64_t received = 0;
    std::uint64_t passed = 0;         ///< one more than the largest number that was sent
    std::list<HeldBack> held_back{};  ///< by number
  };

  struct Held {
    DatagramId id;
    bool first = true;  ///< not a further copy
    std::optional<std::list<HeldBack>::iterator> held_back{};
    std::vector<std::uint8_t> bytes{};
  };

  Counts& counts_of(Direction direction) { return counts_[static_cast<std::size_t>(direction)]; }
  Lane* lane_of(const DatagramId& id);
  void count_faults(Direction direction, const Fate& fate);
  void hold(const DatagramId& id, const Copy& copy, bool first, std::span<const std::uint8_t> bytes,
            Time now);
  bool has_room_for(std::size_t bytes) const;
  void depart(Lane& lane, const Held& held, Time due);
  void overtake(Lane& lane, std::uint64_t number, Time due);

  Faults faults_;
  HeldLimits limits_;
  DecisionLog log_;
  Counts counts_[2];
  std::unordered_map<std::uint64_t, std::array<Lane, 2>> flows_;
  std::map<Turn, Held> held_;
  std::size_t held_bytes_ = 0;
  std::uint64_t flows_opened_ = 0;
  std::uint64_t arrivals_ = 0;
};

}  // namespace hallmark::proxy
