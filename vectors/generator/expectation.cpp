#include "vectors/generator/expectation.hpp"

#include <algorithm>

namespace hallmark::vectors::generator {
namespace {

Field field_with(std::string_view name, Match match) {
  Field field;
  field.field = std::string(name);
  field.match = match;
  return field;
}

Field named(protocol::FieldName field, Match match, std::string_view capture) {
  Field result = field_with(field, match);
  result.capture = std::string(capture);
  return result;
}

}  // namespace

Field is(protocol::FieldName field, std::uint64_t number) {
  Field result = field_with(field, Match::equals);
  result.value = number;
  return result;
}

Field is(protocol::FieldName field, base::ByteView bytes) {
  Field result = field_with(field, Match::equals);
  result.value = Bytes(bytes.begin(), bytes.end());
  return result;
}

Field any(protocol::FieldName field) { return field_with(field, Match::any); }

Field between(protocol::FieldName field, std::uint64_t min, std::uint64_t max) {
  Field result = field_with(field, Match::range);
  result.min = min;
  result.max = max;
  return result;
}

Field one_of(protocol::FieldName field, std::vector<std::uint64_t> choices) {
  Field result = field_with(field, Match::one_of);
  result.choices = std::move(choices);
  return result;
}

Field left(protocol::FieldName field, const Lifetime& lifetime) {
  Field result = field_with(field, Match::remaining);
  result.lifetime = lifetime;
  return result;
}

Field remember(protocol::FieldName field, std::string_view name) {
  return named(field, Match::capture, name);
}

Field remembered(protocol::FieldName field, std::string_view name) {
  return named(field, Match::captured, name);
}

Field remembered_in_hex(protocol::FieldName field, std::string_view name) {
  return named(field, Match::captured_hex, name);
}

Field holds(protocol::FieldName group, std::vector<EntryPattern> records, bool exactly) {
  Field result = field_with(group, Match::set_of);
  result.entries = std::move(records);
  result.exactly = exactly;
  return result;
}

void replace(std::vector<Field>& fields, const Field& with) {
  const auto found = std::ranges::find(fields, with.field, &Field::field);
  if (found != fields.end()) *found = with;
}

Bytes pattern(std::size_t n) {
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::uint8_t>(i % 251);
  return bytes;
}

}  // namespace hallmark::vectors::generator
