#include "reference/protocol/well_formed.hpp"

#include "reference/protocol/dialects/all.hpp"

// Here and not beside each table: the checks take the compiler longer than the tables do, and most
// files include those.
namespace hallmark::protocol {

consteval bool all_well_formed() {
  for (const Dialect* const dialect : tables::all_dialects) {
    if (!well_formed(*dialect)) return false;
  }
  return true;
}

static_assert(all_well_formed());

}  // namespace hallmark::protocol
