#pragma once

#include "conformance/certificate/flat_object.hpp"
#include "conformance/record/part.hpp"

/// Transcripts as lines of JSON: one for the beginning of a part, one for each crossing, one for
/// its end (docs/certificates.md).
namespace hallmark::certificate {

/// The part as lines, each with its newline.
std::string lines_of(const conformance::Part& part);

/// The line as a crossing. Errors: what is wrong with it, without the place.
base::Result<conformance::Crossing> crossing_of(FlatObject line);

/// A part without its crossings, from its first line.
base::Result<conformance::Part> part_of(FlatObject line);
/// When it ended, from its last.
base::Result<conformance::Time> end_of(FlatObject line);

inline constexpr std::string_view part_key = "part";
inline constexpr std::string_view part_end_key = "part_ended_ns";

}  // namespace hallmark::certificate
