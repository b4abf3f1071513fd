#pragma once

#include "protocol/dialects/throttr_clauses.hpp"
#include "protocol/dialects/throttr_fields.hpp"
#include "protocol/dialects/throttr_readings.hpp"

/// Throttr protocol, version 7.1.0: 6.0 and metrics, channels and connections.
namespace hallmark::protocol {
namespace throttr_7_1_table {

using namespace throttr;

inline constexpr Reading readings[] = {
    open(reading::status_prefix, {.favoured = "no", .released = "yes"}),
    open(reading::set_value_size, {.favoured = "one-byte", .released = "value-width"}),
    open(reading::info_size, {.favoured = "432", .released = "432"}),
    open(reading::info_names, {.released = "requests-then-existing"}),
    open(reading::channel_layout, {.favoured = "table", .released = "table"}),
    open(reading::channels_subscribers, {.favoured = "four-bytes", .released = "eight-bytes"}),
    open(reading::connection_id, {.favoured = "index", .released = "id"}),
    open(reading::connection_index, {}),
    open(reading::whoami, {.favoured = "id", .released = "id"}),
    open(reading::delivery, {.released = "code-size-payload"}),
    open(reading::publish_reply, {.favoured = "status", .released = "none"}),
    open(reading::stats_note, {.favoured = "33", .released = "33"}),
    open(reading::ip_field, {.released = "text"}),
    open(reading::ip_version, {.released = "4-and-6"}),
    open(reading::fragments, {.released = "from-1"}),
    open(reading::names_of_bytes, {.favoured = "bytes"}),
    open(reading::insert_existing, {.released = "refused"}),
    open(reading::set_existing, {.released = "replaced"}),
    open(reading::update_missing, {.released = "refused"}),
    open(reading::purge_missing, {.released = "refused"}),
    open(reading::decrease_below_zero, {.favoured = "refused", .released = "refused"}),
    open(reading::increase_overflow, {.released = "wrapped"}),
    open(reading::ttl_left, {.released = "left-rounded-down"}),
    open(reading::ttl_update, {.released = "unit-of-record-from-now"}),
    open(reading::ttl_past_now, {.released = "expired"}),
    open(reading::ttl_beyond, {.released = "saturated"}),
    open(reading::ttl_zero, {.released = "expired"}),
    open(reading::ttl_type_unknown, {.released = "accepted"}),
    open(reading::attribute_unknown, {.released = "refused"}),
    open(reading::change_unknown, {.released = "accepted"}),
    open(reading::expired_when, {.favoured = "time-point"}),
    open(reading::kind_mismatch, {.favoured = "refused"}),
    open(reading::maximum_values, {.released = "valid"}),
    open(reading::empty_names, {.released = "valid"}),
    open(reading::key_types, {.released = "counter-0-buffer-1"}),
    open(reading::time_units, {.released = "timestamp-s-others-ns"}),
    open(reading::metrics, {.released = "itself-not-reply"}),
    open(reading::bytes_used, {.released = "width-or-length"}),
    open(reading::connection_bytes, {.released = "unspecified"}),
    open(reading::publish_self, {.released = "no"}),
    open(reading::publish_nobody, {.released = "refused"}),
    open(reading::subscribe_twice, {.released = "accepted"}),
    open(reading::unsubscribe_absent, {.released = "refused"}),
    open(reading::opcode_unknown, {}),
};

inline constexpr Clause only_here[] = {
    {"connections.entry", Level::must, "CONNECTIONS", "235 bytes a connection"},
    {"silence.connection-id", Level::should, "CONNECTION",
     "CONNECTION keeps to one kind of name for a connection"},
    {"silence.connection-index", Level::should, "CONNECTION",
     "an index names the same connection as its place in CONNECTIONS"},
    {"silence.channels-subscribers", Level::should, "CHANNELS",
     "CHANNELS keeps to one width of the subscriber count"},
    {"silence.publish-reply", Level::should, "PUBLISH",
     "PUBLISH keeps to one answer about its reply"},
};

inline constexpr auto clauses = joined(
    throttr::clauses::definitions, throttr::clauses::counters, throttr::clauses::buffers,
    throttr::clauses::listing, throttr::clauses::entries_with_bytes_used, throttr::clauses::metrics,
    throttr::clauses::channels, throttr::clauses::connections, throttr::clauses::stream,
    throttr::clauses::company<throttr::clauses::request_types>, throttr::clauses::keys_chosen,
    throttr::clauses::layouts_chosen, throttr::clauses::connections_chosen, only_here,
    throttr::clauses::clients<throttr::clauses::request_types, throttr::clauses::request_types>,
    throttr::clauses::client_listings, throttr::clauses::client_channels);

/// The document says one byte, released servers read N.
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

/// Replies that list, and a few others, start with a status only under this reading.
inline constexpr Field prefixed_status[] = {status({"status-prefix", "yes"})};

inline constexpr Field channels_entry[] = {
    size_of("channel", "channel_size", 1),
    integer("read_bytes", 8, "bytes"),
    integer("write_bytes", 8, "bytes"),
    integer("subscribed_connections", 4, {}, {"channels-subscribers", "four-bytes"}),
    integer("subscribed_connections", 8, {}, {"channels-subscribers", "eight-bytes"}),
};
inline constexpr Field channels_fragment[] = {
    integer("fragment", 8),
    count_of("channels", "number_of_channels", 8),
    group("channels", channels_entry, channel_name),
};
inline constexpr Field channels_body[] = {count_of("fragments", "number_of_fragments", 8),
                                          group("fragments", channels_fragment)};

inline constexpr Field connection_request[] = {
    opcode(),
    integer("index", 4, {}, {"connection-id", "index"}),
    opaque("id", 16, {"connection-id", "id"}),
};

inline constexpr auto connection_entry =
    joined(connection_identity, connection_address, connection_counters);
inline constexpr Field connections_fragment[] = {
    integer("fragment", 8),
    count_of("connections", "number_of_connections", 8),
    group("connections", connection_entry),
};
inline constexpr Field connections_body[] = {count_of("fragments", "number_of_fragments", 8),
                                             group("fragments", connections_fragment)};

inline constexpr Field whoami_body[] = {
    integer("index", 4, {}, {"whoami", "index"}),
    opaque("id", 16, {"whoami", "id"}),
};

inline constexpr Operation operations[] = {
    {"INSERT", 0x01, {insert_request}, status_reply, "INSERT"},
    {"QUERY", 0x02, {by_key}, {only_status, query_found}, "QUERY"},
    {"UPDATE", 0x03, {update_request}, status_reply, "UPDATE"},
    {"PURGE", 0x04, {by_key}, status_reply, "PURGE"},
    {"SET", 0x05, {throttr_7_1_table::set_request}, status_reply, "SET"},
    {"GET", 0x06, {by_key}, {only_status, get_found}, "GET"},
    {"LIST", 0x07, {only_opcode}, {prefixed_status, list_body}, "LIST"},
    {"INFO", 0x08, {only_opcode}, {prefixed_status, info_body}, "INFO"},
    {"STAT", 0x09, {by_key}, {only_status, stat_found}, "STAT"},
    {"STATS", 0x10, {only_opcode}, {prefixed_status, stats_body}, "STATS"},
    {"SUBSCRIBE", 0x11, {by_channel}, status_reply, "SUBSCRIBE"},
    {"UNSUBSCRIBE", 0x12, {by_channel}, status_reply, "UNSUBSCRIBE"},
    {"PUBLISH", 0x13, {publish_request}, {only_status, {}, {"publish-reply", "status"}}, "PUBLISH"},
    {"CONNECTIONS", 0x14, {only_opcode}, {prefixed_status, connections_body}, "CONNECTIONS"},
    {"CONNECTION", 0x15, {connection_request}, {only_status, connection_entry}, "CONNECTION"},
    {"CHANNELS", 0x16, {only_opcode}, {prefixed_status, channels_body}, "CHANNELS"},
    {"CHANNEL", 0x17, {by_channel}, {only_status, channel_found}, "CHANNEL"},
    {"WHOAMI", 0x18, {only_opcode}, {prefixed_status, whoami_body}, "WHOAMI"},
};

/// What a subscriber receives. The document is silent; this is what released servers send.
inline constexpr Field delivery[] = {
    opcode(),
    size_of("payload", "payload_size", value_width),
    bytes("payload"),
};

inline constexpr Push pushes[] = {{"DELIVERY", 0x03, {delivery}, "PUBLISH"}};

}  // namespace throttr_7_1_table

namespace tables {

inline constexpr Dialect throttr_7_1{
    .name = "throttr-7.1",
    .document = "Throttr protocol 7.1.0",
    .servers = "5.0.3 and adbdb7d",
    .transport = Transport::stream,
    .widths = throttr::widths,
    .operations = throttr_7_1_table::operations,
    .pushes = throttr_7_1_table::pushes,
    .readings = throttr_7_1_table::readings,
    .clauses = throttr_7_1_table::clauses,
};

}  // namespace tables
}  // namespace hallmark::protocol
