#include "protocol/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace hallmark::protocol {
namespace {

const std::uint64_t* number_at(const Value* value) {
  return value == nullptr ? nullptr : std::get_if<std::uint64_t>(value);
}

}  // namespace

void throw_absent(FieldName name, const std::vector<std::string_view>& present) {
  throw std::logic_error(
      fmt::format("there is no number {}: there is {}", std::string_view(name),
                  present.empty() ? "nothing" : fmt::format("{}", fmt::join(present, ", "))));
}

Record::Record(std::initializer_list<Named> fields) {
  fields_.reserve(fields.size());
  for (const Named& one : fields) fields_.emplace_back(one.name, one.value);
}

Record& Record::set(FieldName name, Value value) {
  const auto found =
      std::ranges::find(fields_, std::string_view(name), &std::pair<std::string, Value>::first);
  if (found != fields_.end()) {
    found->second = std::move(value);
  } else {
    fields_.emplace_back(name, std::move(value));
  }
  return *this;
}

const Value* Record::find(FieldName name) const {
  const auto found =
      std::ranges::find(fields_, std::string_view(name), &std::pair<std::string, Value>::first);
  return found == fields_.end() ? nullptr : &found->second;
}

std::uint64_t Record::number(FieldName name) const {
  const std::uint64_t* const number = number_at(find(name));
  if (number != nullptr) return *number;
  std::vector<std::string_view> present;
  for (const auto& [each, value] : fields_) present.push_back(each);
  throw_absent(name, present);
}

std::uint64_t Record::number_or(FieldName name, std::uint64_t absent) const {
  const std::uint64_t* const number = number_at(find(name));
  return number == nullptr ? absent : *number;
}

bool Record::operator==(const Record& other) const { return fields_ == other.fields_; }

}  // namespace hallmark::protocol
