#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/faults.hpp"

namespace hallmark::faults {
namespace {

/// A composite that was denied, and what each part answers for itself, as if it were allowed.
struct Denied {
  model::CompositeState held;
  model::Answer primary;
  model::Answer secondary;
};

/// Asks both parts. Returns nothing if it is not a composite, or if no state is held.
std::optional<Denied> denied(const DecideRequest& asked, const Decided& decision) {
  const auto* const composite = std::get_if<model::Composite>(&asked.strategy);
  if (composite == nullptr || !asked.state || !decision || decision->allowed) return std::nullopt;
  const auto held = model::read_composite(*asked.state, name_of(composite->primary),
                                          name_of(composite->secondary));
  if (!held) return std::nullopt;
  const auto ask = [&](const model::SingleStrategy& part, std::string_view state) {
    const model::Question question{state, asked.now, true};
    return std::visit([&](const auto& one) { return asked.by.ask(one, question); }, part);
  };
  const auto primary = ask(composite->primary, held->primary);
  const auto secondary = ask(composite->secondary, held->secondary);
  if (!primary || !secondary) return std::nullopt;
  return Denied{*held, *primary, *secondary};
}

Decided either(const DecideRequest& asked) {
  Decided decision = asked.right();
  const auto found = denied(asked, decision);
  if (!found || !(found->primary.allowed || found->secondary.allowed)) return decision;
  const auto state_of = [](const model::Answer& answer, std::string_view held) {
    return answer.allowed ? std::string_view(answer.state) : held;
  };
  decision->allowed = true;
  decision->state =
      text_of(model::CompositeState{state_of(found->primary, found->held.primary),
                                    state_of(found->secondary, found->held.secondary)});
  decision->results = found->primary.results;
  std::ranges::copy(found->secondary.results, std::back_inserter(decision->results));
  decision->expires_in = std::max(found->primary.expires_in, found->secondary.expires_in);
  return decision;
}

Decided primary_consumes(const DecideRequest& asked) {
  Decided decision = asked.right();
  const auto found = denied(asked, decision);
  if (found && found->primary.allowed)
    decision->state = text_of(model::CompositeState{found->primary.state, found->held.secondary});
  return decision;
}

}  // namespace

Bugs composite_bugs() {
  return {
      {.id = "denied.writes",
       .breaks = "a denied request writes the state",
       .violates = {{"ratelimit-state", {"silence.denied"}}},
       .code = decides([](const DecideRequest& asked) {
         Decided decision = asked.right();
         if (decision && !decision->allowed && asked.state)
           decision->state = std::string(*asked.state);
         return decision;
       }),
       .settles = "what a denied request writes"},
      {.id = "composite.either",
       .breaks = "one strategy that approves is enough",
       .violates = {{"ratelimit-state", {"composite.approve"}}},
       .code = decides(either)},
      {.id = "composite.primary-consumes",
       .breaks = "the primary consumes although the secondary denies",
       .violates = {{"ratelimit-state", {"composite.atomic", "silence.denied"}}},
       .code = decides(primary_consumes),
       .settles = "what a denied request writes"},
      {.id = "expiry.one-second",
       .breaks = "every state is kept for a second",
       .violates = {{"ratelimit-state", {"silence.expiry", "fixed-window.ttl"}}},
       .code = decides([](const DecideRequest& asked) {
         Decided decision = asked.right();
         if (decision) decision->expires_in = 1'000'000'000;
         return decision;
       })},
  };
}

}  // namespace hallmark::faults
