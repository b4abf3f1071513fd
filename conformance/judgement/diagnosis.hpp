#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/drivers/stream/wire_format.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::conformance {

/// The bytes that the target sent where a message was due, and their faults.
struct Disagreement {
  protocol::Layout layout;  ///< that of the message that was due
  base::ByteView received;  ///< all that came
  std::span<const vectors::Mismatch> mismatches;
};

/// The most likely cause in a few words: another width, another reading (such as a missing status
/// byte), big-endian numbers, another unit. Empty when nothing suggests itself, or when it would
/// leave some of the mismatches unexplained.
std::string likely_cause(const WireFormat& format, const Disagreement& disagreement);

/// The widths and readings, as `likely_cause` words them, that a message contradicts: it is right
/// as it came, and would not be under them.
std::vector<std::string> refuted_causes(const WireFormat& format, const protocol::Layout& layout,
                                        base::ByteView right);

}  // namespace hallmark::conformance
