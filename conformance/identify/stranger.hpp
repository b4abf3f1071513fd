#pragma once

#include <string>

#include "conformance/identify/line.hpp"

namespace hallmark::conformance {

/// One line about a target that answered a request as no Throttr does: "it answered 48 54 54 50 …,
/// as HTTP servers do". `what` is the request in words; without an `ending` it may have more to
/// say.
std::string describe_stranger(std::string_view what, base::ByteView sent, base::ByteView came,
                              std::optional<Ending> ending);

}  // namespace hallmark::conformance
