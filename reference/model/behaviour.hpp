#pragma once
#include <cstdint>

#include "protocol/readings.hpp"

namespace hallmark::model {

/// INSERT or SET of a key that holds something.
enum class WhenExisting : std::uint8_t { refused, replaced };
/// A quota that would leave its range.
enum class OutOfRange : std::uint8_t { refused, saturated, wrapped };
/// The TTL that QUERY and GET show.
enum class ShownTtl : std::uint8_t { left_rounded_down, left_rounded_up, as_set };
/// A TTL of 0.
enum class ZeroTtl : std::uint8_t { expired, refused, forever };
/// A code that the document does not list.
enum class UnknownCode : std::uint8_t { refused, closed, accepted };
/// An opcode that the document does not list.
enum class UnknownOpcode : std::uint8_t { closed, ignored, refused };

/// A server's behaviour where the documents leave it open: the answers to the readings of a
/// dialect, except those about layouts. Each member has the name of its reading.
struct Behaviour {
  WhenExisting insert_existing = WhenExisting::refused;
  WhenExisting set_existing = WhenExisting::replaced;
  WhenExisting kind_mismatch = WhenExisting::refused;
  OutOfRange decrease_below_zero = OutOfRange::refused;
  OutOfRange increase_overflow = OutOfRange::refused;
  ShownTtl ttl_left = ShownTtl::left_rounded_down;
  ZeroTtl ttl_zero = ZeroTtl::expired;
  UnknownCode ttl_type_unknown = UnknownCode::refused;
  UnknownCode attribute_unknown = UnknownCode::refused;
  UnknownCode change_unknown = UnknownCode::refused;
  UnknownOpcode opcode_unknown = UnknownOpcode::closed;
  bool ttl_update_from_creation = false;
  bool ttl_past_now_refused = false;
  bool ttl_beyond_saturated = false;
  bool expired_when_scheduler = false;
  bool expiry_restored = false;
  bool maximum_values_invalid = false;
  bool empty_names_refused = false;
  bool purge_missing_accepted = false;
  bool publish_self = false;
  bool publish_nobody_accepted = false;
  bool subscribe_twice_accepted = false;
  bool unsubscribe_absent_accepted = false;
  bool pair_identity_concatenation = false;
  bool reply_order_any = false;
  /// Set by the dialect itself: every connection is subscribed to `*` and to its own id.
  bool own_channels = false;

  /// Returns true if answering as these readings say takes knowledge of a record's past.
  bool needs_origins() const {
    return ttl_left == ShownTtl::as_set || ttl_update_from_creation || expiry_restored;
  }
};

/// The behaviour that `readings` choose; where the dialect has no such reading, the default.
Behaviour behaviour_of(const protocol::Readings& readings);

}  // namespace hallmark::model
