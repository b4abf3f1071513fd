#include "vectors/format/plain_values.hpp"

#include "base/hex.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;
using protocol::Field;
using protocol::FieldValue;
namespace kinds = protocol::kinds;

/// Walks the values of a message in wire order: a group, then the heads of its records, then their
/// tails.
class ValueReader {
 public:
  ValueReader(const protocol::Decoder& decoder, base::ByteView message)
      : values_(decoder.fields()), message_(message) {}

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
        record[field.name] = base::to_hex(message_.subspan(value.offset, value.length));
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
  if (const auto* const number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  if (const auto* const bytes = std::get_if<Bytes>(&value)) return base::to_hex(*bytes);
  Json all = Json::array();
  for (const Record& one : std::get<std::vector<Record>>(value)) all.push_back(plain_values(one));
  return all;
}

Json plain_values(const Record& record) {
  Json json = Json::object();
  for (const auto& [name, value] : record.fields()) json[name] = plain_value(value);
  return json;
}

}  // namespace hallmark::vectors
