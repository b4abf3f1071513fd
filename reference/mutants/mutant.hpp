#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "reference/mutants/table.hpp"

/// Bugs that the reference can be told to have, one at a time: `hallmark serve --mutant ID`. They
/// prove that `certify` finds what it says it tests. Without one, nothing here has an effect.
namespace hallmark::mutants {

/// Position of a mutant in the table.
struct Index {
  std::size_t at;
};

namespace detail {
inline constexpr std::size_t none = ~std::size_t{0};
/// Set before threads start, and not changed after that.
inline std::size_t active = none;
}  // namespace detail

/// `"counter.quota-off-by-one"_mutant`; does not build where the table has no such mutant.
consteval Index operator""_mutant(const char* id, std::size_t length) {
  for (std::size_t i = 0; i < std::size(table); ++i) {
    if (table[i].id == std::string_view(id, length)) return {i};
  }
  throw "the table has no mutant of that name";
}

/// Whether the program has that bug.
inline bool on(Index mutant) { return detail::active == mutant.at; }

/// Whether the program has any.
inline bool any() { return detail::active != detail::none; }

/// The mutant of that name; null when there is none.
const Mutant* find(std::string_view id);

/// Gives the program that bug, or with null none. Precondition: `mutant` is of the table, and no
/// other thread runs.
void switch_on(const Mutant* mutant);

}  // namespace hallmark::mutants
