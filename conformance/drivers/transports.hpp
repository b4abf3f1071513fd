#pragma once

#include "conformance/drivers/driver.hpp"

/// The drivers that there are; `driver_of` is the table of them.
namespace hallmark::conformance {

/// For binary dialects over TCP and Unix sockets.
const Driver& stream_driver();
/// For dialects whose messages are a datagram each.
const Driver& datagram_driver();
/// For dialects at rest, for which an adapter answers (docs/adapter.md).
const Driver& adapter_driver();

}  // namespace hallmark::conformance
