#pragma once

#include <optional>
#include <span>
#include <vector>

#include "conformance/drivers/stream/wire_format.hpp"
#include "vectors/format/vector.hpp"

/// Finds the parts of a golden vector that can be left out without changing what is right for the
/// rest.
namespace hallmark::conformance {

/// Steps that go together.
struct VectorPart {
  std::vector<std::size_t> steps;  ///< places in the vector, ascending
  /// All there was about a record or channel of that name: no listing holds it any more. Empty: the
  /// steps do nothing but tell.
  protocol::Record name;
};

/// Returns the parts that can be left out of a vector whose last message is wrong: everything about
/// one other record or channel, and requests that only tell something. There are none if the last
/// message counts requests or connections, since each of these matters.
std::vector<VectorPart> parts_of(const WireFormat& format, const vectors::Vector& vector);

/// Returns the vector without these parts of it. Returns nothing if a step that stays needs one
/// that goes, for a value that it captured or a lifetime that it set.
std::optional<vectors::Vector> without(const WireFormat& format, const vectors::Vector& vector,
                                       std::span<const VectorPart> parts);

/// The number of its steps.
vectors::Vector beginning_of(const vectors::Vector& vector, std::size_t steps);

}  // namespace hallmark::conformance
