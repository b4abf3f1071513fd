#pragma once

#include "conformance/drivers/datagram/datagram_context.hpp"
#include "conformance/isolation/canary.hpp"

namespace hallmark::conformance {

/// The outcome of pings that were sent until one was answered with anything.
struct Pinged {
  SignOfLife sign = SignOfLife::silent;
  std::size_t sent = 0;
  Time round_trip = 0;     ///< ns; of the ping that was answered
  std::string error = {};  ///< there is no socket: one line
};

/// Pings until one is answered, at most until then, or until it is in vain. `awaited`: nobody may
/// listen yet, so a refusal is no answer.
Pinged ping_until_answered(DatagramContext& context, Time until, bool awaited,
                           const InVain& in_vain = {});

/// Finds out after a failure if the target still answers a ping on a socket of its own; ends a
/// started target that hangs.
Examined examine_target(DatagramContext& context);

}  // namespace hallmark::conformance
