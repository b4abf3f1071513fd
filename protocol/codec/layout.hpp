#pragma once

#include <initializer_list>

#include "base/hex.hpp"
#include "protocol/readings.hpp"

namespace hallmark::protocol {

/// One message of a dialect as a given server speaks it: the table together with what the table
/// leaves open, the value width and the readings. Refers to both; they must outlive it.
class Layout {
 public:
  static Layout request(const Operation& operation, Width width, const Readings& readings) {
    return {operation.name, operation.opcode, operation.request, width, readings};
  }
  static Layout reply(const Operation& operation, Width width, const Readings& readings) {
    return {operation.name, operation.opcode, operation.reply, width, readings};
  }
  static Layout push(const Push& push, Width width, const Readings& readings) {
    return {push.name, push.opcode, push.message, width, readings};
  }
  static Layout format(const Format& format, const Readings& readings) {
    return {format.name, 0, format.message, Width::none, readings};
  }

  MessageName name() const { return name_; }
  std::uint8_t opcode() const { return opcode_; }
  const Message& message() const { return *message_; }
  Width width() const { return width_; }
  const Readings& readings() const { return *readings_; }
  /// True if nothing but the end of the bytes ends the message.
  bool ends_with_bytes() const { return readings_->dialect().transport != Transport::stream; }

  /// False when the readings say that this message is not sent at all.
  bool sent() const { return readings_->holds(message_->when); }
  bool present(const Field& field) const { return readings_->holds(field.when); }
  std::size_t width_of(const Field& field) const { return field.width_in(width_); }

  /// Bytes of those fields that are there and of fixed length, together.
  std::size_t fixed_size(std::span<const Field> fields) const {
    std::size_t size = 0;
    for (const Field& field : fields) {
      if (present(field)) size += width_of(field);
    }
    return size;
  }

  /// The field that the message starts with; null for a message without one.
  const Field* first() const;

  /// The status among `message().fields`; null where the readings leave none.
  const Field* status() const;

  /// The offset of a field of `message().fields` that only fields of fixed length stand before.
  std::size_t offset_of(const Field& field) const;

  /// Returns true if the message starts with an opcode. Of the messages that servers send, only
  /// pushes do.
  bool starts_with_opcode() const;

  /// False if no message of this layout has that first byte.
  bool can_start_with(std::uint8_t byte) const;

  /// The field of that name among `fields` that the readings leave present; null when there is
  /// none.
  const Field* find(std::span<const Field> fields, FieldName name) const {
    for (const Field& field : fields) {
      if (field.name == name && present(field)) return &field;
    }
    return nullptr;
  }

 private:
  Layout(MessageName name, std::uint8_t opcode, const Message& message, Width width,
         const Readings& readings)
      : name_(name), opcode_(opcode), message_(&message), width_(width), readings_(&readings) {}

  MessageName name_;
  std::uint8_t opcode_;
  const Message* message_;
  Width width_;
  const Readings* readings_;
};

/// The operation whose request those bytes start; null where they start none.
const Operation* operation_of(const Dialect& dialect, base::ByteView request);

/// The push that those bytes start; null where they start none.
const Push* push_of(const Dialect& dialect, base::ByteView message);

/// Replies, one after the other, that are a status and nothing else; true stands for success. So
/// INSERT is answered, and an opcode refused that nobody defines, where replies repeat no id.
base::Bytes status_replies(std::initializer_list<bool> statuses);

}  // namespace hallmark::protocol
