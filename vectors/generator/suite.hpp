#pragma once

#include "protocol/little_endian.hpp"
#include "vectors/generator/scenario.hpp"

namespace hallmark::vectors::generator {

/// The value of a buffer, or the payload of a message, where any will do.
inline const Bytes ehlo = base::to_bytes("EHLO");

/// Names and binary contents that every operation with a key or channel is tried with.
struct NameSize {
  std::string_view id;
  std::string title;  ///< its length, e.g. "255 bytes"
  Bytes bytes;        ///< the key or channel
  Name name;          ///< the dialect's name of the record
  std::string_view flag;
};

/// The scenarios of one width and one set of readings while they are written.
class Suite {
 public:
  Suite(protocol::Width width, const protocol::Readings& readings, protocol::Profile profile)
      : width_(width), readings_(readings), profile_(profile) {}

  Scenario& add(protocol::MessageName operation, std::string_view name, std::string_view title) {
    return scenarios_.emplace_back(width_, readings_, profile_, operation, name, title);
  }

  std::uint64_t max() const { return protocol::max_of_width(protocol::bytes_of(width_)); }
  protocol::Width width() const { return width_; }
  const protocol::Dialect& dialect() const { return readings_.dialect(); }
  std::deque<Scenario>& scenarios() { return scenarios_; }

  /// Returns true if the dialect has all these operations.
  bool has(std::initializer_list<protocol::MessageName> operations) const;
  bool has_clause(std::string_view clause) const;
  /// Returns true if records are named by pairs of consumer and resource.
  bool has_pairs() const;
  /// Returns the answer that the scenarios are written for; empty if the dialect has no such
  /// reading.
  protocol::AnswerName answer(protocol::ReadingName reading) const {
    return readings_.answer(reading);
  }
  bool reads(protocol::Chosen answer) const { return readings_.reads(answer); }
  TtlUnit longest_unit() const { return protocol::ttl_units(dialect()).back(); }

  /// A TTL, in that unit, by which to tell it from the others: whenever the record is asked for
  /// soon, it is still there, or it is gone if no TTL of the width is long enough.
  std::uint64_t telling_ttl(TtlUnit unit) const;
  /// Returns true if such a TTL may be over when its record is asked for, at one width at least.
  static bool may_expire(TtlUnit unit) { return unit <= TtlUnit::milliseconds; }

  /// The names that every operation is tried with; the first is empty.
  std::vector<NameSize> names() const;

 private:
  protocol::Width width_;
  const protocol::Readings& readings_;
  protocol::Profile profile_;
  std::deque<Scenario> scenarios_;
};

// Expected replies are written here by hand, from the document, one file a group of operations.
void add_counter_scenarios(Suite& suite);
void add_update_scenarios(Suite& suite);
void add_buffer_scenarios(Suite& suite);
void add_listing_scenarios(Suite& suite);
void add_metric_scenarios(Suite& suite);
void add_channel_scenarios(Suite& suite);
void add_connection_scenarios(Suite& suite);
/// Those that the suite's dialect has of its own: scenarios/NAME.cpp, if there is one.
void add_own_scenarios(Suite& suite);

/// All of them.
void add_scenarios(Suite& suite);

}  // namespace hallmark::vectors::generator
