#include "reference/model/behaviour.hpp"

namespace hallmark::model {
namespace {

/// The position of the chosen answer in a reading of the dialect decides nothing: its id does.
template <class Answers>
struct Named {
  protocol::AnswerName id;
  Answers answer;
};

template <class Answers, std::size_t n>
void choose(const protocol::Readings& readings, protocol::ReadingName reading,
            const Named<Answers> (&named)[n], Answers& chosen) {
  const protocol::AnswerName id = readings.answer(reading);
  for (const auto& [name, answer] : named) {
    if (name == id) chosen = answer;
  }
}

void choose(const protocol::Readings& readings, protocol::ReadingName reading,
            protocol::AnswerName answer, bool& chosen) {
  const protocol::AnswerName id = readings.answer(reading);
  if (!id.empty()) chosen = id == answer;
}

constexpr Named<WhenExisting> when_existing[] = {{"refused", WhenExisting::refused},
                                                 {"replaced", WhenExisting::replaced}};
constexpr Named<OutOfRange> out_of_range[] = {{"refused", OutOfRange::refused},
                                              {"clamped", OutOfRange::saturated},
                                              {"saturated", OutOfRange::saturated},
                                              {"wrapped", OutOfRange::wrapped}};
constexpr Named<ShownTtl> shown_ttl[] = {{"left-rounded-down", ShownTtl::left_rounded_down},
                                         {"left-rounded-up", ShownTtl::left_rounded_up},
                                         {"as-set", ShownTtl::as_set}};
constexpr Named<ZeroTtl> zero_ttl[] = {
    {"expired", ZeroTtl::expired}, {"refused", ZeroTtl::refused}, {"forever", ZeroTtl::forever}};
constexpr Named<UnknownCode> unknown_code[] = {{"refused", UnknownCode::refused},
                                               {"closed", UnknownCode::closed},
                                               {"accepted", UnknownCode::accepted}};
constexpr Named<UnknownOpcode> unknown_opcode[] = {{"closed", UnknownOpcode::closed},
                                                   {"ignored", UnknownOpcode::ignored},
                                                   {"refused", UnknownOpcode::refused}};

void choose_for_records(const protocol::Readings& readings, Behaviour& chosen) {
  choose(readings, "insert-existing", when_existing, chosen.insert_existing);
  choose(readings, "set-existing", when_existing, chosen.set_existing);
  choose(readings, "kind-mismatch", when_existing, chosen.kind_mismatch);
  choose(readings, "decrease-below-zero", out_of_range, chosen.decrease_below_zero);
  choose(readings, "increase-overflow", out_of_range, chosen.increase_overflow);
  choose(readings, "maximum-values", "invalid", chosen.maximum_values_invalid);
  choose(readings, "empty-names", "refused", chosen.empty_names_refused);
  choose(readings, "purge-missing", "accepted", chosen.purge_missing_accepted);
  choose(readings, "pair-identity", "concatenation", chosen.pair_identity_concatenation);
}

void choose_for_ttls(const protocol::Readings& readings, Behaviour& chosen) {
  choose(readings, "ttl-left", shown_ttl, chosen.ttl_left);
  choose(readings, "ttl-zero", zero_ttl, chosen.ttl_zero);
  choose(readings, "ttl-update", "unit-of-record-from-creation", chosen.ttl_update_from_creation);
  choose(readings, "ttl-past-now", "refused", chosen.ttl_past_now_refused);
  choose(readings, "ttl-beyond", "saturated", chosen.ttl_beyond_saturated);
  choose(readings, "expired-when", "scheduler", chosen.expired_when_scheduler);
  choose(readings, "expiry-2.0", "restored", chosen.expiry_restored);
}

void choose_for_the_rest(const protocol::Readings& readings, Behaviour& chosen) {
  choose(readings, "ttl-type-unknown", unknown_code, chosen.ttl_type_unknown);
  choose(readings, "attribute-unknown", unknown_code, chosen.attribute_unknown);
  choose(readings, "change-unknown", unknown_code, chosen.change_unknown);
  choose(readings, "opcode-unknown", unknown_opcode, chosen.opcode_unknown);
  choose(readings, "publish-self", "yes", chosen.publish_self);
  choose(readings, "publish-nobody", "accepted", chosen.publish_nobody_accepted);
  choose(readings, "subscribe-twice", "accepted", chosen.subscribe_twice_accepted);
  choose(readings, "unsubscribe-absent", "accepted", chosen.unsubscribe_absent_accepted);
  choose(readings, "reply-order", "any-order", chosen.reply_order_any);
}

}  // namespace

Behaviour behaviour_of(const protocol::Readings& readings) {
  Behaviour chosen;
  choose_for_records(readings, chosen);
  choose_for_ttls(readings, chosen);
  choose_for_the_rest(readings, chosen);
  chosen.own_channels = protocol::find_clause(readings.dialect(), "channels.own") != nullptr;
  return chosen;
}

}  // namespace hallmark::model
