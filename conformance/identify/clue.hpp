#pragma once

#include "base/bytes.hpp"
#include "reports/certify/identify_result.hpp"

namespace hallmark::conformance {

using reports::Clue;
using reports::Finding;

/// "01 5f 02 … (17 bytes)": long ones are cut; nothing is "nothing".
std::string in_hex(base::ByteView bytes);

}  // namespace hallmark::conformance
