#pragma once

#include <algorithm>
#include <array>

#include "protocol/dialects/ratelimit_state.hpp"
#include "protocol/dialects/ratelimit_udp.hpp"
#include "protocol/dialects/throttr_2_0.hpp"
#include "protocol/dialects/throttr_6_0.hpp"
#include "protocol/dialects/throttr_7_1.hpp"
#include "protocol/dialects/throttr_7_3.hpp"

/// All tables at compile time; protocol/dialects.hpp has handles of them for run time. This is the
/// one list of dialects: cmake/HallmarkDialects.cmake reads the includes.
namespace hallmark::protocol::tables {

/// Every dialect that Hallmark knows, in the order in which they are shown.
inline constexpr std::array all_dialects{
    &throttr_2_0, &throttr_6_0, &throttr_7_1, &throttr_7_3, &ratelimit_udp, &ratelimit_state,
};

/// The dialects of a transport, in the same order.
template <Transport transport>
inline constexpr auto dialects_over = [] {
  constexpr auto is_over = [](const Dialect* one) { return one->transport == transport; };
  std::array<const Dialect*, std::ranges::count_if(all_dialects, is_over)> found{};
  std::ranges::copy_if(all_dialects, found.begin(), is_over);
  return found;
}();

/// The versions of Throttr, oldest first: binary, over streams.
inline constexpr auto throttr_dialects = dialects_over<Transport::stream>;

}  // namespace hallmark::protocol::tables
