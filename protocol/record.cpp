#include "protocol/record.hpp"

#include <algorithm>

namespace hallmark::protocol {

Record::Record(std::initializer_list<std::pair<std::string, Value>> fields) : fields_(fields) {}

Record& Record::set(std::string_view name, Value value) {
  const auto found = std::ranges::find(fields_, name, &std::pair<std::string, Value>::first);
  if (found != fields_.end()) {
    found->second = std::move(value);
  } else {
    fields_.emplace_back(std::string(name), std::move(value));
  }
  return *this;
}

const Value* Record::find(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &std::pair<std::string, Value>::first);
  return found == fields_.end() ? nullptr : &found->second;
}

std::uint64_t Record::number(std::string_view name) const {
  const Value* const value = find(name);
  const auto* const number = value == nullptr ? nullptr : std::get_if<std::uint64_t>(value);
  return number == nullptr ? 0 : *number;
}

bool Record::operator==(const Record& other) const { return fields_ == other.fields_; }

}  // namespace hallmark::protocol
