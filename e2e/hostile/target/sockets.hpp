#pragma once

#include <cstdint>

#include "base/descriptor.hpp"

namespace hallmark::hostile {

/// A socket at a loopback port that is bound (0: any), of SOCK_STREAM or SOCK_DGRAM. Ends the
/// program if there is none.
base::Descriptor bound_socket(int type, std::uint16_t port);

void sleep_ms(std::uint64_t milliseconds);

}  // namespace hallmark::hostile
