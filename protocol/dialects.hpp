#pragma once

#include <span>

#include "protocol/dialect.hpp"

/// Handles of dialects that sources name; the others are found among all. The tables behind them
/// are in protocol/dialects/, as constants of namespace `tables`: include those only where a layout
/// is needed at compile time, as for the fast path. Every source that includes a table evaluates
/// it.
namespace hallmark::protocol {

extern const Dialect& throttr_2_0;
extern const Dialect& throttr_6_0;
extern const Dialect& throttr_7_1;
extern const Dialect& throttr_7_3;
extern const Dialect& ratelimit_udp;
extern const Dialect& ratelimit_state;

/// The versions of Throttr, oldest first: binary, over streams.
extern const std::span<const Dialect* const> throttr_dialects;

/// Every dialect that Hallmark knows, in the order in which they are shown.
extern const std::span<const Dialect* const> all_dialects;

}  // namespace hallmark::protocol
