#pragma once
#include <string_view>

namespace hallmark::reports {

/// Says if a goal was shown to be met; unknown: nothing was shown either way.
enum class Met { yes, no, unknown };

std::string_view name_of(Met met);  ///< "yes", "no", "unknown"

}  // namespace hallmark::reports
