#include "vectors/format/plain_values.hpp"

#include "base/hex.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;
using protocol::Field;
using protocol::FieldValue;
using protocol::Layout;
namespace kinds = protocol::kinds;

/// The bytes of a field: text that is not absent has a space behind it, padded bytes have zeros.
std::string spelled(const Layout& layout, const Field& field, std::string digits) {
  if (field.is<kinds::Tag>() && !digits.empty()) digits += "20";
  if (const std::size_t size = 2 * layout.width_of(field);
      field.is<kinds::Text>() && digits.size() < size)
    digits.append(size - digits.size(), '0');
  return digits;
}

Json records_json(const Layout& layout, const kinds::Group& group,
                  const std::vector<Record>& records);

/// Adds the values that a record has of these fields.
void add_values(const Layout& layout, std::span<const Field> fields, const Record& record,
                Json& to) {
  for (const Field& field : fields) {
    const Value* const value = layout.present(field) ? record.find(field.name) : nullptr;
    if (value == nullptr) continue;
    if (const auto* const group = field.as<kinds::Group>()) {
      to[field.name] = records_json(layout, *group, std::get<std::vector<Record>>(*value));
    } else if (const auto* const bytes = std::get_if<Bytes>(value)) {
      to[field.name] = spelled(layout, field, base::to_hex(*bytes));
    } else {
      to[field.name] = plain_value(*value);
    }
  }
}

Json records_json(const Layout& layout, const kinds::Group& group,
                  const std::vector<Record>& records) {
  Json all = Json::array();
  for (const Record& one : records) {
    Json values = Json::object();
    add_values(layout, group.head, one, values);
    add_values(layout, group.tail, one, values);
    all.push_back(std::move(values));
  }
  return all;
}

/// Walks the values of a message in wire order: a group, then the heads of its records, then their
/// tails.
class ValueReader {
 public:
  ValueReader(const protocol::Decoder& decoder, base::ByteView message)
      : layout_(decoder.layout()), values_(decoder.fields()), message_(message) {}

  void read(std::span<const Field> fields, Json& record) {
    for (const Field& field : fields) {
      if (at_ == values_.size() || values_[at_].field != &field) continue;
      const FieldValue& value = values_[at_++];
      if (const auto* const group = field.as<kinds::Group>()) {
        record[field.name] = records(*group, value.number);
      } else if (field.is<kinds::Status, kinds::Integer, kinds::ChoiceOf>()) {
        record[field.name] = std::to_string(value.number);
      } else if (!field.is<kinds::Opcode, kinds::Literal, kinds::Size, kinds::Count,
                           kinds::DecimalCount>()) {
        record[field.name] =
            spelled(layout_, field, base::to_hex(message_.subspan(value.offset, value.length)));
      }
    }
  }

 private:
  Json records(const kinds::Group& group, std::uint64_t count) {
    Json all = Json::array();
    for (std::uint64_t i = 0; i < count; ++i) {
      all.push_back(Json::object());
      read(group.head, all.mutable_items().back());
    }
    for (Json& record : all.mutable_items()) read(group.tail, record);
    return all;
  }

  const Layout& layout_;
  const std::vector<FieldValue>& values_;
  base::ByteView message_;
  std::size_t at_ = 0;
};

}  // namespace

Json plain_values(const protocol::Decoder& decoder, base::ByteView message) {
  Json record = Json::object();
  ValueReader reader(decoder, message);
  reader.read(decoder.layout().message().fields, record);
  reader.read(decoder.layout().message().on_success, record);
  return record;
}

Json plain_value(const Value& value) {
  const auto* const number = std::get_if<std::uint64_t>(&value);
  return number != nullptr ? std::to_string(*number) : base::to_hex(std::get<Bytes>(value));
}

Json plain_values(const Layout& layout, const Record& record) {
  Json values = Json::object();
  add_values(layout, layout.message().fields, record, values);
  add_values(layout, layout.message().on_success, record, values);
  return values;
}

}  // namespace hallmark::vectors
