#pragma once

#include "protocol/codec/layout.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::vectors {

/// Gives every pattern the place of its field in the example; one whose field the example does not
/// have keeps its own. False: the example is not a whole message of that layout, and nothing
/// changes.
bool locate_fields(Expected& expected, const protocol::Layout& layout);

}  // namespace hallmark::vectors
