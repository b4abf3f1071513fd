#pragma once

#include "protocol/chosen.hpp"
#include "protocol/codec/layout.hpp"
#include "protocol/little_endian.hpp"

namespace hallmark::conformance {

using protocol::Chosen;

/// The format that a target is held to: a dialect at one width, with one answer to each of its
/// readings. Layouts refer to it; it outlives them and is not copied.
class WireFormat {
 public:
  WireFormat(protocol::Width width, const protocol::Readings& readings)
      : width_(width),
        readings_(readings),
        subscribes_everyone_(protocol::find_clause(dialect(), "channels.own") != nullptr) {}
  WireFormat(const WireFormat&) = delete;
  WireFormat& operator=(const WireFormat&) = delete;

  const protocol::Dialect& dialect() const { return readings_.dialect(); }
  protocol::Width width() const { return width_; }
  const protocol::Readings& readings() const { return readings_; }
  /// Holds the target to those answers from here on. Precondition: they are of the same dialect,
  /// and no case is being played.
  void hold_to(const protocol::Readings& readings) { readings_ = readings; }
  /// Returns true if that answer is the chosen one; false if the dialect has no such reading.
  bool reads(Chosen answer) const { return readings_.holds(answer); }

  /// The largest number of the width.
  std::uint64_t maximum() const { return protocol::max_of_width(protocol::bytes_of(width_)); }
  /// The largest quota, TTL and length of a value that is valid.
  std::uint64_t largest_valid() const {
    return maximum() - (reads({"maximum-values", "invalid"}) ? 1 : 0);
  }

  /// Returns true if every connection is a subscriber from its beginning.
  bool subscribes_everyone() const { return subscribes_everyone_; }

  bool has(protocol::MessageName operation) const {
    return protocol::find_operation(dialect(), operation) != nullptr;
  }
  /// Precondition: the dialect has an operation of that name.
  const protocol::Operation& operation(protocol::MessageName name) const {
    return *protocol::find_operation(dialect(), name);
  }
  protocol::Layout request(const protocol::Operation& operation) const {
    return protocol::Layout::request(operation, width_, readings_);
  }
  protocol::Layout reply(const protocol::Operation& operation) const {
    return protocol::Layout::reply(operation, width_, readings_);
  }
  protocol::Layout layout_of(const protocol::Push& push) const {
    return protocol::Layout::push(push, width_, readings_);
  }

 private:
  protocol::Width width_;
  protocol::Readings readings_;
  bool subscribes_everyone_;  ///< each message that is read asks for it
};

}  // namespace hallmark::conformance
