#include "vectors/format/places.hpp"

#include "protocol/codec/decode.hpp"

namespace hallmark::vectors {
namespace {

using protocol::FieldValue;
using protocol::MessageView;

/// The first field that says how many records a group has.
const FieldValue* first_count(const MessageView& message) {
  for (const FieldValue& value : message.fields()) {
    if (value.field->is<protocol::kinds::Count>()) return &value;
  }
  return nullptr;
}

void locate(FieldPattern& pattern, const MessageView& message) {
  const bool is_set = pattern.match == Match::set_of;
  const auto field = protocol::FieldName::unchecked(pattern.field);
  const FieldValue* const place = is_set ? first_count(message) : message.find(field);
  if (place == nullptr) return;
  pattern.offset = place->offset;
  pattern.length = is_set ? message.bytes().size() - place->offset : place->length;
}

}  // namespace

bool locate_fields(Expected& expected, const protocol::Layout& layout) {
  protocol::Decoder decoder(layout, {.refuse_unlisted = false});
  const bool whole = decoder.resume(expected.example) == protocol::Decoder::State::complete &&
                     decoder.size() == expected.example.size();
  if (!whole) return false;
  const MessageView message(decoder, expected.example);
  for (FieldPattern& pattern : expected.fields) locate(pattern, message);
  return true;
}

}  // namespace hallmark::vectors
