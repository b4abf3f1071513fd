#pragma once

#include <span>
#include <string>

#include "protocol/dialect.hpp"
#include "vectors/format/vector.hpp"

/// The fields that vectors name, as the tables have them.
namespace hallmark::vectors {

/// The message that is expected; null when the dialect has none of that name.
const protocol::Message* message_of(const protocol::Dialect& dialect, const Expected& expected);

/// The field of that name in a message, whether or not some answer to a reading leaves it out; null
/// when there is none.
const protocol::Field* find_field(const protocol::Message& message, std::string_view name);

/// The same of a group, at any depth.
const protocol::Field* find_group(const protocol::Message& message, std::string_view name);

/// The same among the fields of the records of a group. Precondition: `group` is one.
const protocol::Field* find_field_of_record(const protocol::Field& group, std::string_view name);

}  // namespace hallmark::vectors
