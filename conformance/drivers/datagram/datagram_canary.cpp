#include "conformance/drivers/datagram/datagram_canary.hpp"

#include <algorithm>

namespace hallmark::conformance {
namespace {

/// ns; a silence of a process on this machine that looks like a hang.
Time suspicion(const DatagramContext& context) {
  constexpr Time least = 500'000'000;
  constexpr Time factor = 64;
  return std::min(context.patience.deadline(), std::max(least, factor * context.round_trip));
}

}  // namespace

Pinged ping_until_answered(DatagramContext& context, Time until, bool awaited,
                           const InVain& in_vain) {
  DatagramNetwork& network = context.network;
  Pinged pinged;
  for (Time wait = 10'000'000; network.now() < until && !context.stopped(); wait *= 2) {
    auto link = network.open();
    if (!link) return {SignOfLife::gone, pinged.sent, 0, link.error()};
    ++pinged.sent;
    (*link)->send(base::as_bytes("1 ping"));
    base::Bytes reply;
    const Time begun = network.now();
    switch ((*link)->receive(reply, std::min(until, begun + wait))) {
      case DatagramArrival::datagram:
        network.judged("datagram", reply);
        return {SignOfLife::answers, pinged.sent, network.now() - begun};
      case DatagramArrival::timed_out:
        pinged.sign = SignOfLife::silent;
        if (in_vain && in_vain()) return pinged;
        break;
      case DatagramArrival::refused:
        pinged.sign = SignOfLife::gone;
        if (!awaited) return pinged;
        network.wait_until(std::min(until, begun + wait));
    }
  }
  return pinged;
}

Examined examine_target(DatagramContext& context) {
  return examine({.supervisor = context.network.supervisor(),
                  .sings = true,
                  .suspicion = suspicion(context),
                  .deadline = context.patience.deadline(),
                  .ask = [&](Time patience, const InVain& in_vain) {
                    const Time until = context.network.now() + patience;
                    return ping_until_answered(context, until, true, in_vain).sign;
                  }});
}

}  // namespace hallmark::conformance
