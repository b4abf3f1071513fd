#pragma once

#include <optional>
#include <span>
#include <vector>

#include "conformance/drivers/stream/wire_format.hpp"
#include "vectors/format/vector.hpp"

/// What of a golden vector can be left out without changing what is right for the rest.
namespace hallmark::conformance {

/// Steps that go together.
struct VectorPart {
  std::vector<std::size_t> steps;  ///< places in the vector, ascending
  /// All there was about a record or channel of that name: no listing holds it any more. Empty: the
  /// steps do nothing but tell.
  protocol::Record name;
};

/// What can go of a vector whose last message is wrong: all that is about one other record or
/// channel, and requests that do nothing but tell. None where the last message counts requests or
/// connections, each of which matters.
std::vector<VectorPart> parts_of(const WireFormat& format, const vectors::Vector& vector);

/// The vector without these parts of it. Nothing where a step that stays needs one that goes, for a
/// value that it captured or a lifetime that it set.
std::optional<vectors::Vector> without(const WireFormat& format, const vectors::Vector& vector,
                                       std::span<const VectorPart> parts);

/// So many steps of it.
vectors::Vector beginning_of(const vectors::Vector& vector, std::size_t steps);

}  // namespace hallmark::conformance
