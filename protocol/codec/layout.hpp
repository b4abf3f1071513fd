#pragma once

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
  /// Whether nothing but the end of the bytes ends the message.
  bool ends_with_bytes() const { return readings_->dialect().transport != Transport::stream; }

  /// False when the readings say that this message is not sent at all.
  bool sent() const { return readings_->holds(message_->when); }
  bool present(const Field& field) const { return readings_->holds(field.when); }
  std::size_t width_of(const Field& field) const { return field.width_in(width_); }

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

}  // namespace hallmark::protocol
