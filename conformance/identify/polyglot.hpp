#pragma once

#include <functional>
#include <span>
#include <vector>

#include "protocol/codec/layout.hpp"
#include "protocol/record.hpp"

/// Requests whose bytes are whole and harmless requests in each of several layouts: whichever of
/// them a target speaks, it finds the ends of messages where we expect them, and its replies tell
/// which one it is.
namespace hallmark::conformance {

/// One layout's view of a polyglot: one message, and then some of the requests behind it.
struct PolyglotReading {
  std::vector<base::Bytes> names;  ///< the `bytes` fields of the message, in wire order
  std::size_t followers = 0;       ///< requests that come after the message
};

struct Polyglot {
  base::Bytes bytes;
  std::vector<PolyglotReading> readings;  ///< by layout
};

/// The code that a choice field gets in one of the layouts.
using ChoiceGiver = std::function<std::uint64_t(const protocol::Layout&, const protocol::Field&)>;

/// A message that begins alike in all `layouts`, whose last fields are names with sizes of one byte
/// each. To the first layout all of `tail` are requests of their own, to each further one the first
/// of those that are left belongs to its last name; with an empty tail, all end alike. `nonce`
/// makes the names unlike any other. Numbers are what the bytes of the other layouts make of them;
/// bytes that no layout needs are 0.
/// Precondition: no two layouts need one byte for different things, which is a matter of the table;
/// breaking it throws std::logic_error.
Polyglot polyglot(std::span<const protocol::Layout> layouts, std::span<const base::Bytes> tail,
                  base::ByteView nonce, const ChoiceGiver& choice_of = {});

/// A request that stores `name` (and `nonce` within its value) where the size of the value has the
/// width of `wide`, and where it has that of `narrow` another name, followed by two QUERYs of names
/// that nobody has. Both layouts are of SET and of one width; `query` is the layout of QUERY.
Polyglot polyglot_set(const protocol::Layout& wide, const protocol::Layout& narrow,
                      const protocol::Layout& query, const protocol::Record& values,
                      base::ByteView nonce);

/// A request that asks by a long field, and where that field is short asks by a short one, followed
/// by a QUERY of a name that nobody has. Both layouts are of one operation; `short_values` are the
/// values of `narrow`. Throws std::logic_error where no QUERY fills the difference.
Polyglot polyglot_by_field(const protocol::Layout& wide, const protocol::Layout& narrow,
                           const protocol::Layout& query, const protocol::Record& short_values,
                           base::ByteView nonce);

}  // namespace hallmark::conformance
