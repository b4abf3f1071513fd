#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "protocol/names.hpp"

namespace hallmark::protocol {

class Record;

/// The value of one field: a number, bytes, or the records of a group.
using Value = std::variant<std::uint64_t, base::Bytes, std::vector<Record>>;

/// The values of a message, by the names of the fields. Sizes, counts and opcodes are not among
/// them: they follow from the rest. Fields keep the order in which they were first set.
class Record {
 public:
  /// A field while a record is written out.
  struct Named;

  Record() = default;
  Record(std::initializer_list<Named> fields);

  /// Adds the field or replaces its value.
  Record& set(FieldName name, Value value);

  /// Null when the record does not have the field.
  const Value* find(FieldName name) const;

  /// The number in that field. Throws std::logic_error, which says what the record has, where it
  /// has no such number: for fields that it must have.
  std::uint64_t number(FieldName name) const;

  /// The number in that field; `absent` where the record has no such number.
  std::uint64_t number_or(FieldName name, std::uint64_t absent) const;

  const std::vector<std::pair<std::string, Value>>& fields() const { return fields_; }

  bool operator==(const Record& other) const;

 private:
  std::vector<std::pair<std::string, Value>> fields_;
};

/// Throws std::logic_error, which says that a record or message has `present` and not `name`.
[[noreturn]] void throw_absent(FieldName name, const std::vector<std::string_view>& present);

struct Record::Named {
  FieldName name;
  Value value;
};

}  // namespace hallmark::protocol
