#pragma once
#include <cstdint>
#include <limits>

#include "protocol/throttr_terms.hpp"

namespace hallmark::model {

/// Nanoseconds since the Unix epoch. 128 bits: the longest TTL of the widest width, 2^64-1 hours,
/// ends at an exact point, so expiry needs no saturation anywhere.
__extension__ typedef __int128 Time;

using protocol::is_known;
using protocol::length_of;
using protocol::TtlUnit;

/// The length of `amount` units, exact for every amount.
constexpr Time span_of(TtlUnit unit, std::uint64_t amount) {
  return static_cast<Time>(amount) * static_cast<Time>(length_of(unit));
}

/// Converts to an unsigned 64-bit field of the wire: a negative time is 0, one that is too late is
/// 2^64-1 (from 2554 on).
constexpr std::uint64_t to_wire(Time time) {
  if (time < 0) return 0;
  constexpr auto last = std::numeric_limits<std::uint64_t>::max();
  return time > static_cast<Time>(last) ? last : static_cast<std::uint64_t>(time);
}

/// Whole units in `left` nanoseconds, rounded down; `left` is not negative and the result fits (the
/// store refuses a TTL beyond the width's maximum).
constexpr std::uint64_t whole_units(Time left, TtlUnit unit) {
  // The division by a constant of 64 bits is a multiplication; the general one of 128 bits is a
  // call.
  if (left > static_cast<Time>(std::numeric_limits<std::uint64_t>::max())) {
    return to_wire(left / static_cast<Time>(length_of(unit)));
  }
  const auto short_left = static_cast<std::uint64_t>(left);
  switch (unit) {
    case TtlUnit::nanoseconds: return short_left;
    case TtlUnit::microseconds: return short_left / length_of(TtlUnit::microseconds);
    case TtlUnit::milliseconds: return short_left / length_of(TtlUnit::milliseconds);
    case TtlUnit::seconds: return short_left / length_of(TtlUnit::seconds);
    case TtlUnit::minutes: return short_left / length_of(TtlUnit::minutes);
    case TtlUnit::hours: return short_left / length_of(TtlUnit::hours);
  }
  return 0;
}

/// A point in time and the minute of the server's life it falls in; metrics move once a minute.
struct Moment {
  Time now = 0;
  std::uint64_t minute = 0;  ///< full minutes since the server started
  Time since_sweep = 0;      ///< since a scheduler came by last; 0 without one

  /// Records whose time point is not later are gone.
  Time swept() const { return now - since_sweep; }
};

/// Turns time points into moments without dividing for each.
class MinuteClock {
 public:
  /// `sweep_every`: how often a scheduler removes what has expired; 0: at once.
  explicit MinuteClock(Time started_at, Time sweep_every = 0)
      : started_at_(started_at), sweep_every_(sweep_every), moment_{started_at} {}

  /// The moment of `now`. Time does not go back: an earlier `now` counts as the latest one seen.
  const Moment& advance(Time now) {
    if (now <= moment_.now) return moment_;
    moment_.now = now;
    if (sweep_every_ != 0) moment_.since_sweep = (now - started_at_) % sweep_every_;
    if (now >= next_tick_) tick();
    return moment_;
  }

  const Moment& moment() const { return moment_; }
  Time started_at() const { return started_at_; }

 private:
  static constexpr Time minute_length = static_cast<Time>(length_of(TtlUnit::minutes));

  void tick() {
    moment_.minute = to_wire((moment_.now - started_at_) / minute_length);
    next_tick_ = started_at_ + (static_cast<Time>(moment_.minute) + 1) * minute_length;
  }

  Time started_at_;
  Time sweep_every_;
  Moment moment_;
  Time next_tick_ = started_at_ + minute_length;
};

}  // namespace hallmark::model
