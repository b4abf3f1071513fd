#pragma once
#include <cstddef>
#include <string_view>

namespace hallmark::base {

/// The length in bytes of the UTF-8 sequence that `text` begins with, if it may be shown. 0 for
/// broken sequences, control characters, noncharacters, and what reorders text on the screen.
/// Precondition: `text` is not empty.
std::size_t printable_prefix(std::string_view text);

}  // namespace hallmark::base
