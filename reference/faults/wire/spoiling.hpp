#pragma once

#include <vector>

#include "reference/faults/wire/wire_fault.hpp"

/// Ways in which values and bytes of messages are spoilt.
namespace hallmark::faults {

using Entries = std::vector<Record>;

inline constexpr std::uint64_t seconds = 4;  ///< TTL type

/// Does nothing where one is missing.
void swap_fields(Record& values, protocol::FieldName a, protocol::FieldName b);

/// Changes bytes under a name, where there are some.
template <class Change>
void with_bytes(Record& values, protocol::FieldName name, const Change& change) {
  const protocol::Value* const value = values.find(name);
  if (value == nullptr) return;
  Bytes bytes = std::get<Bytes>(*value);
  change(bytes);
  values.set(name, std::move(bytes));
}

template <class Change>
void with_number(Record& values, protocol::FieldName name, const Change& change) {
  if (values.find(name) != nullptr) values.set(name, change(values.number(name)));
}

/// The field that names the record that a request is about; of a pair, its first part.
protocol::FieldName name_in(const Record& values);

/// Changes the records of a group in each fragment of a listing.
template <class Change>
void in_fragments(Record& values, protocol::FieldName group, const Change& change) {
  const protocol::Value* const found = values.find("fragments");
  if (found == nullptr) return;
  Entries fragments = std::get<Entries>(*found);
  for (Record& fragment : fragments) {
    Entries records = std::get<Entries>(*fragment.find(group));
    change(records);
    fragment.set(group, std::move(records));
  }
  values.set("fragments", std::move(fragments));
}

/// Names change their places among records, and nothing else does.
void reverse_names(Entries& records, protocol::FieldName name);

void cut_last(Bytes& bytes);

/// Cuts the bytes off at the first NUL, like code that takes them for a C string.
void cut_at_nul(Bytes& bytes);

/// The lowest `width` bytes in the other order.
std::uint64_t reversed(std::uint64_t number, std::size_t width);

/// Every field of that name, from its byte `from` on.
void erase_field(Bytes& bytes, const Decoder& decoder, protocol::FieldName name,
                 std::size_t from = 0);

/// The first field of that name tells one more.
void increment_count(Bytes& bytes, const Decoder& decoder, protocol::FieldName name);

/// The names of each fragment come before its entries.
void names_first(Bytes& bytes, const Decoder& decoder, protocol::FieldName group,
                 protocol::FieldName name);

/// The status of a whole reply. Precondition: its layout has one.
std::uint8_t& status_in(Bytes& reply, const protocol::Layout& layout);

/// True if a whole reply tells of failure.
bool failed(const Bytes& reply, const protocol::Layout& layout);

/// The offset of what follows the status of a reply of success.
std::size_t begin_of_success(const protocol::Layout& layout);

/// A reply of failure as one of success whose fields are zero.
void succeed_with_zeros(Bytes& bytes, const Decoder& decoder, const WireContext& context);

/// All numbers.
void all_big_endian(Bytes& bytes, const Decoder& decoder, const WireContext& context);

/// True if bytes are not UTF-8.
bool is_utf8_lead_error(const Bytes& bytes);

}  // namespace hallmark::faults
