#pragma once
#include <string_view>

#include "proxy/result.hpp"

namespace hallmark::proxy {

/// Reads how many of all datagrams a fault befalls, as a share (`0.02`) or in percent (`2%`).
/// Result: in [0, 1]. Error: one line with what came and what is allowed.
Result<double> parse_rate(std::string_view text);

}  // namespace hallmark::proxy
