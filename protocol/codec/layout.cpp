#include "protocol/codec/layout.hpp"

#include <algorithm>

namespace hallmark::protocol {

const Field* Layout::first() const {
  for (const auto fields : {message_->fields, message_->on_success}) {
    for (const Field& field : fields) {
      if (present(field)) return &field;
    }
  }
  return nullptr;
}

const Field* Layout::status() const {
  for (const Field& field : message_->fields) {
    if (field.is<kinds::Status>() && present(field)) return &field;
  }
  return nullptr;
}

std::size_t Layout::offset_of(const Field& field) const {
  const auto before = static_cast<std::size_t>(&field - message_->fields.data());
  return fixed_size(message_->fields.first(before));
}

bool Layout::starts_with_opcode() const {
  const Field* const field = first();
  return field != nullptr && field->is<kinds::Opcode>();
}

bool Layout::can_start_with(std::uint8_t byte) const {
  const Field* const field = first();
  if (field == nullptr) return true;
  if (field->is<kinds::Opcode>()) return byte == opcode_;
  return !field->is<kinds::Status>() || find_choice(kinds::Status::choices, byte) != nullptr;
}

const Operation* operation_of(const Dialect& dialect, base::ByteView request) {
  return request.empty() ? nullptr : find_operation(dialect, request.front());
}

const Push* push_of(const Dialect& dialect, base::ByteView message) {
  if (message.empty()) return nullptr;
  const auto found = std::ranges::find(dialect.pushes, message.front(), &Push::opcode);
  return found == dialect.pushes.end() ? nullptr : &*found;
}

base::Bytes status_replies(std::initializer_list<bool> statuses) {
  base::Bytes replies;
  for (const bool success : statuses)
    replies.push_back(success ? kinds::Status::success : kinds::Status::failure);
  return replies;
}

}  // namespace hallmark::protocol
