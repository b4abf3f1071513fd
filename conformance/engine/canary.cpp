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

bool examine_target(RunContext& context) {
  if (context.given_up() != Loss::none) return true;
  Network& network = context.network;
  Supervisor* const supervisor = network.supervisor();
  const auto as_it_was = [&](Condition now) {
    return static_cast<Condition>(
        network.shared(Shared::condition, static_cast<std::uint64_t>(now)));
  };
  const bool started_here = context.started_here();
  // A process that has died is the supervisor's to find; the next connection starts another.
  if (started_here && as_it_was(condition_of(supervisor)) == Condition::dead) return false;
  const auto watch = supervisor == nullptr ? std::optional<ProcessWatch>() : supervisor->watch();
  // A target that serves one at a time has to be rid of the cases that are played beside this one.
  const Time patience = context.serves_several
                            ? context.suspicion()
                            : std::min(context.patience.deadline(), 3 * context.suspicion());
  SignOfLife sign = sign_of_life(context, started_here ? patience : context.patience.deadline());
  if (sign == SignOfLife::answers || (sign == SignOfLife::silent && !context.canary_sings))
    return false;
  if (!started_here) {
    context.give_up(sign == SignOfLife::gone ? Loss::gone : Loss::hangs);
    return true;
  }
  // A process that the system gave no time is slow, and does not hang.
  const bool starved = watch && watch->starved();
  if (as_it_was(starved ? Condition::starved : Condition::unknown) == Condition::starved)
    sign = sign_of_life(context, context.patience.deadline());
  if (sign != SignOfLife::silent) return false;
  const bool ended = watch && supervisor->end_hung(*watch);
  return as_it_was(ended ? Condition::hung : Condition::unknown) == Condition::hung;
}

}  // namespace hallmark::conformance
