#pragma once
#include <boost/system/result.hpp>
#include <string>

namespace hallmark::cli {

/// A result, or why there is none: one line, as the judges give it.
template <class T>
using OrReason = boost::system::result<T, std::string>;

}  // namespace hallmark::cli
