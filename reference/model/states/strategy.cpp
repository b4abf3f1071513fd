#include "reference/model/states/strategy.hpp"

#include <algorithm>

#include "reference/model/states/formulas.hpp"

namespace hallmark::model {

namespace {

using protocol::Malformed;

template <class T>
using Read = base::Expected<T, Malformed>;

Read<Answer> ask(const Formulas& by, const SingleStrategy& strategy, const Question& question) {
  return std::visit([&](const auto& one) { return by.ask(one, question); }, strategy);
}

Decision decision_of(Answer answer) {
  Decision decision{.allowed = answer.allowed,
                    .results = std::move(answer.results),
                    .state = {},
                    .expires_in = answer.expires_in};
  if (decision.allowed) decision.state = std::move(answer.state);
  return decision;
}

Read<Decision> decide_both(const Composite& composite, std::optional<std::string_view> state,
                           std::int64_t now, const Formulas& by) {
  std::optional<CompositeState> held;
  if (state) {
    auto read = read_composite(*state, name_of(composite.primary), name_of(composite.secondary));
    if (!read) return read.error();
    held = *read;
  }
  const auto question = [&](std::string_view CompositeState::*which, bool consume) {
    return Question{held ? std::optional((*held).*which) : std::nullopt, now, consume};
  };
  bool consume = false;
  while (true) {
    auto first = ask(by, composite.primary, question(&CompositeState::primary, consume));
    if (!first) return first.error();
    auto second = ask(by, composite.secondary, question(&CompositeState::secondary, consume));
    if (!second) return second.error();
    const bool both = first->allowed && second->allowed;
    if (both && !consume) {
      consume = true;
      continue;
    }
    Answer answer{
        .allowed = both,
        .results = std::move(first->results),
        .state = both ? text_of(CompositeState{first->state, second->state}) : std::string(),
        .expires_in = std::max(first->expires_in, second->expires_in)};
    std::ranges::move(second->results, std::back_inserter(answer.results));
    return decision_of(std::move(answer));
  }
}

}  // namespace

const Formulas& formulas() {
  static const Formulas right;
  return right;
}

base::Expected<Decision, Malformed> decide(const Strategy& strategy,
                                           std::optional<std::string_view> state, std::int64_t now,
                                           const Formulas& by) {
  if (const auto* const composite = std::get_if<Composite>(&strategy))
    return decide_both(*composite, state, now, by);
  auto answer = std::visit(
      [&](const auto& one) -> Read<Answer> {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, Composite>)
          return Malformed{};
        else
          return by.ask(one, {state, now, true});
      },
      strategy);
  if (!answer) return answer.error();
  return decision_of(std::move(*answer));
}

}  // namespace hallmark::model
