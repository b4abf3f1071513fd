#pragma once

#include "vectors/format/vector.hpp"

/// A scenario describes the fields of a reply with these functions. vectors::Match explains what
/// each of them accepts.
namespace hallmark::vectors::generator {

using Field = FieldPattern;

Field is(protocol::FieldName field, std::uint64_t number);
Field is(protocol::FieldName field, base::ByteView bytes);
Field any(protocol::FieldName field);
Field between(protocol::FieldName field, std::uint64_t min, std::uint64_t max);
Field one_of(protocol::FieldName field, std::vector<std::uint64_t> choices);
Field left(protocol::FieldName field, const Lifetime& lifetime);
Field remember(protocol::FieldName field, std::string_view name);
Field remembered(protocol::FieldName field, std::string_view name);
/// The remembered value, in hexadecimal digits.
Field remembered_in_hex(protocol::FieldName field, std::string_view name);
Field holds(protocol::FieldName group, std::vector<EntryPattern> records, bool exactly = false);

/// Replaces the field of the same name by `with`. Does nothing if `fields` has no such field.
void replace(std::vector<Field>& fields, const Field& with);

/// `n` bytes in which no short run repeats, so that a part that is lost or doubled shows.
Bytes pattern(std::size_t n);

}  // namespace hallmark::vectors::generator
