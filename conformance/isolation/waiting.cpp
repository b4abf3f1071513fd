#include "conformance/isolation/waiting.hpp"

#include <algorithm>

#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {

Arrival receive_from_starved(RunContext& context, Link& link, base::Bytes& into, Time since,
                             Time& until) {
  constexpr Time look_again = 10'000'000;
  Supervisor* const supervisor = context.network.supervisor();
  const Time latest = since + context.patience.deadline();
  if (supervisor == nullptr || context.network.now() >= latest) return Arrival::timed_out;
  const Watched watched = supervisor->watch();
  Arrival arrival = Arrival::timed_out;
  // The target may have answered while it was looked at, and rest since then.
  for (bool starved = true; starved && arrival == Arrival::timed_out;) {
    starved = watched.running && supervisor->starved(watched) && context.network.now() < latest;
    const Time now = context.network.now();
    if (starved) until = now + look_again;
    arrival = link.receive(into, starved ? until : now);
  }
  return arrival;
}

Arrival receive_unless_in_vain(RunContext& context, Link& link, base::Bytes& into, Time until,
                               const InVain& in_vain) {
  if (!in_vain) return link.receive(into, until);
  constexpr Time looks = 5;
  const Time now = context.network.now();
  const Time between = (until - std::min(now, until)) / looks + 1;
  Arrival arrival = Arrival::timed_out;
  do {
    arrival = link.receive(into, std::min(until, context.network.now() + between));
  } while (arrival == Arrival::timed_out && context.network.now() < until && !in_vain());
  return arrival;
}

Arrival receive_unless_in_vain(RunContext& context, Link& link, base::Bytes& into, Time until) {
  Supervisor* const supervisor = context.network.supervisor();
  if (supervisor == nullptr) return link.receive(into, until);
  return receive_unless_in_vain(context, link, into, until, while_stuck(supervisor));
}

InVain while_stuck(Supervisor* supervisor) {
  if (supervisor == nullptr) return [] { return false; };
  // Most replies come before the first look.
  return [supervisor, watched = Watched()]() mutable {
    if (!watched.running) watched = supervisor->watch();
    return watched.running && supervisor->stuck(watched);
  };
}

}  // namespace hallmark::conformance
