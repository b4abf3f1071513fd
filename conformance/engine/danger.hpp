#pragma once

#include <cstdint>

namespace hallmark::conformance {

/// The danger of a case to a server that is not right, from the least to the greatest: cases are
/// played in this order. A case is at least as dangerous as asking for the readings that it rests
/// on.
enum class Danger : std::uint8_t {
  documented,  ///< documented requests with documented values
  open,        ///< requests in a form that is documented; the documents do not say what they do
  unlisted,    ///< opcodes, types, attributes and changes that no document lists
  malformed,   ///< input that is not a whole request, or whose sizes measure something else
  resources,   ///< many connections or many bytes, and connections that end in any way
};

inline constexpr Danger all_dangers[] = {Danger::documented, Danger::open, Danger::unlisted,
                                         Danger::malformed, Danger::resources};

}  // namespace hallmark::conformance
