#pragma once

#include "protocol/name.hpp"

/// The vocabulary of all dialects, each name once: what a dialect table may call its fields,
/// messages, readings and answers, and what other sources may call them. A name that is not listed
/// does not compile; the compiler's message shows the name and the list. Each list is handed over
/// as a literal, in the order of the alphabet: compilers print literals, not what variables hold.
namespace hallmark::protocol {

/// Fields of messages, of the records of their groups, and what separates them; a literal is named
/// by its own bytes and is not listed.
struct FieldNames {
  template <class Read>
  static constexpr auto pass_to(Read read) {
    return read(
        "the fields are: allocated_bytes, attribute, bar before capacity, bar before count, "
        "bar before duration, bar before emission_interval, bar before last_leak, "
        "bar before last_refill, bar before leak_rate, bar before limit, bar before name, "
        "bar before refill_rate, bar before start, bytes_used, capacity, change, channel, "
        "channel_per_minute, channel_requests, channel_size, channels, channels_per_minute, "
        "channels_requests, connected_at, connection_id, connection_per_minute, "
        "connection_requests, connections, connections_per_minute, connections_requests, "
        "consumed_bytes, consumer_id, consumer_id_size, count, duration, emission_interval, "
        "fragment, fragments, get_per_minute, get_requests, id, index, info_per_minute, "
        "info_requests, insert_per_minute, insert_requests, ip, ip_version, key, key_size, "
        "key_type, keys, kind, last bar, last_leak, last_max_rate, last_refill, leak_rate, "
        "level, limit, list_per_minute, list_requests, n_over, n_req, name, number_of_channels, "
        "number_of_connections, number_of_fragments, number_of_keys, number_of_subscribers, "
        "opcode, over, payload, payload_size, period, port, primary, publish_per_minute, "
        "publish_requests, published_bytes, purge_per_minute, purge_requests, query_per_minute, "
        "query_requests, quota, quota_count, quotas, rate, read_bytes, read_bytes_per_minute, "
        "reads_per_minute, received_bytes, refill_rate, request_id, requests, "
        "requests_per_minute, resource_id, resource_id_size, running_since, secondary, "
        "set_per_minute, set_requests, size, space before limit, space before period, "
        "space before rate, start, stat_per_minute, stat_requests, stats_per_minute, "
        "stats_requests, status, subscribe_per_minute, subscribe_requests, subscribed_at, "
        "subscribed_connections, subscribers, tat, time_point, timestamp, tokens, "
        "total_allocated_bytes_on_buffers, total_allocated_bytes_on_counters, total_buffers, "
        "total_channel, total_channels, total_channels_requests, total_connection, "
        "total_connections, total_connections_requests, total_counters, total_get, total_info, "
        "total_insert, total_keys, total_list, total_publish, total_purge, total_query, "
        "total_read_bytes, total_reads, total_requests, total_set, total_stat, total_stats, "
        "total_subscribe, total_subscriptions, total_unsubscribe, total_update, total_whoami, "
        "total_write_bytes, total_writes, ttl, ttl_type, type, unsubscribe_per_minute, "
        "unsubscribe_requests, update_per_minute, update_requests, value, value_size, version, "
        "whoami_per_minute, whoami_requests, write_bytes, write_bytes_per_minute, "
        "writes_per_minute");
  }
  static constexpr bool lists(const char* all, const char* name) {
    return name_detail::place_of(all, name) != 0;
  }
};

/// Operations, pushes, and formats of states.
struct MessageNames {
  template <class Read>
  static constexpr auto pass_to(Read read) {
    return read(
        "the messages are: CHANNEL, CHANNELS, CONNECTION, CONNECTIONS, DELIVERY, EVENT, GET, "
        "INFO, INSERT, LIST, PUBLISH, PURGE, QUERY, SET, STAT, STATS, SUBSCRIBE, UNSUBSCRIBE, "
        "UPDATE, WHOAMI, composite/51, composite/cmp1, fixed-window/23, fixed-window/v1, "
        "fixed-window/v2, fixed-window/v3, gcra/42, gcra/v1, gcra/v2, get_size, get_stats, "
        "leaky-bucket/32, leaky-bucket/v1, leaky-bucket/v2, over_limit, ping, token-bucket/12, "
        "token-bucket/v1, token-bucket/v2");
  }
  static constexpr bool lists(const char* all, const char* name) {
    return name_detail::place_of(all, name) != 0;
  }
};

/// Questions that a document leaves open, with their answers.
struct ReadingNames {
  template <class Read>
  static constexpr auto pass_to(Read read) {
    return read(
        "the readings and their answers are: "
        "attribute-unknown=refused|closed|accepted, "
        "byte-order=little, "
        "bytes-used=width-or-length, "
        "change-unknown=refused|closed|accepted, "
        "channel-layout=table|prose, "
        "channels-subscribers=four-bytes|eight-bytes, "
        "connection-bytes=unspecified, "
        "connection-id=index|id, "
        "connection-index=from-0|from-1, "
        "decrease-below-zero=refused|clamped|wrapped, "
        "default-key=never-over|limited|silence, "
        "delivery=code-size-payload, "
        "duplicate-ids=independent, "
        "empty-key=key|silence, "
        "empty-names=valid|refused, "
        "expired-when=time-point|scheduler, "
        "expiry-2.0=gone|restored, "
        "float-text=shortest|point, "
        "fragments=from-1|from-0, "
        "header-history=hex|v3, "
        "increase-overflow=refused|saturated|wrapped, "
        "info-names=requests-then-existing, "
        "info-size=432|236, "
        "insert-existing=refused|replaced, "
        "ip-field=text|raw, "
        "ip-version=4-and-6, "
        "key-newline=silence|part, "
        "key-types=counter-0-buffer-1, "
        "kind-mismatch=refused|replaced, "
        "legacy-strategy=fields, "
        "legacy-tail=bar|none, "
        "list-bytes-used=no|yes, "
        "long-request=silence|cut|read, "
        "maximum-values=valid|invalid, "
        "metrics=itself-not-reply, "
        "names-of-bytes=bytes, "
        "nested-split=first|last|balanced, "
        "numbers=plain|lenient, "
        "opcode-unknown=closed|ignored|refused, "
        "over-when=at-limit|above, "
        "pair-identity=pair|concatenation, "
        "publish-nobody=refused|accepted, "
        "publish-reply=status|none, "
        "publish-self=no|yes, "
        "purge-missing=refused|accepted, "
        "quota-count=1-to-8|any, "
        "quota-name=no-bar|neither, "
        "reply-always=always, "
        "reply-length=5, "
        "reply-order=request-order|any-order, "
        "request-types=four, "
        "set-existing=refused|replaced, "
        "set-value-size=value-width|one-byte, "
        "size-field=word, "
        "stats-field=n_over|over, "
        "stats-note=33, "
        "status-prefix=yes|no, "
        "subscribe-twice=refused|accepted, "
        "time-units=timestamp-s-others-ns, "
        "ttl-beyond=refused|saturated, "
        "ttl-left=left-rounded-down|left-rounded-up|as-set, "
        "ttl-past-now=expired|refused, "
        "ttl-type-unknown=refused|closed|accepted, "
        "ttl-update=unit-of-record-from-now|unit-of-record-from-creation, "
        "ttl-zero=expired|refused|forever, "
        "udp-id=digits|number, "
        "udp-key=line|word, "
        "udp-silence=silence, "
        "unsubscribe-absent=refused|accepted, "
        "update-missing=refused, "
        "update-order=field-tables, "
        "whoami=index|id");
  }
  static constexpr bool lists(const char* all, const char* reading) {
    return name_detail::place_of(all, reading) != 0;
  }
};

/// Answers to any of them.
struct AnswerNames : ReadingNames {
  static constexpr bool lists(const char* all, const char* answer) {
    return name_detail::has_answer(all, 0, __builtin_strlen(all), answer);
  }
};

using FieldName = Name<FieldNames>;
using MessageName = Name<MessageNames>;
using ReadingName = Name<ReadingNames>;
using AnswerName = Name<AnswerNames>;

}  // namespace hallmark::protocol
