#pragma once

#include <memory>

#include "conformance/drivers/stream/wire_format.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::conformance {

/// The vectors that suit a target of some format, and the number of scenarios left out.
struct Variants {
  std::vector<std::shared_ptr<const vectors::Vector>> playable;
  /// The number of scenarios that are right under other answers only, by the answer that they need
  /// first: `ttl-left=left-rounded-down`.
  std::map<std::string, std::size_t> left_out;
};

/// Chooses at most one vector for every scenario in the files of both profiles, in their order. It
/// is the first whose readings all agree with the format. Failing that, it is the first that
/// differs in layouts only, laid out anew.
Variants variants_for(const std::vector<vectors::VectorFile>& files, const WireFormat& format);

/// Adapts the vector to a format that differs from its readings: requests are encoded and replies
/// expected in the format's layouts. A status that was not there has to say success. Returns
/// nothing if the vector differs in more than layouts, or a layout lacks a value that it needs.
std::optional<vectors::Vector> adapted(const vectors::Vector& vector, const WireFormat& format);

}  // namespace hallmark::conformance
