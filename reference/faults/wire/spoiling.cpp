#include "reference/faults/wire/spoiling.hpp"

#include <algorithm>

#include "protocol/little_endian.hpp"

namespace hallmark::faults {

using protocol::FieldValue;
using protocol::kinds::Group;
using protocol::kinds::Status;

void swap_fields(Record& values, protocol::FieldName a, protocol::FieldName b) {
  const protocol::Value* const first = values.find(a);
  const protocol::Value* const second = values.find(b);
  if (first == nullptr || second == nullptr) return;
  protocol::Value kept = *first;
  values.set(a, *second);
  values.set(b, std::move(kept));
}

protocol::FieldName name_in(const Record& values) {
  for (const protocol::FieldName name :
       std::initializer_list<protocol::FieldName>{"key", "consumer_id"}) {
    if (values.find(name) != nullptr) return name;
  }
  return "channel";
}

void reverse_names(Entries& records, protocol::FieldName name) {
  if (records.empty()) return;
  for (std::size_t i = 0, j = records.size() - 1; i < j; ++i, --j) {
    protocol::Value kept = *records[i].find(name);
    records[i].set(name, *records[j].find(name));
    records[j].set(name, std::move(kept));
  }
}

void cut_last(Bytes& bytes) {
  if (!bytes.empty()) bytes.pop_back();
}

void cut_at_nul(Bytes& bytes) {
  bytes.erase(std::find(bytes.begin(), bytes.end(), 0), bytes.end());
}

std::uint64_t reversed(std::uint64_t number, std::size_t width) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < width; ++i) result = result << 8 | (number >> (8 * i) & 0xff);
  return result;
}

void erase_field(Bytes& bytes, const Decoder& decoder, protocol::FieldName name, std::size_t from) {
  const auto& fields = decoder.fields();
  for (auto value = fields.rbegin(); value != fields.rend(); ++value) {
    if (value->field->name != name) continue;
    const auto begin = bytes.begin() + value->offset;
    bytes.erase(begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(from, value->length)),
                begin + value->length);
  }
}

void increment_count(Bytes& bytes, const Decoder& decoder, protocol::FieldName name) {
  for (const FieldValue& value : decoder.fields()) {
    if (value.field->name == name)
      return protocol::store_little_endian(bytes.data() + value.offset, value.number + 1,
                                           value.length);
  }
}

void names_first(Bytes& bytes, const Decoder& decoder, protocol::FieldName group,
                 protocol::FieldName name) {
  const auto& fields = decoder.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].field->is<Group>() || fields[i].field->name != group) continue;
    const auto first =
        std::find_if(fields.begin() + static_cast<std::ptrdiff_t>(i), fields.end(),
                     [&](const FieldValue& value) { return value.field->name == name; });
    if (first == fields.end()) return;
    std::rotate(bytes.begin() + fields[i].offset, bytes.begin() + first->offset,
                bytes.begin() + fields[i].offset + fields[i].length);
  }
}

std::uint8_t& status_in(Bytes& reply, const protocol::Layout& layout) {
  return reply.at(layout.offset_of(*layout.status()));
}

bool failed(const Bytes& reply, const protocol::Layout& layout) {
  const protocol::Field* const status = layout.status();
  return status != nullptr && reply.at(layout.offset_of(*status)) == Status::failure;
}

std::size_t begin_of_success(const protocol::Layout& layout) {
  return layout.fixed_size(layout.message().fields);
}

void succeed_with_zeros(Bytes& bytes, const Decoder& /*decoder*/, const WireContext& context) {
  const protocol::Layout& layout = context.layout;
  if (!failed(bytes, layout)) return;
  bytes.assign(begin_of_success(layout) + layout.fixed_size(layout.message().on_success), 0);
  status_in(bytes, layout) = Status::success;
}

void all_big_endian(Bytes& bytes, const Decoder& decoder, const WireContext& /*context*/) {
  for (const FieldValue& value : decoder.fields()) {
    if (value.field->numeric() && value.length > 1)
      std::reverse(bytes.begin() + value.offset, bytes.begin() + value.offset + value.length);
  }
}

bool is_utf8_lead_error(const Bytes& bytes) {
  std::size_t follow = 0;
  for (const std::uint8_t byte : bytes) {
    if (follow != 0) {
      if ((byte & 0xc0) != 0x80) return true;
      --follow;
    } else if (byte >= 0x80) {
      if (byte < 0xc2 || byte > 0xf4) return true;
      follow = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    }
  }
  return follow != 0;
}

}  // namespace hallmark::faults
