#include "protocol/dialects.hpp"

#include "protocol/dialects/all.hpp"

namespace hallmark::protocol {

// Constant-initialised: other constants may refer to them at any time.
constinit const Dialect& throttr_2_0 = tables::throttr_2_0;
constinit const Dialect& throttr_6_0 = tables::throttr_6_0;
constinit const Dialect& throttr_7_1 = tables::throttr_7_1;
constinit const Dialect& throttr_7_3 = tables::throttr_7_3;
constinit const Dialect& ratelimit_udp = tables::ratelimit_udp;
constinit const Dialect& ratelimit_state = tables::ratelimit_state;

constinit const std::span<const Dialect* const> throttr_dialects = tables::throttr_dialects;

constinit const std::span<const Dialect* const> all_dialects = tables::all_dialects;

}  // namespace hallmark::protocol
