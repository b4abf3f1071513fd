#pragma once
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace hallmark::base {

/// The bytes as a gzip stream (RFC 1952) without a name and a time, so that the same bytes give the
/// same stream. Error: memory is short.
Result<std::string> gzip(std::string_view bytes);

}  // namespace hallmark::base
