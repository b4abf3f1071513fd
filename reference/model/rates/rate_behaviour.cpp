#include "reference/model/rates/rate_behaviour.hpp"

namespace hallmark::model {
namespace {

UnruledKey unruled_key(protocol::AnswerName answer) {
  if (answer == "limited") return UnruledKey::limited;
  return answer == "silence" ? UnruledKey::silence : UnruledKey::never_over;
}

LongRequest long_request(protocol::AnswerName answer) {
  if (answer == "cut") return LongRequest::cut;
  return answer == "read" ? LongRequest::read : LongRequest::silence;
}

}  // namespace

RateBehaviour rate_behaviour_of(const protocol::Readings& readings) {
  return {.over_when_above = readings.reads({"over-when", "above"}),
          .default_key = unruled_key(readings.answer("default-key")),
          .udp_id_number = readings.reads({"udp-id", "number"}),
          .udp_key_word = readings.reads({"udp-key", "word"}),
          .key_newline_part = readings.reads({"key-newline", "part"}),
          .empty_key_silence = readings.reads({"empty-key", "silence"}),
          .long_request = long_request(readings.answer("long-request"))};
}

}  // namespace hallmark::model
