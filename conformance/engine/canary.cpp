#include "conformance/engine/canary.hpp"

#include <algorithm>

#include "conformance/drivers/stream/conversation.hpp"
#include "conformance/drivers/stream/requests.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
namespace {

/// A process that was started here and says nothing.
enum class Condition : std::uint8_t { unknown, dead, starved, hung };

Condition condition_since(Supervisor* supervisor, std::size_t deaths_before) {
  if (supervisor == nullptr || supervisor->deaths() <= deaths_before) return Condition::unknown;
  return supervisor->last_hung() ? Condition::hung : Condition::dead;
}

/// As `condition_since`, of a process that may be about to end.
Condition condition_since_sign(Supervisor* supervisor, std::size_t deaths_before) {
  if (supervisor != nullptr) supervisor->is_gone();
  return condition_since(supervisor, deaths_before);
}

Condition condition_of(Supervisor* supervisor) {
  if (supervisor == nullptr) return Condition::unknown;
  return supervisor->has_died() ? Condition::dead : Condition::unknown;
}

/// Played again, as it was then.
Condition as_it_was(Seam& seam, Condition now) {
  return static_cast<Condition>(seam.shared(Shared::condition, static_cast<std::uint64_t>(now)));
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
  // A process that has died is the supervisor's to find; the next connection starts another.
  if (canary.started_here &&
      as_it_was(canary.seam, condition_of(canary.supervisor)) == Condition::dead)
    return Examined::well;
  const auto watch =
      canary.supervisor == nullptr ? std::optional<ProcessWatch>() : canary.supervisor->watch();
  SignOfLife sign = canary.ask(canary.started_here ? canary.suspicion : canary.deadline);
  if (sign == SignOfLife::answers || (sign == SignOfLife::silent && !canary.sings))
    return Examined::well;
  if (!canary.started_here) return sign == SignOfLife::gone ? Examined::is_gone : Examined::hangs;
  // A process that the system gave no time is slow, and does not hang.
  const Condition busy = watch && watch->starved() ? Condition::starved : Condition::unknown;
  if (as_it_was(canary.seam, busy) == Condition::starved) sign = canary.ask(canary.deadline);
  if (sign != SignOfLife::silent) return Examined::well;
  const bool ended = watch && canary.supervisor->end_hung(*watch);
  const Condition now = ended ? Condition::hung : Condition::unknown;
  return as_it_was(canary.seam, now) == Condition::hung ? Examined::was_ended : Examined::well;
}

namespace {

Examined examine_with_canary(RunContext& context) {
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
  return found;
}

}  // namespace

bool examine_target(RunContext& context) {
  return context.given_up() != Loss::none || examine_with_canary(context) != Examined::well;
}

bool has_ended(RunContext& context, std::size_t deaths_before) {
  const Condition now = condition_since(context.network.supervisor(), deaths_before);
  return as_it_was(context.network, now) != Condition::unknown;
}

Fate fate_of_target(RunContext& context, std::size_t deaths_before) {
  const auto ended = [&]() -> std::optional<Fate> {
    if (!context.started_here()) return std::nullopt;
    const Condition now = condition_since_sign(context.network.supervisor(), deaths_before);
    switch (as_it_was(context.network, now)) {
      case Condition::dead: return Fate::died;
      case Condition::hung: return Fate::hung;
      default: return std::nullopt;
    }
  };
  if (context.given_up() != Loss::none) return Fate::lost;
  if (const auto fate = ended()) return *fate;
  switch (examine_with_canary(context)) {
    case Examined::was_ended: return Fate::hung;
    case Examined::hangs:
    case Examined::is_gone: return Fate::lost;
    case Examined::well: break;
  }
  return ended().value_or(Fate::answers);
}

}  // namespace hallmark::conformance
