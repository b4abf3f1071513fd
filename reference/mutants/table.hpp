#pragma once

#include <array>
#include <cstddef>

#include "reference/mutants/connection_mutants.hpp"
#include "reference/mutants/datagram_mutants.hpp"
#include "reference/mutants/race_mutants.hpp"
#include "reference/mutants/state_mutants.hpp"
#include "reference/mutants/throttr_mutants.hpp"
#include "reference/mutants/throttr_wire_mutants.hpp"

namespace hallmark::mutants {

namespace detail {

template <std::size_t... sizes>
consteval auto joined(const Mutant (&... lists)[sizes]) {
  std::array<Mutant, (sizes + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& list) {
    for (const Mutant& one : list) all[at++] = one;
  };
  (append(lists), ...);
  return all;
}

}  // namespace detail

/// All of them, by what they are about.
inline constexpr auto table =
    detail::joined(throttr_messages, throttr_records, connections, races, datagrams, states);

}  // namespace hallmark::mutants
