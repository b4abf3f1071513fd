#pragma once

#include "protocol/declare.hpp"
#include "protocol/throttr_terms.hpp"

/// Messages that several versions of Throttr share; 2.0 has none of them. What differs from version
/// to version stands in the dialects' own files.
namespace hallmark::protocol::throttr {

using namespace declare;
using declare::text;  // a namespace of `protocol` has that name, too

inline constexpr Width widths[] = {Width::u8, Width::u16, Width::u32, Width::u64};

inline constexpr Choice ttl_types[] = {
    {code(TtlUnit::nanoseconds), name_of(TtlUnit::nanoseconds)},
    {code(TtlUnit::microseconds), name_of(TtlUnit::microseconds)},
    {code(TtlUnit::milliseconds), name_of(TtlUnit::milliseconds)},
    {code(TtlUnit::seconds), name_of(TtlUnit::seconds)},
    {code(TtlUnit::minutes), name_of(TtlUnit::minutes)},
    {code(TtlUnit::hours), name_of(TtlUnit::hours)}};
inline constexpr Choice attributes[] = {{code(Attribute::quota), "quota"},
                                        {code(Attribute::ttl), "ttl"}};
inline constexpr Choice changes[] = {{code(Change::patch), "patch"},
                                     {code(Change::increase), "increase"},
                                     {code(Change::decrease), "decrease"}};
inline constexpr Choice key_types[] = {{code(RecordKind::counter), "counter"},
                                       {code(RecordKind::buffer), "buffer"}};
inline constexpr Choice ip_versions[] = {{0x04, "IPv4"}, {0x06, "IPv6"}};

inline constexpr std::string_view ns_since_epoch = "ns since the Unix epoch";
inline constexpr std::string_view s_since_epoch = "s since the Unix epoch";
inline constexpr std::string_view in_ttl_type = "units of ttl_type";

// Requests and replies that several operations share.

inline constexpr Field only_opcode[] = {opcode()};
inline constexpr Field only_status[] = {status()};
inline constexpr Field by_key[] = {opcode(), size_of("key", "key_size", 1), bytes("key")};
inline constexpr Field by_channel[] = {opcode(), size_of("channel", "channel_size", 1),
                                       bytes("channel")};

// Counters and buffers.

inline constexpr Field insert_request[] = {
    opcode(),
    integer("quota", value_width),
    choice("ttl_type", ttl_types),
    integer("ttl", value_width, in_ttl_type),
    size_of("key", "key_size", 1),
    bytes("key"),
};

inline constexpr Field query_found[] = {
    integer("quota", value_width),
    choice("ttl_type", ttl_types),
    integer("ttl", value_width, in_ttl_type),
};

inline constexpr Field update_request[] = {
    opcode(),
    choice("attribute", attributes),
    choice("change", changes),
    integer("value", value_width),
    size_of("key", "key_size", 1),
    bytes("key"),
};

inline constexpr Field set_request[] = {
    opcode(),
    choice("ttl_type", ttl_types),
    integer("ttl", value_width, in_ttl_type),
    size_of("key", "key_size", 1),
    size_of("value", "value_size", value_width),
    bytes("key"),
    bytes("value"),
};

inline constexpr Field get_found[] = {
    choice("ttl_type", ttl_types),
    integer("ttl", value_width, in_ttl_type),
    size_of("value", "value_size", value_width),
    bytes("value"),
};

// Listings: fragments, each with its entries and then the names of the entries.

inline constexpr Field key_name[] = {bytes("key")};

inline constexpr Field list_entry_head[] = {
    size_of("key", "key_size", 1),
    choice("key_type", key_types),
    choice("ttl_type", ttl_types),
    integer("time_point", 8, ns_since_epoch),
};
inline constexpr Field bytes_used[] = {integer("bytes_used", value_width, "bytes")};
inline constexpr auto list_entry = joined(list_entry_head, bytes_used);
inline constexpr Field list_fragment[] = {
    integer("fragment", 8),
    count_of("keys", "number_of_keys", 8),
    group("keys", list_entry, key_name),
};
inline constexpr Field list_body[] = {count_of("fragments", "number_of_fragments", 8),
                                      group("fragments", list_fragment)};

inline constexpr Field stat_found[] = {
    integer("reads_per_minute", 8),
    integer("writes_per_minute", 8),
    integer("total_reads", 8),
    integer("total_writes", 8),
};

inline constexpr Field stats_entry[] = {
    size_of("key", "key_size", 1), integer("reads_per_minute", 8), integer("writes_per_minute", 8),
    integer("total_reads", 8),     integer("total_writes", 8),
};
inline constexpr Field stats_fragment[] = {
    integer("fragment", 8),
    count_of("keys", "number_of_keys", 8),
    group("keys", stats_entry, key_name),
};
inline constexpr Field stats_body[] = {count_of("fragments", "number_of_fragments", 8),
                                       group("fragments", stats_fragment)};

inline constexpr Field info_body[] = {
    integer("timestamp", 8, s_since_epoch),
    integer("total_requests", 8),
    integer("requests_per_minute", 8),
    integer("total_insert", 8),
    integer("insert_per_minute", 8),
    integer("total_query", 8),
    integer("query_per_minute", 8),
    integer("total_update", 8),
    integer("update_per_minute", 8),
    integer("total_purge", 8),
    integer("purge_per_minute", 8),
    integer("total_get", 8),
    integer("get_per_minute", 8),
    integer("total_set", 8),
    integer("set_per_minute", 8),
    integer("total_list", 8),
    integer("list_per_minute", 8),
    integer("total_info", 8),
    integer("info_per_minute", 8),
    integer("total_stats", 8),
    integer("stats_per_minute", 8),
    integer("total_stat", 8),
    integer("stat_per_minute", 8),
    integer("total_subscribe", 8),
    integer("subscribe_per_minute", 8),
    integer("total_unsubscribe", 8),
    integer("unsubscribe_per_minute", 8),
    integer("total_publish", 8),
    integer("publish_per_minute", 8),
    integer("total_channel", 8),
    integer("channel_per_minute", 8),
    // The document names two pairs of fields alike: first come the requests by type …
    integer("total_channels_requests", 8),
    integer("channels_per_minute", 8),
    integer("total_whoami", 8),
    integer("whoami_per_minute", 8),
    integer("total_connection", 8),
    integer("connection_per_minute", 8),
    integer("total_connections_requests", 8),
    integer("connections_per_minute", 8),
    integer("total_read_bytes", 8, "bytes"),
    integer("read_bytes_per_minute", 8, "bytes"),
    integer("total_write_bytes", 8, "bytes"),
    integer("write_bytes_per_minute", 8, "bytes"),
    integer("total_keys", 8),
    integer("total_counters", 8),
    integer("total_buffers", 8),
    integer("total_allocated_bytes_on_counters", 8, "bytes"),
    integer("total_allocated_bytes_on_buffers", 8, "bytes"),
    integer("total_subscriptions", 8),
    // … and here the things that exist now.
    integer("total_channels", 8),
    integer("running_since", 8, ns_since_epoch),
    integer("total_connections", 8),
    text("version", 16),
};

// Channels.

inline constexpr Field publish_request[] = {
    opcode(),
    size_of("channel", "channel_size", 1),
    size_of("payload", "payload_size", value_width),
    bytes("channel"),
    bytes("payload"),
};

inline constexpr Field channel_name[] = {bytes("channel")};
inline constexpr Field channel_subscriber[] = {
    opaque("connection_id", 16),
    integer("subscribed_at", 8, ns_since_epoch),
    integer("read_bytes", 8, "bytes"),
    integer("write_bytes", 8, "bytes"),
};
inline constexpr Field channel_found[] = {count_of("subscribers", "number_of_subscribers", 8),
                                          group("subscribers", channel_subscriber)};

// Connections.

// Connections.

inline constexpr Field connection_identity[] = {opaque("id", 16)};

inline constexpr Field connection_address[] = {
    choice("ip_version", ip_versions),
    text("ip", 16, {"ip-field", "text"}),
    opaque("ip", 16, {"ip-field", "raw"}),
    integer("port", 2),
};

inline constexpr Field connection_counters[] = {
    integer("connected_at", 8, ns_since_epoch),
    integer("read_bytes", 8, "bytes"),
    integer("write_bytes", 8, "bytes"),
    integer("published_bytes", 8, "bytes"),
    integer("received_bytes", 8, "bytes"),
    integer("allocated_bytes", 8, "bytes"),
    integer("consumed_bytes", 8, "bytes"),
    integer("insert_requests", 8),
    integer("set_requests", 8),
    integer("query_requests", 8),
    integer("get_requests", 8),
    integer("update_requests", 8),
    integer("purge_requests", 8),
    integer("list_requests", 8),
    integer("info_requests", 8),
    integer("stat_requests", 8),
    integer("stats_requests", 8),
    integer("publish_requests", 8),
    integer("subscribe_requests", 8),
    integer("unsubscribe_requests", 8),
    integer("connections_requests", 8),
    integer("connection_requests", 8),
    integer("channels_requests", 8),
    integer("channel_requests", 8),
    integer("whoami_requests", 8),
};

inline constexpr Message status_reply{only_status};

}  // namespace hallmark::protocol::throttr
