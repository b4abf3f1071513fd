#pragma once

#include <array>

#include "reference/protocol/dialects/throttr_2_0.hpp"
#include "reference/protocol/dialects/throttr_6_0.hpp"
#include "reference/protocol/dialects/throttr_7_1.hpp"
#include "reference/protocol/dialects/throttr_7_3.hpp"

namespace hallmark::protocol {

/// Every dialect that Hallmark knows, oldest first.
inline constexpr std::array<const Dialect*, 4> all_dialects{&throttr_2_0, &throttr_6_0,
                                                            &throttr_7_1, &throttr_7_3};

}  // namespace hallmark::protocol
