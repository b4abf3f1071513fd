#pragma once

#include <string>
#include <string_view>

namespace hallmark::exporters {

/// A name as other languages allow it: letters of ASCII in lower case, digits and underscores, the
/// first a letter. "throttr-7.1" becomes "throttr_7_1".
std::string identifier(std::string_view name);

/// A text between double quotes, as YAML and Lua read it.
std::string quoted(std::string_view text);

}  // namespace hallmark::exporters
