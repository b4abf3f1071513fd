#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/bytes.hpp"

namespace hallmark::protocol {

class Record;

/// The value of one field: a number, bytes, or the records of a group.
using Value = std::variant<std::uint64_t, base::Bytes, std::vector<Record>>;

/// The values of a message, by the names of the fields. Sizes, counts and opcodes are not among
/// them: they follow from the rest. Fields keep the order in which they were first set.
class Record {
 public:
  Record() = default;
  Record(std::initializer_list<std::pair<std::string, Value>> fields);

  /// Adds the field or replaces its value.
  Record& set(std::string_view name, Value value);

  /// Null when there is no such field.
  const Value* find(std::string_view name) const;

  /// The number in that field; 0 when it is not there or is no number.
  std::uint64_t number(std::string_view name) const;

  const std::vector<std::pair<std::string, Value>>& fields() const { return fields_; }

  bool operator==(const Record& other) const;

 private:
  std::vector<std::pair<std::string, Value>> fields_;
};

}  // namespace hallmark::protocol
