#include "oracle/record_specification.hpp"

#include "protocol/little_endian.hpp"

namespace hallmark::oracle {
namespace {

using Kind = RecordState::Kind;

std::int64_t later(std::int64_t at_ns, std::int64_t by_ns) {
  return by_ns > never_ns - at_ns ? never_ns : at_ns + by_ns;
}

RecordState ending(RecordState state, const RecordOperation& operation) {
  state.ends_from_ns = later(operation.invoked_ns, operation.ttl_ns);
  state.ends_by_ns = later(operation.returned_ns, operation.ttl_ns);
  return state;
}

bool can_be_over(const RecordState& state, const RecordOperation& operation) {
  return state.ends_from_ns != never_ns && operation.returned_ns >= state.ends_from_ns;
}

RecordRules::OutOfRange out_of_range(protocol::AnswerName answer) {
  if (answer == "wrapped") return RecordRules::OutOfRange::wrapped;
  return answer == "clamped" || answer == "saturated" ? RecordRules::OutOfRange::clamped
                                                      : RecordRules::OutOfRange::refused;
}

}  // namespace

RecordRules RecordRules::of(const protocol::Readings& readings, protocol::Width width,
                            std::int64_t removal_delay_ns) {
  const auto taken = [&](protocol::ReadingName reading) {
    return readings.answer(reading) == "replaced" ? Taken::replaced : Taken::refused;
  };
  RecordRules rules;
  rules.insert_existing = taken("insert-existing");
  rules.set_existing = taken("set-existing");
  rules.other_kind = taken("kind-mismatch");
  rules.below_zero = out_of_range(readings.answer("decrease-below-zero"));
  rules.above_limit = out_of_range(readings.answer("increase-overflow"));
  rules.purge_missing_succeeds = readings.reads({"purge-missing", "accepted"});
  rules.modulus = protocol::max_of_width(protocol::bytes_of(width));
  rules.limit = rules.modulus - (readings.reads({"maximum-values", "invalid"}) ? 1 : 0);
  if (readings.reads({"expired-when", "scheduler"})) rules.removal_delay_ns = removal_delay_ns;
  return rules;
}

/// The outcome of an operation: what it tells, and what it leaves behind.
struct RecordSpecification::Outcome {
  bool succeeded;
  RecordState state;
  std::uint64_t tells = 0;
};

RecordSuccessors RecordSpecification::after(const RecordState& state,
                                            const RecordOperation& operation) const {
  RecordSuccessors successors;
  if (state.kind == Kind::absent || can_be_there(state, operation))
    add_if_right(successors, state, operation);
  if (state.kind != Kind::absent && can_be_over(state, operation))
    add_if_right(successors, RecordState{}, operation);
  return successors;
}

bool RecordSpecification::can_be_there(const RecordState& state,
                                       const RecordOperation& operation) const {
  return operation.invoked_ns < later(state.ends_by_ns, rules_.removal_delay_ns);
}

void RecordSpecification::add_if_right(RecordSuccessors& successors, const RecordState& state,
                                       const RecordOperation& operation) const {
  const Outcome found = outcome(state, operation);
  if (operation.reply != RecordReply::none) {
    if (found.succeeded != (operation.reply == RecordReply::success)) return;
    if (found.succeeded && operation.told && *operation.told != found.tells) return;
  }
  successors.add(found.state);
}

RecordSpecification::Outcome RecordSpecification::outcome(const RecordState& state,
                                                          const RecordOperation& operation) const {
  switch (operation.action) {
    case RecordAction::insert:
    case RecordAction::set: return created(state, operation);
    case RecordAction::query: return {state.kind == Kind::counter, state, state.content};
    case RecordAction::get: return {state.kind == Kind::buffer, state, state.content};
    case RecordAction::purge:
      return {state.kind != Kind::absent || rules_.purge_missing_succeeds, {}};
    case RecordAction::increase:
    case RecordAction::decrease:
    case RecordAction::patch:
    case RecordAction::patch_ttl: return updated(state, operation);
  }
  return {false, state};
}

RecordSpecification::Outcome RecordSpecification::created(const RecordState& state,
                                                          const RecordOperation& operation) const {
  const bool counter = operation.action == RecordAction::insert;
  const Kind kind = counter ? Kind::counter : Kind::buffer;
  if (counter && operation.argument > rules_.limit) return {false, state};
  const RecordRules::Taken taken = state.kind != kind ? rules_.other_kind
                                   : counter          ? rules_.insert_existing
                                                      : rules_.set_existing;
  if (state.kind != Kind::absent && taken == RecordRules::Taken::refused) return {false, state};
  return {true, ending({kind, operation.argument}, operation)};
}

RecordSpecification::Outcome RecordSpecification::updated(const RecordState& state,
                                                          const RecordOperation& operation) const {
  if (operation.action == RecordAction::patch_ttl && state.kind != Kind::absent)
    return {true, ending(state, operation)};
  if (state.kind != Kind::counter) return {false, state};
  if (operation.action != RecordAction::patch)
    return moved(state, operation.action == RecordAction::increase, operation.argument);
  if (operation.argument > rules_.limit) return {false, state};
  RecordState patched = state;
  patched.content = operation.argument;
  return {true, patched};
}

RecordSpecification::Outcome RecordSpecification::moved(const RecordState& state, bool upward,
                                                        std::uint64_t amount) const {
  RecordState next = state;
  next.content = upward ? state.content + amount : state.content - amount;
  const bool fits = upward ? state.content <= rules_.limit && amount <= rules_.limit - state.content
                           : amount <= state.content;
  if (fits) return {true, next};
  switch (upward ? rules_.above_limit : rules_.below_zero) {
    case RecordRules::OutOfRange::refused: return {false, state};
    case RecordRules::OutOfRange::clamped: next.content = upward ? rules_.limit : 0; break;
    case RecordRules::OutOfRange::wrapped:
      next.content &= rules_.modulus;
      if (next.content > rules_.limit) return {false, state};
      break;
  }
  return {true, next};
}

}  // namespace hallmark::oracle
