#pragma once
// The longer replies, by the names of their fields in the dialect's table.

#include "base/bytes.hpp"
#include "protocol/codec/named_values.hpp"
#include "reference/model/model.hpp"

namespace hallmark::server {

using namespace protocol::literals;

inline constexpr std::uint64_t success = protocol::kinds::Status::success;
inline constexpr std::uint64_t failure = protocol::kinds::Status::failure;

/// One entry of LIST.
inline auto list_values(const model::EntryView& entry) {
  return protocol::values("key"_f = base::as_bytes(entry.key),
                          "key_type"_f = static_cast<std::uint64_t>(entry.kind),
                          "ttl_type"_f = static_cast<std::uint64_t>(entry.unit),
                          "time_point"_f = entry.time_point, "bytes_used"_f = entry.bytes_used);
}

/// STAT, and one entry of STATS.
inline auto stat_values(std::string_view key, const model::KeyMetrics& metrics) {
  return protocol::values("status"_f = success, "key"_f = base::as_bytes(key),
                          "reads_per_minute"_f = metrics.reads_per_minute,
                          "writes_per_minute"_f = metrics.writes_per_minute,
                          "total_reads"_f = metrics.reads, "total_writes"_f = metrics.writes);
}

/// One entry of CHANNELS.
inline auto channel_values(const model::Channel& channel) {
  return protocol::values("channel"_f = base::as_bytes(channel.name),
                          "read_bytes"_f = channel.read_bytes,
                          "write_bytes"_f = channel.write_bytes,
                          "subscribed_connections"_f = std::uint64_t{channel.subscribers.size()});
}

/// One subscriber of CHANNEL.
inline auto subscriber_values(const model::Subscription& subscription) {
  return protocol::values("connection_id"_f = base::ByteView(subscription.connection->id),
                          "subscribed_at"_f = subscription.subscribed_at,
                          "read_bytes"_f = subscription.read_bytes,
                          "write_bytes"_f = subscription.write_bytes);
}

/// CONNECTION, and one entry of CONNECTIONS; every connection is that of a client.
inline auto connection_values(const model::Connection& shown, bool raw_ip) {
  using enum model::Operation;
  const auto requests = [&shown](model::Operation operation) {
    return shown.requests[model::index_of(operation)];
  };
  return protocol::values(
      "status"_f = success, "id"_f = base::ByteView(shown.id),
      "ip_version"_f = std::uint64_t{shown.peer.ip_version}, "type"_f = std::uint64_t{0},
      "kind"_f = std::uint64_t{shown.peer.local},
      "ip"_f = raw_ip ? base::ByteView(shown.peer.address)
                      : base::as_bytes({shown.peer.ip.data(), shown.peer.ip.size()}),
      "port"_f = std::uint64_t{shown.peer.port}, "connected_at"_f = shown.connected_at,
      "read_bytes"_f = shown.read_bytes, "write_bytes"_f = shown.write_bytes,
      "published_bytes"_f = shown.published_bytes, "received_bytes"_f = shown.received_bytes,
      "allocated_bytes"_f = shown.allocated_bytes, "consumed_bytes"_f = shown.consumed_bytes,
      "insert_requests"_f = requests(insert), "set_requests"_f = requests(set),
      "query_requests"_f = requests(query), "get_requests"_f = requests(get),
      "update_requests"_f = requests(update), "purge_requests"_f = requests(purge),
      "list_requests"_f = requests(list), "info_requests"_f = requests(info),
      "stat_requests"_f = requests(stat), "stats_requests"_f = requests(stats),
      "publish_requests"_f = requests(publish), "subscribe_requests"_f = requests(subscribe),
      "unsubscribe_requests"_f = requests(unsubscribe),
      "connections_requests"_f = requests(connections),
      "connection_requests"_f = requests(connection), "channels_requests"_f = requests(channels),
      "channel_requests"_f = requests(channel), "whoami_requests"_f = requests(whoami));
}

/// INFO.
inline auto info_values(const model::Info& shown) {
  using enum model::Operation;
  const auto of = [&shown](model::Operation operation) -> const model::Rate& {
    return shown.requests_of[model::index_of(operation)];
  };
  return protocol::values(
      "status"_f = success, "timestamp"_f = shown.timestamp,
      "total_requests"_f = shown.requests.total,
      "requests_per_minute"_f = shown.requests.per_minute, "total_insert"_f = of(insert).total,
      "insert_per_minute"_f = of(insert).per_minute, "total_query"_f = of(query).total,
      "query_per_minute"_f = of(query).per_minute, "total_update"_f = of(update).total,
      "update_per_minute"_f = of(update).per_minute, "total_purge"_f = of(purge).total,
      "purge_per_minute"_f = of(purge).per_minute, "total_get"_f = of(get).total,
      "get_per_minute"_f = of(get).per_minute, "total_set"_f = of(set).total,
      "set_per_minute"_f = of(set).per_minute, "total_list"_f = of(list).total,
      "list_per_minute"_f = of(list).per_minute, "total_info"_f = of(info).total,
      "info_per_minute"_f = of(info).per_minute, "total_stats"_f = of(stats).total,
      "stats_per_minute"_f = of(stats).per_minute, "total_stat"_f = of(stat).total,
      "stat_per_minute"_f = of(stat).per_minute, "total_subscribe"_f = of(subscribe).total,
      "subscribe_per_minute"_f = of(subscribe).per_minute,
      "total_unsubscribe"_f = of(unsubscribe).total,
      "unsubscribe_per_minute"_f = of(unsubscribe).per_minute,
      "total_publish"_f = of(publish).total, "publish_per_minute"_f = of(publish).per_minute,
      "total_channel"_f = of(channel).total, "channel_per_minute"_f = of(channel).per_minute,
      "total_channels_requests"_f = of(channels).total,
      "channels_per_minute"_f = of(channels).per_minute, "total_whoami"_f = of(whoami).total,
      "whoami_per_minute"_f = of(whoami).per_minute, "total_connection"_f = of(connection).total,
      "connection_per_minute"_f = of(connection).per_minute,
      "total_connections_requests"_f = of(connections).total,
      "connections_per_minute"_f = of(connections).per_minute,
      "total_read_bytes"_f = shown.read_bytes.total,
      "read_bytes_per_minute"_f = shown.read_bytes.per_minute,
      "total_write_bytes"_f = shown.written_bytes.total,
      "write_bytes_per_minute"_f = shown.written_bytes.per_minute,
      "total_keys"_f = shown.store.counters + shown.store.buffers,
      "total_counters"_f = shown.store.counters, "total_buffers"_f = shown.store.buffers,
      "total_allocated_bytes_on_counters"_f = shown.store.counter_bytes,
      "total_allocated_bytes_on_buffers"_f = shown.store.buffer_bytes,
      "total_subscriptions"_f = shown.subscriptions, "total_channels"_f = shown.channels,
      "running_since"_f = shown.running_since, "total_connections"_f = shown.connections,
      "version"_f = base::as_bytes(shown.version));
}

}  // namespace hallmark::server
