#pragma once

#include <string>

#include "base/error.hpp"

namespace hallmark::exporters {

/// A text, or why there is none.
using Written = base::Result<std::string>;

}  // namespace hallmark::exporters
