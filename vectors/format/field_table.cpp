#include "vectors/format/field_table.hpp"

#include <algorithm>

namespace hallmark::vectors {
namespace {

using protocol::Field;
using protocol::Message;
using protocol::kinds::Group;

const Field* find_in(std::span<const Field> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

const Field* find_group_in(std::span<const Field> fields, std::string_view name) {
  for (const Field& field : fields) {
    const auto* const group = field.as<Group>();
    if (group == nullptr) continue;
    if (field.name == name) return &field;
    if (const Field* const inner = find_group_in(group->head, name)) return inner;
  }
  return nullptr;
}

}  // namespace

const Message* message_of(const protocol::Dialect& dialect, const Expected& expected) {
  if (expected.push) {
    const auto* const push = protocol::find_push_called(dialect, expected.message);
    return push == nullptr ? nullptr : &push->message;
  }
  const auto* const operation = protocol::find_operation_called(dialect, expected.message);
  return operation == nullptr ? nullptr : &operation->reply;
}

const Field* find_field(const Message& message, std::string_view name) {
  const Field* const found = find_in(message.fields, name);
  return found != nullptr ? found : find_in(message.on_success, name);
}

const Field* find_group(const Message& message, std::string_view name) {
  const Field* const found = find_group_in(message.fields, name);
  return found != nullptr ? found : find_group_in(message.on_success, name);
}

const Field* find_field_of_record(const Field& group, std::string_view name) {
  const auto& [head, tail] = group.get<Group>();
  const Field* const found = find_in(head, name);
  return found != nullptr ? found : find_in(tail, name);
}

}  // namespace hallmark::vectors
