#pragma once

#include <string_view>

namespace hallmark::conformance {

/// Whether all of `text` matches: `*` is any number of characters, `?` is one. Linear in both for
/// one `*`, never worse than their product.
bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace hallmark::conformance
