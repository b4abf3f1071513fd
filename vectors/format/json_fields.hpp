#pragma once

#include <vector>

#include "base/json_reader.hpp"
#include "protocol/dialect.hpp"
#include "vectors/format/vector.hpp"

/// Fields of messages in vector files, read and written by what the tables say of them: numbers as
/// numbers, a status as "success" or "failure", bytes as text. A pattern is the value of the field,
/// or an object that names the match.
namespace hallmark::vectors {

/// The values that a request was made from.
base::Json record_json(const Record& record);
Record read_record(const base::JsonReader& reader, const protocol::Message& message);

/// The patterns of the fields of a message; those that are not values have their places.
/// `message`: null where the dialect has no such message.
base::Json patterns_json(const std::vector<FieldPattern>& patterns,
                         const protocol::Message* message);
std::vector<FieldPattern> read_patterns(const base::JsonReader& reader,
                                        const protocol::Message& message);

/// Refuses `reader`, a member of that name, where the message has no such field.
void check_field_name(const base::JsonReader& reader, std::string_view name,
                      const protocol::Message& message);

/// Refuses the places that `reader` gave to `patterns` where they are not those of `located`.
void check_places(const base::JsonReader& reader, const std::vector<FieldPattern>& patterns,
                  const std::vector<FieldPattern>& located);

base::Json lifetime_json(const Lifetime& lifetime);
Lifetime read_lifetime(const base::JsonReader& reader);

/// A place in the bytes: its offset and its length.
struct Place {
  std::size_t offset = 0;
  std::size_t length = 0;
};
base::Json place_json(const Place& place);
Place read_place(const base::JsonReader& reader);

}  // namespace hallmark::vectors
