#pragma once

#include "conformance/drivers/stream/wire_format.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::conformance {

/// What the target sent where a message was due, and what is wrong with it.
struct Disagreement {
  protocol::Layout layout;  ///< of the message that was due
  base::ByteView received;  ///< all that came
  std::span<const vectors::Mismatch> mismatches;
};

/// The most likely cause in a few words: another width, another reading (such as a missing status
/// byte), big-endian numbers, another unit. Empty when nothing suggests itself.
std::string likely_cause(const WireFormat& format, const Disagreement& disagreement);

}  // namespace hallmark::conformance
