#pragma once

#include "protocol/dialects/throttr_clauses.hpp"
#include "protocol/dialects/throttr_fields.hpp"
#include "protocol/dialects/throttr_readings.hpp"

/// Throttr protocol, version 7.3, as released servers speak it: 7.1 with a status before every
/// reply, publications that name their channel, and connections that say what they are. No document
/// describes it; where its servers show nothing, their readings of 7.1 hold.
namespace hallmark::protocol {
namespace throttr_7_3_table {

using namespace throttr;

inline constexpr Reading readings[] = {
    open(reading::info_names, {.released = "requests-then-existing"}),
    open(reading::ip_field, {.released = "text"}),
    open(reading::ip_version, {.released = "4-and-6"}),
    open(reading::fragments, {.released = "from-1"}),
    open(reading::names_of_bytes, {}),
    open(reading::insert_existing, {.released = "refused"}),
    open(reading::set_existing, {.released = "replaced"}),
    open(reading::update_missing, {.released = "refused"}),
    open(reading::purge_missing, {.released = "refused"}),
    open(reading::decrease_below_zero, {.released = "refused"}),
    open(reading::increase_overflow, {.released = "wrapped"}),
    open(reading::ttl_left, {.released = "left-rounded-down"}),
    open(reading::ttl_update, {.released = "unit-of-record-from-now"}),
    open(reading::ttl_past_now, {.released = "expired"}),
    open(reading::ttl_beyond, {.released = "saturated"}),
    open(reading::ttl_zero, {.released = "expired"}),
    open(reading::ttl_type_unknown, {.released = "accepted"}),
    open(reading::attribute_unknown, {.released = "refused"}),
    open(reading::change_unknown, {.released = "accepted"}),
    open(reading::expired_when, {}),
    open(reading::kind_mismatch, {}),
    open(reading::maximum_values, {.released = "valid"}),
    open(reading::empty_names, {.released = "valid"}),
    open(reading::key_types, {.released = "counter-0-buffer-1"}),
    open(reading::time_units, {.released = "timestamp-s-others-ns"}),
    open(reading::metrics, {.released = "itself-not-reply"}),
    open(reading::bytes_used, {.released = "width-or-length"}),
    open(reading::connection_bytes, {.released = "unspecified"}),
    open(reading::publish_self, {.released = "yes"}),
    open(reading::publish_nobody, {.released = "refused"}),
    open(reading::subscribe_twice, {.released = "accepted"}),
    open(reading::unsubscribe_absent, {.released = "refused"}),
    open(reading::opcode_unknown, {}),
};

inline constexpr Clause only_here[] = {
    {"connections.entry", Level::must, "CONNECTIONS",
     "237 bytes a connection, with its type and kind"},
    {"channels.own", Level::must, "CHANNELS",
     "each connection is a subscriber of * and of its own id in hexadecimal"},
    {"publish.status", Level::must, "PUBLISH", "the reply is one byte, 01 success or 00 failure"},
    {"event.layout", Level::must, "EVENT",
     "19, channel size 1, payload size N, channel, payload, to each subscriber"},
    {"reply.status-first", Level::must, "Replies", "every reply starts with a status"},
};

inline constexpr auto clauses = joined(
    throttr::clauses::definitions, throttr::clauses::counters, throttr::clauses::buffers,
    throttr::clauses::listing, throttr::clauses::entries_with_bytes_used, throttr::clauses::metrics,
    throttr::clauses::channels, throttr::clauses::connections, throttr::clauses::stream,
    throttr::clauses::company<throttr::clauses::request_types>, throttr::clauses::keys_chosen,
    throttr::clauses::connections_chosen, only_here,
    throttr::clauses::clients<throttr::clauses::request_types, throttr::clauses::request_types>,
    throttr::clauses::client_listings, throttr::clauses::client_channels);

inline constexpr Field channels_entry[] = {
    size_of("channel", "channel_size", 1),
    integer("read_bytes", 8, "bytes"),
    integer("write_bytes", 8, "bytes"),
    integer("subscribed_connections", 8),
};
inline constexpr Field channels_fragment[] = {
    integer("fragment", 8),
    count_of("channels", "number_of_channels", 8),
    group("channels", channels_entry, channel_name),
};
inline constexpr Field channels_body[] = {count_of("fragments", "number_of_fragments", 8),
                                          group("fragments", channels_fragment)};

inline constexpr Field connection_request[] = {opcode(), opaque("id", 16)};

inline constexpr Choice connection_types[] = {{0x00, "client"}, {0x01, "agent"}};
inline constexpr Choice connection_kinds[] = {{0x00, "TCP"}, {0x01, "Unix"}};
inline constexpr Field connection_nature[] = {choice("type", connection_types),
                                              choice("kind", connection_kinds)};
inline constexpr auto connection_entry =
    joined(connection_identity, connection_nature, connection_address, connection_counters);
inline constexpr Field connections_fragment[] = {
    integer("fragment", 8),
    count_of("connections", "number_of_connections", 8),
    group("connections", connection_entry),
};
inline constexpr Field connections_body[] = {count_of("fragments", "number_of_fragments", 8),
                                             group("fragments", connections_fragment)};

inline constexpr Operation operations[] = {
    {"INSERT", 0x01, {insert_request}, status_reply, "INSERT"},
    {"QUERY", 0x02, {by_key}, {only_status, query_found}, "QUERY"},
    {"UPDATE", 0x03, {update_request}, status_reply, "UPDATE"},
    {"PURGE", 0x04, {by_key}, status_reply, "PURGE"},
    {"SET", 0x05, {set_request}, status_reply, "SET"},
    {"GET", 0x06, {by_key}, {only_status, get_found}, "GET"},
    {"LIST", 0x07, {only_opcode}, {only_status, list_body}, "LIST"},
    {"INFO", 0x08, {only_opcode}, {only_status, info_body}, "INFO"},
    {"STAT", 0x09, {by_key}, {only_status, stat_found}, "STAT"},
    {"STATS", 0x10, {only_opcode}, {only_status, stats_body}, "STATS"},
    {"SUBSCRIBE", 0x11, {by_channel}, status_reply, "SUBSCRIBE"},
    {"UNSUBSCRIBE", 0x12, {by_channel}, status_reply, "UNSUBSCRIBE"},
    {"PUBLISH", 0x13, {publish_request}, status_reply, "PUBLISH"},
    {"CONNECTIONS", 0x14, {only_opcode}, {only_status, connections_body}, "CONNECTIONS"},
    {"CONNECTION", 0x15, {connection_request}, {only_status, connection_entry}, "CONNECTION"},
    {"CHANNELS", 0x16, {only_opcode}, {only_status, channels_body}, "CHANNELS"},
    {"CHANNEL", 0x17, {by_channel}, {only_status, channel_found}, "CHANNEL"},
    {"WHOAMI", 0x18, {only_opcode}, {only_status, connection_identity}, "WHOAMI"},
};

inline constexpr Field event[] = {
    opcode(),
    size_of("channel", "channel_size", 1),
    size_of("payload", "payload_size", value_width),
    bytes("channel"),
    bytes("payload"),
};

inline constexpr Push pushes[] = {{"EVENT", 0x19, {event}, "EVENT"}};

}  // namespace throttr_7_3_table

namespace tables {

inline constexpr Dialect throttr_7_3{
    .name = "throttr-7.3",
    .document = "Throttr protocol 7.3, as its servers speak it",
    .servers = "5.0.5 to 5.0.11",
    .transport = Transport::stream,
    .widths = throttr::widths,
    .operations = throttr_7_3_table::operations,
    .pushes = throttr_7_3_table::pushes,
    .readings = throttr_7_3_table::readings,
    .clauses = throttr_7_3_table::clauses,
};

}  // namespace tables
}  // namespace hallmark::protocol
