#pragma once
#include <string_view>

namespace hallmark::reports {

/// Whether what was asked for was shown; unknown: nothing was shown either way.
enum class Met { yes, no, unknown };

std::string_view name_of(Met met);  ///< "yes", "no", "unknown"

}  // namespace hallmark::reports
