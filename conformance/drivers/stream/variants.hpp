#pragma once

#include <memory>

#include "conformance/drivers/stream/wire_format.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::conformance {

/// What of vector files a target of some format can be held to.
struct Variants {
  std::vector<std::shared_ptr<const vectors::Vector>> playable;
  /// How many scenarios are right under other answers only, by the answer that they need first:
  /// `ttl-left=left-rounded-down`.
  std::map<std::string, std::size_t> left_out;
};

/// Of every scenario in the files of both profiles at most one vector, in their order: the first
/// whose readings the format all has; failing that, the first that differs in layouts only, laid
/// out anew.
Variants variants_for(const std::vector<vectors::VectorFile>& files, const WireFormat& format);

/// The vector as it is for a format that differs from its readings: requests encoded and replies
/// expected in the format's layouts. A status that was not there has to say success.
/// Nothing where it differs in more than layouts, or a layout lacks a value that it needs.
std::optional<vectors::Vector> adapted(const vectors::Vector& vector, const WireFormat& format);

}  // namespace hallmark::conformance
