#include "conformance/isolation/canary.hpp"

#include <algorithm>

#include "conformance/drivers/stream/conversation.hpp"
#include "conformance/drivers/stream/requests.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
std::string in_words(Loss loss) {
  switch (loss) {
    case Loss::none: return {};
    case Loss::hangs: return "the target hangs: it answers no new connection";
    case Loss::gone: return "the target takes no connections any more";
  }
  return {};
}

SignOfLife sign_of_life(RunContext& context, Time patience, const InVain& in_vain,
                        std::vector<std::unique_ptr<Link>>* open) {
  const Time until = context.network.now() + patience;
  LinkResult link = context.network.connect(until);
  if (!link) return context.network.now() < until ? SignOfLife::gone : SignOfLife::silent;
  const Outgoing harmless = encoded(context.format, query("hallmark:absent:" + context.nonce));
  if ((*link)->send(harmless.bytes, until) == Dispatch::timed_out) return SignOfLife::silent;
  base::Bytes ignored;
  const Arrival arrival = receive_unless_in_vain(context, **link, ignored, until, in_vain);
  if (open != nullptr) open->push_back(std::move(*link));
  return arrival == Arrival::timed_out ? SignOfLife::silent : SignOfLife::answers;
}

/// The second connection says something only beside a first one that the target has turned to.
void try_canary(RunContext& context) {
  std::vector<std::unique_ptr<Link>> first;
  const auto sings = [&](std::vector<std::unique_ptr<Link>>* open) {
    const Time patience = context.allowance();
    const bool answered = sign_of_life(context, patience, {}, open) == SignOfLife::answers;
    if (!answered) context.patience.spend(patience);
    return answered;
  };
  context.canary_sings = sings(&first);
  context.serves_several = context.canary_sings && sings(nullptr);
  if (Supervisor* const supervisor = context.network.supervisor();
      supervisor != nullptr && context.canary_sings)
    supervisor->answered();
}

bool answers_others(RunContext& context) {
  if (context.given_up() != Loss::none) return false;
  if (!context.canary_sings) return true;
  return !context.serves_several || !examine_target(context);
}

Examined examine(const Canary& canary) {
  Supervisor* const supervisor = canary.supervisor;
  // A process that has died is the supervisor's to find; the next connection starts another.
  if (supervisor != nullptr && supervisor->has_died()) return Examined::well;
  // The silence of a canary that never sang says nothing; to wait for it would cost each failure.
  if (supervisor != nullptr && !canary.sings) return Examined::well;
  const auto owed = [&] { return canary.owed && canary.owed(); };
  if (owed()) return Examined::well;
  const Watched watched = supervisor == nullptr ? Watched() : supervisor->watch();
  InVain in_vain;
  if (supervisor != nullptr)
    in_vain = [&] { return watched.running && supervisor->stuck(watched); };
  const Time patience = supervisor == nullptr ? canary.deadline : canary.suspicion;
  const Time briefly = patience / 5;
  // Another thread of the target may answer the second connection at once.
  SignOfLife sign = canary.ask(briefly, in_vain);
  if (sign == SignOfLife::silent)
    sign = canary.ask(supervisor == nullptr ? patience - briefly : patience, in_vain);
  if (sign == SignOfLife::answers && supervisor != nullptr) supervisor->answered();
  if (sign == SignOfLife::answers || (sign == SignOfLife::silent && !canary.sings))
    return Examined::well;
  if (sign == SignOfLife::silent && owed()) return Examined::well;
  if (supervisor == nullptr) return sign == SignOfLife::gone ? Examined::is_gone : Examined::hangs;
  // A process that the system gave too little time is slow, and does not hang.
  constexpr Time deadlines_of_the_starved = 4;
  const Time most = deadlines_of_the_starved * canary.deadline;
  Time waited = canary.suspicion;
  while (sign == SignOfLife::silent && waited < most && watched.running &&
         supervisor->starved(watched)) {
    const Time longer = std::min(canary.suspicion, most - waited);
    sign = canary.ask(longer, in_vain);
    waited += longer;
  }
  // A target that loses a reply now and then does not hang: another connection hears nothing, too.
  // One that hung when it last ended is known to do so.
  if (sign == SignOfLife::silent && watched.running && !supervisor->last_hung())
    sign = canary.ask(canary.suspicion - briefly, in_vain);
  const bool hangs = sign == SignOfLife::silent && watched.running && !owed();
  return hangs && supervisor->end_hung(watched) ? Examined::was_ended : Examined::well;
}

namespace {

Examined examine_with_canary(RunContext& context) {
  // A target that serves one at a time has to be rid of the cases that are played beside this one.
  const Time patience = context.serves_several
                            ? context.suspicion()
                            : std::min(context.patience.deadline(), 3 * context.suspicion());
  std::vector<std::unique_ptr<Link>> open;
  auto* const kept = context.serves_several ? &open : nullptr;
  const Examined found = examine(
      {.supervisor = context.network.supervisor(),
       .sings = context.canary_sings,
       .suspicion = patience,
       .deadline = context.patience.deadline(),
       .ask = [&](Time wait,
                  const InVain& in_vain) { return sign_of_life(context, wait, in_vain, kept); },
       .owed = [&] { return context.waits_with_rest(); }});
  if (found == Examined::is_gone) context.give_up(Loss::gone);
  if (found == Examined::hangs) context.give_up(Loss::hangs);
  return found;
}

}  // namespace

bool examine_target(RunContext& context) {
  return context.given_up() != Loss::none || examine_with_canary(context) != Examined::well;
}

bool has_ended(RunContext& context, std::size_t deaths_before) {
  Supervisor* const supervisor = context.network.supervisor();
  return supervisor != nullptr && supervisor->deaths() > deaths_before;
}

Fate fate_of_target(RunContext& context, std::size_t deaths_before) {
  const auto ended = [&]() -> std::optional<Fate> {
    Supervisor* const supervisor = context.network.supervisor();
    if (supervisor == nullptr) return std::nullopt;
    // The process may be about to end.
    static_cast<void>(supervisor->is_gone());
    if (!has_ended(context, deaths_before)) return std::nullopt;
    return supervisor->last_hung() ? Fate::hung : Fate::died;
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
