#pragma once

#include <array>

#include "protocol/dialects/ratelimit_state.hpp"
#include "protocol/dialects/ratelimit_udp.hpp"
#include "protocol/dialects/throttr_2_0.hpp"
#include "protocol/dialects/throttr_6_0.hpp"
#include "protocol/dialects/throttr_7_1.hpp"
#include "protocol/dialects/throttr_7_3.hpp"

/// All tables at compile time; protocol/dialects.hpp has handles of them for run time.
namespace hallmark::protocol::tables {

/// The versions of Throttr, oldest first: binary, over streams.
inline constexpr std::array<const Dialect*, 4> throttr_dialects{&throttr_2_0, &throttr_6_0,
                                                                &throttr_7_1, &throttr_7_3};

/// Every dialect that Hallmark knows.
inline constexpr std::array<const Dialect*, 6> all_dialects{
    &throttr_2_0, &throttr_6_0, &throttr_7_1, &throttr_7_3, &ratelimit_udp, &ratelimit_state};

}  // namespace hallmark::protocol::tables
