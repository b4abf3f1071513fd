#pragma once

#include <string>

#include "base/error.hpp"

namespace hallmark::exporters {

/// A text, or why there is none. An error could be made of a text, too: so neither is implicit.
using Written = base::Result<std::string>;

inline Written written(std::string text) { return Written(std::in_place, std::move(text)); }

}  // namespace hallmark::exporters
