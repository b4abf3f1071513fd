#include "reference/protocol/well_formed.hpp"

#include "reference/protocol/dialects/all.hpp"

// Here and not beside each table: the checks take the compiler longer than the tables do, and most
// files include those.
namespace hallmark::protocol {

static_assert(all_dialects.size() == 6, "check the new dialect, too");
static_assert(well_formed(throttr_2_0));
static_assert(well_formed(throttr_6_0));
static_assert(well_formed(throttr_7_1));
static_assert(well_formed(throttr_7_3));
static_assert(well_formed(ratelimit_udp));
static_assert(well_formed(ratelimit_state));

}  // namespace hallmark::protocol
