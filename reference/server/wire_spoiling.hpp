#pragma once

#include <vector>

#include "reference/server/wire_faults.hpp"

/// What mutants spoil values and bytes of messages with.
namespace hallmark::server::spoiling {

using Records = std::vector<protocol::Record>;

inline constexpr std::uint64_t success = 1;  ///< status byte
inline constexpr std::uint64_t seconds = 4;  ///< TTL type

/// Nothing where one is missing.
void swap_fields(protocol::Record& values, std::string_view a, std::string_view b);

/// Changes bytes under a name, where there are some.
template <class Change>
void with_bytes(protocol::Record& values, std::string_view name, const Change& change) {
  const protocol::Value* const value = values.find(name);
  if (value == nullptr) return;
  protocol::Bytes bytes = std::get<protocol::Bytes>(*value);
  change(bytes);
  values.set(name, std::move(bytes));
}

template <class Change>
void with_number(protocol::Record& values, std::string_view name, const Change& change) {
  if (values.find(name) != nullptr) values.set(name, change(values.number(name)));
}

/// What names the record that a request is about; of a pair, its first part.
std::string_view name_in(const protocol::Record& values);

/// Changes the records of a group in each fragment of a listing.
template <class Change>
void in_fragments(protocol::Record& values, std::string_view group, const Change& change) {
  const protocol::Value* const found = values.find("fragments");
  if (found == nullptr) return;
  Records fragments = std::get<Records>(*found);
  for (protocol::Record& fragment : fragments) {
    Records records = std::get<Records>(*fragment.find(group));
    change(records);
    fragment.set(group, std::move(records));
  }
  values.set("fragments", std::move(fragments));
}

/// Names change their places among records, and nothing else does.
void reverse_names(Records& records, std::string_view name);

void cut_last(protocol::Bytes& bytes);

/// As what takes bytes for a C string.
void cut_at_nul(protocol::Bytes& bytes);

/// The lowest `width` bytes in the other order.
std::uint64_t reversed(std::uint64_t number, std::size_t width);

/// Every field of that name, from its byte `from` on.
void erase_field(protocol::Bytes& bytes, const protocol::Decoder& decoder, std::string_view name,
                 std::size_t from = 0);

/// The first field of that name tells one more.
void increment_count(protocol::Bytes& bytes, const protocol::Decoder& decoder,
                     std::string_view name);

/// The names of each fragment come before its entries.
void names_first(protocol::Bytes& bytes, const protocol::Decoder& decoder, std::string_view group,
                 std::string_view name);

/// Whether a reply tells of failure, with or without a request id.
bool failed(const protocol::Bytes& bytes);

/// Bytes of the fields of fixed size that a reply of success has.
std::size_t size_on_success(const protocol::Layout& layout);

/// A reply of failure as one of success whose fields are zero.
void succeed_with_zeros(protocol::Bytes& bytes, const protocol::Decoder& decoder,
                        const WireContext& context);

/// All numbers.
void all_big_endian(protocol::Bytes& bytes, const protocol::Decoder& decoder,
                    const WireContext& context);

/// Whether bytes are no UTF-8.
bool is_utf8_lead_error(const protocol::Bytes& bytes);

}  // namespace hallmark::server::spoiling
