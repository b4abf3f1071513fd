#pragma once
#include <string>

#include "base/expected.hpp"

namespace hallmark::cli {

/// A result, or why there is none: one line, as the judges give it.
template <class T>
using OrReason = base::Expected<T, std::string>;

}  // namespace hallmark::cli
