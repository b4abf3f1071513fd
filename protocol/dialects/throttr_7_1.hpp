#pragma once

#include "protocol/dialects/throttr_clauses.hpp"
#include "protocol/dialects/throttr_fields.hpp"
#include "protocol/dialects/throttr_readings.hpp"

/// Throttr protocol, version 7.1.0: 6.0 and metrics, channels and connections.
namespace hallmark::protocol {
namespace throttr_7_1_table {

using namespace throttr;

inline constexpr Reading readings[] = {
    open(reading::status_prefix,
         {.favoured = "no", .released = "yes", .words = words::starts_with_fragments}),
    open(reading::set_value_size,
         {.favoured = "one-byte", .released = "value-width", .words = words::set_value}),
    open(reading::info_size,
         {.favoured = "432",
          .released = "432",
          .words = "This server resolve this request, initially, by sending 236 bytes response. … "
                   "TIMESTAMP | 8 bytes … VERSION | 16 bytes"}),
    open(reading::info_names, {.released = "requests-then-existing",
                               .words = "TOTAL CHANNELS | 8 bytes … TOTAL CONNECTIONS | 8 bytes"}),
    open(reading::channel_layout,
         {.favoured = "table",
          .released = "table",
          .words = "If the byte is 0x01 then will also include 4 bytes more: … NUMBER OF "
                   "SUBSCRIBERS (Q) | 8 bytes … Per Q we need to read 28 bytes:"}),
    open(reading::channels_subscribers, {.favoured = "four-bytes",
                                         .released = "eight-bytes",
                                         .words = "SUBSCRIBED CONNECTIONS | 4 bytes"}),
    open(reading::connection_id, {.favoured = "index",
                                  .released = "id",
                                  .words = "Connection index The index contained in 4 bytes."}),
    open(reading::connection_index, {.words = "The index contained in 4 bytes. … If index exists "
                                              "then will also include fixed 235 bytes:"}),
    open(reading::whoami,
         {.favoured = "id",
          .released = "id",
          .words = "This request can provide the index of the current connection."}),
    open(reading::delivery, {.released = "code-size-payload",
                             .words = "This request can send a buffer to a subscribed channel."}),
    open(reading::publish_reply,
         {.favoured = "status",
          .released = "none",
          .words = "This server resolve this request by sending 1 byte response. The client will "
                   "receive 0x01 on success or 0x00 on failure."}),
    open(reading::stats_note,
         {.favoured = "33",
          .released = "33",
          .words =
              "Per Q we are going to receive fixed 33 bytes: … N represent value_type length."}),
    open(reading::ip_field, {.released = "text", .words = "IP | 16 bytes"}),
    open(reading::ip_version, {.released = "4-and-6", .words = "IP VERSION | 1 byte"}),
    open(reading::fragments, {.released = "from-1", .words = words::fragments}),
    open(reading::names_of_bytes, {.favoured = "bytes", .words = words::names}),
    open(reading::insert_existing, {.released = "refused", .words = words::insert}),
    open(reading::set_existing, {.released = "replaced", .words = words::set}),
    open(reading::update_missing, {.released = "refused", .words = words::update}),
    open(reading::purge_missing, {.released = "refused", .words = words::purge}),
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
    open(reading::kind_mismatch, {.favoured = "refused", .words = words::kinds}),
    open(reading::maximum_values, {.released = "valid", .words = words::maximum}),
    open(reading::empty_names, {.released = "valid", .words = words::empty}),
    open(reading::key_types, {.released = "counter-0-buffer-1", .words = words::key_types}),
    open(reading::time_units,
         {.released = "timestamp-s-others-ns",
          .words = "TIME POINT | 8 bytes … TIMESTAMP | 8 bytes … RUNNING SINCE | 8 bytes … "
                   "CONNECTED AT | 8 bytes … SUBSCRIBED_AT | 8 bytes"}),
    open(
        reading::metrics,
        {.released = "itself-not-reply",
         .words = "TOTAL INFO | 8 bytes | INFO PER MINUTE | 8 bytes … READS PER MINUTE | 8 bytes"}),
    open(reading::bytes_used, {.released = "width-or-length",
                               .words = "BYTES USED | N bytes … N represent value_type length."}),
    open(reading::connection_bytes,
         {.released = "unspecified",
          .words = "ALLOCATED BYTES | 8 bytes | CONSUMED BYTES | 8 bytes"}),
    open(reading::publish_self,
         {.released = "no", .words = "This request can send a buffer to a subscribed channel."}),
    open(reading::publish_nobody,
         {.released = "refused",
          .words = "This request can send a buffer to a subscribed channel. … The client will "
                   "receive 0x01 on success or 0x00 on failure."}),
    open(reading::subscribe_twice,
         {.released = "accepted",
          .words = "This request can start a subscription to a channel. … The client will receive "
                   "0x01 on success or 0x00 on failure."}),
    open(reading::unsubscribe_absent,
         {.released = "refused",
          .words = "This request can finish a subscription to a channel. … The client will receive "
                   "0x01 on success or 0x00 on failure."}),
    open(reading::opcode_unknown,
         {.words = "Version v7.1.0 supports the following request types:"}),
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

/// The message that a subscriber receives. The document is silent; released servers send this.
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
