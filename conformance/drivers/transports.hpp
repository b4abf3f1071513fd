#pragma once

#include "conformance/drivers/driver.hpp"

/// The drivers that there are; `driver_of` is the table of them.
namespace hallmark::conformance {

/// The driver for binary dialects over TCP and Unix sockets.
const Driver& stream_driver();
/// The driver for dialects whose messages are a datagram each.
const Driver& datagram_driver();
/// The driver for dialects at rest, for which an adapter answers (docs/adapter.md).
const Driver& adapter_driver();

}  // namespace hallmark::conformance
