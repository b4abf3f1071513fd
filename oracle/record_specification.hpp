#pragma once
#include <array>
#include <compare>
#include <span>

#include "oracle/record_history.hpp"
#include "protocol/readings.hpp"

namespace hallmark::oracle {

/// The state of one key.
struct RecordState {
  enum class Kind : std::uint8_t { absent, counter, buffer };

  Kind kind = Kind::absent;
  std::uint64_t content = 0;             ///< the quota, or the number of the value
  std::int64_t ends_from_ns = never_ns;  ///< its time point is not before this …
  std::int64_t ends_by_ns = never_ns;    ///< … and not after this

  auto operator<=>(const RecordState&) const = default;
};

/// The answers to what documents leave open about records, one each.
struct RecordRules {
  enum class Taken : std::uint8_t { refused, replaced };
  enum class OutOfRange : std::uint8_t { refused, clamped, wrapped };

  Taken insert_existing = Taken::refused;
  Taken set_existing = Taken::replaced;
  Taken other_kind = Taken::refused;  ///< INSERT over a buffer, SET over a counter
  OutOfRange below_zero = OutOfRange::refused;
  OutOfRange above_limit = OutOfRange::refused;
  bool purge_missing_succeeds = false;
  std::uint64_t limit = 0xffff;    ///< the largest quota that is valid
  std::uint64_t modulus = 0xffff;  ///< of what wraps: all bits of the width
  /// The time for which an expired record may still be there: the interval at which a scheduler
  /// comes by. At 0, a record is gone at its time point.
  std::int64_t removal_delay_ns = 0;

  /// The answers that a target of Throttr gives. `removal_delay_ns` counts where the reading
  /// `expired-when` leaves removal to a scheduler. Where expired pairs come back (`expiry-2.0`), no
  /// TTL of a history may end within it.
  static RecordRules of(const protocol::Readings& readings, protocol::Width width,
                        std::int64_t removal_delay_ns);
};

/// The states that a record can have after an operation; none if the reply cannot be right.
class RecordSuccessors {
 public:
  void add(const RecordState& state) { states_[size_++] = state; }
  std::span<const RecordState> states() const { return {states_.data(), size_}; }

 private:
  std::array<RecordState, 2> states_;
  std::size_t size_ = 0;
};

/// The sequential specification of one record: counter, buffer and presence, as the documents of
/// Throttr have them (INSERT, QUERY, UPDATE, PURGE, SET, GET, Time to Live). When a record ends is
/// known to lie in an interval only, so an operation may find it there or gone.
class RecordSpecification {
 public:
  explicit RecordSpecification(const RecordRules& rules) : rules_(rules) {}

  /// Returns the states that a record in that state can have after the operation. The operation
  /// takes effect at some time between its invocation and its return, with the reply it had.
  RecordSuccessors after(const RecordState& state, const RecordOperation& operation) const;

 private:
  struct Outcome;

  void add_if_right(RecordSuccessors& successors, const RecordState& state,
                    const RecordOperation& operation) const;
  Outcome outcome(const RecordState& state, const RecordOperation& operation) const;
  Outcome created(const RecordState& state, const RecordOperation& operation) const;
  Outcome updated(const RecordState& state, const RecordOperation& operation) const;
  Outcome moved(const RecordState& state, bool upward, std::uint64_t amount) const;
  bool can_be_there(const RecordState& state, const RecordOperation& operation) const;

  RecordRules rules_;
};

}  // namespace hallmark::oracle
