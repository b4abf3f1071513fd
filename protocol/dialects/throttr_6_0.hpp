#pragma once

#include "protocol/dialects/throttr_clauses.hpp"
#include "protocol/dialects/throttr_fields.hpp"
#include "protocol/dialects/throttr_readings.hpp"

/// Throttr protocol, version 6.0.0: counters and buffers, and a listing of both.
namespace hallmark::protocol {
namespace throttr_6_0_table {

using namespace throttr;

inline constexpr Reading readings[] = {
    open(reading::status_prefix,
         {.favoured = "no", .released = "yes", .words = words::starts_with_fragments}),
    open(reading::set_value_size,
         {.favoured = "one-byte", .released = "value-width", .words = words::set_value}),
    open(reading::list_bytes_used,
         {.favoured = "no",
          .released = "yes",
          .words =
              "Per Q we are going to receive fixed 11 bytes: … N represent value_type length."}),
    open(reading::fragments,
         {.favoured = "from-1", .released = "from-1", .words = words::fragments}),
    open(reading::names_of_bytes, {.favoured = "bytes", .words = words::names}),
    open(reading::update_order, {.favoured = "field-tables",
                                 .released = "field-tables",
                                 .words = "set buffer = [ 0x02 0x05 0x07 0x07 0x07 0x07 0x07 ]; … "
                                          "== Request Type: 0x03 => UPDATE =="}),
    open(reading::insert_existing, answers::refused,
         {.favoured = "refused",
          .released = "refused",
          .words = "If the key doesn't exists ... … Or if the key exists ..."}),
    open(reading::set_existing, {.favoured = "refused",
                                 .released = "replaced",
                                 .words = "This request can add buffers to the memory. … If the "
                                          "key doesn't exists ... … Or if the key exists ..."}),
    open(reading::update_missing, {.favoured = "refused",
                                   .released = "refused",
                                   .words = "If the key exists or the change was valid then ..."}),
    open(reading::decrease_below_zero,
         {.favoured = "refused", .released = "refused", .words = words::decrease}),
    open(reading::increase_overflow, {.released = "wrapped", .words = words::increase}),
    open(reading::ttl_left, {.released = "left-rounded-down", .words = words::ttl_left}),
    open(reading::ttl_update, {.released = "unit-of-record-from-now", .words = words::ttl_update}),
    open(reading::ttl_past_now, {.released = "expired", .words = words::ttl_update}),
    open(reading::ttl_beyond, {.released = "saturated", .words = words::ttl_update}),
    open(reading::ttl_zero, {.released = "expired", .words = words::ttl}),
    open(reading::ttl_type_unknown, {.released = "accepted", .words = words::ttl_types}),
    open(reading::attribute_unknown, {.released = "refused", .words = words::attribute}),
    open(reading::change_unknown, {.released = "accepted", .words = words::change}),
    open(reading::expired_when, {.favoured = "time-point", .words = words::expired}),
    open(reading::kind_mismatch, answers::refused, {.favoured = "refused", .words = words::kinds}),
    open(reading::maximum_values, {.released = "valid", .words = words::maximum}),
    open(reading::empty_names, {.released = "valid", .words = words::empty}),
    open(reading::key_types, {.favoured = "counter-0-buffer-1",
                              .released = "counter-0-buffer-1",
                              .words = words::key_types}),
    open(reading::time_units, {.favoured = "timestamp-s-others-ns",
                               .released = "timestamp-s-others-ns",
                               .words = words::time_point}),
    open(reading::bytes_used,
         {.released = "width-or-length", .words = "N represent value_type length."}),
    open(reading::opcode_unknown,
         {.words = "Version v6.0.0 supports the following request types:"}),
};

inline constexpr Clause only_here[] = {
    {"list.entry", Level::must, "LIST",
     "11 bytes a key: key size, key type, TTL type, time point 8"},
    {"silence.list-bytes-used", Level::should, "LIST", "LIST keeps to one length of its entries"},
    {"purge.missing", Level::must, "PURGE", "a key that does not exist is answered with 00"},
};

inline constexpr auto clauses = joined(
    throttr::clauses::definitions, throttr::clauses::counters, throttr::clauses::buffers,
    throttr::clauses::listing, throttr::clauses::stream,
    throttr::clauses::company<throttr::clauses::request_types>, throttr::clauses::keys_chosen,
    throttr::clauses::layouts_chosen, only_here,
    throttr::clauses::clients<throttr::clauses::request_types, throttr::clauses::request_types>,
    throttr::clauses::client_listings);

/// The list of its fields says one byte, its example N.
inline constexpr Field set_request[] = {
    opcode(),
    choice("ttl_type", ttl_types),
    integer("ttl", value_width, in_ttl_type),
    size_of("key", "key_size", 1),
    size_of("value", "value_size", 1, {"set-value-size", "one-byte"}),
    size_of("value", "value_size", value_width, {"set-value-size", "value-width"}),
    bytes("key"),
    bytes("value"),
};

inline constexpr Field prefixed_status[] = {status({"status-prefix", "yes"})};

inline constexpr Field bytes_used_or_not[] = {
    integer("bytes_used", value_width, "bytes", {"list-bytes-used", "yes"})};
inline constexpr auto list_entry = joined(list_entry_head, bytes_used_or_not);
inline constexpr Field list_fragment[] = {
    integer("fragment", 8),
    count_of("keys", "number_of_keys", 8),
    group("keys", list_entry, key_name),
};
inline constexpr Field list_body[] = {count_of("fragments", "number_of_fragments", 8),
                                      group("fragments", list_fragment)};

inline constexpr Operation operations[] = {
    {"INSERT", 0x01, {insert_request}, status_reply, "INSERT"},
    {"QUERY", 0x02, {by_key}, {only_status, query_found}, "QUERY"},
    {"UPDATE", 0x03, {update_request}, status_reply, "UPDATE"},
    {"PURGE", 0x04, {by_key}, status_reply, "PURGE"},
    {"SET", 0x05, {throttr_6_0_table::set_request}, status_reply, "SET"},
    {"GET", 0x06, {by_key}, {only_status, get_found}, "GET"},
    {"LIST", 0x07, {only_opcode}, {prefixed_status, throttr_6_0_table::list_body}, "LIST"},
};

}  // namespace throttr_6_0_table

namespace tables {

inline constexpr Dialect throttr_6_0{
    .name = "throttr-6.0",
    .document = "Throttr protocol 6.0.0",
    .servers = "adbdb7d and 5.x, for these operations",
    .transport = Transport::stream,
    .widths = throttr::widths,
    .operations = throttr_6_0_table::operations,
    .pushes = {},
    .readings = throttr_6_0_table::readings,
    .clauses = throttr_6_0_table::clauses,
};

}  // namespace tables
}  // namespace hallmark::protocol
