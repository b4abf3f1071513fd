#include "conformance/engine/canary.hpp"

#include <algorithm>

#include "conformance/drivers/stream/conversation.hpp"
#include "conformance/drivers/stream/requests.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
namespace {

/// A process that was started here and says nothing.
enum class Condition : std::uint8_t { unknown, dead, starved, hung };

Condition condition_of(Supervisor* supervisor) {
  if (supervisor == nullptr) return Condition::unknown;
  return supervisor->has_died() ? Condition::dead : Condition::unknown;
}

}  // namespace

std::string in_words(Loss loss) {
  switch (loss) {
    case Loss::none: return {};
    case Loss::hangs: return "the target hangs: it answers no new connection";
    case Loss::gone: return "the target takes no connections any more";
  }
  return {};
}

SignOfLife sign_of_life(RunContext& context, Time patience) {
  const Time until = context.network.now() + patience;
  const LinkResult link = context.network.connect(until);
  if (!link) return context.network.now() < until ? SignOfLife::gone : SignOfLife::silent;
  const Outgoing harmless = encoded(context.format, query("hallmark:absent:" + context.nonce));
  if ((*link)->send(harmless.bytes, until) == Dispatch::timed_out) return SignOfLife::silent;
  base::Bytes ignored;
  return (*link)->receive(ignored, until) == Arrival::timed_out ? SignOfLife::silent
                                                                : SignOfLife::answers;
}

void try_canary(RunContext& context) {
  const auto sings = [&] {
    const Time patience = context.allowance();
    const bool answered = sign_of_life(context, patience) == SignOfLife::answers;
    if (!answered) context.patience.spend(patience);
    return answered;
  };
  {
    const LinkResult beside = context.network.connect(context.network.now() + context.allowance());
    context.serves_several = beside && sings();
  }
  context.canary_sings = context.serves_several || sings();
}

bool answers_others(RunContext& context) {
  if (context.given_up() != Loss::none) return false;
  if (!context.canary_sings) return true;
  return !context.serves_several || !examine_target(context);
}

Examined examine(const Canary& canary) {
  const auto as_it_was = [&](Condition now) {
    return static_cast<Condition>(
        canary.seam.shared(Shared::condition, static_cast<std::uint64_t>(now)));
  };
  // A process that has died is the supervisor's to find; the next connection starts another.
  if (canary.started_here && as_it_was(condition_of(canary.supervisor)) == Condition::dead)
    return Examined::well;
  const auto watch =
      canary.supervisor == nullptr ? std::optional<ProcessWatch>() : canary.supervisor->watch();
  SignOfLife sign = canary.ask(canary.started_here ? canary.suspicion : canary.deadline);
  if (sign == SignOfLife::answers || (sign == SignOfLife::silent && !canary.sings))
    return Examined::well;
  if (!canary.started_here) return sign == SignOfLife::gone ? Examined::is_gone : Examined::hangs;
  // A process that the system gave no time is slow, and does not hang.
  const bool starved = watch && watch->starved();
  if (as_it_was(starved ? Condition::starved : Condition::unknown) == Condition::starved)
    sign = canary.ask(canary.deadline);
  if (sign != SignOfLife::silent) return Examined::well;
  const bool ended = watch && canary.supervisor->end_hung(*watch);
  const bool hung = as_it_was(ended ? Condition::hung : Condition::unknown) == Condition::hung;
  return hung ? Examined::was_ended : Examined::well;
}

bool examine_target(RunContext& context) {
  if (context.given_up() != Loss::none) return true;
  // A target that serves one at a time has to be rid of the cases that are played beside this one.
  const Time patience = context.serves_several
                            ? context.suspicion()
                            : std::min(context.patience.deadline(), 3 * context.suspicion());
  const Examined found = examine({.seam = context.network,
                                  .supervisor = context.network.supervisor(),
                                  .started_here = context.started_here(),
                                  .sings = context.canary_sings,
                                  .suspicion = patience,
                                  .deadline = context.patience.deadline(),
                                  .ask = [&](Time wait) { return sign_of_life(context, wait); }});
  if (found == Examined::is_gone) context.give_up(Loss::gone);
  if (found == Examined::hangs) context.give_up(Loss::hangs);
  return found != Examined::well;
}

}  // namespace hallmark::conformance
