#include "protocol/well_formed.hpp"

#include <utility>

#include "protocol/dialects/all.hpp"

// Here and not beside each table: the checks take the compiler longer than the tables do, and most
// files include those.
namespace hallmark::protocol {

// Each by itself: compilers bound the steps of one evaluation.
template <std::size_t dialect>
struct WellFormed {
  static_assert(well_formed(*tables::all_dialects[dialect]));
};

template <std::size_t... dialects>
consteval std::size_t checked(std::index_sequence<dialects...>) {
  return (sizeof(WellFormed<dialects>) + ...);
}

static_assert(checked(std::make_index_sequence<tables::all_dialects.size()>{}) > 0);

}  // namespace hallmark::protocol
