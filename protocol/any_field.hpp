#pragma once

#include <span>

#include "protocol/dialect.hpp"

/// Questions about all fields of a message, those of records within it included.
namespace hallmark::protocol {

/// True if it `holds` for one of the fields.
template <class Predicate>
consteval bool any_field(std::span<const Field> fields, Predicate holds) {
  for (const Field& field : fields) {
    if (holds(field)) return true;
    if (!field.is<kinds::Group>()) continue;
    const auto& group = field.get<kinds::Group>();
    if (any_field(group.head, holds) || any_field(group.tail, holds)) return true;
  }
  return false;
}

template <class Predicate>
consteval bool any_field(const Message& message, Predicate holds) {
  return any_field(message.fields, holds) || any_field(message.on_success, holds);
}

/// True if servers of another value width write the message with other sizes.
consteval bool depends_on_width(const Message& message) {
  return any_field(message, [](const Field& field) { return field.width() == kinds::value_width; });
}

}  // namespace hallmark::protocol
