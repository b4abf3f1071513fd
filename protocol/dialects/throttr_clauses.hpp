#pragma once

#include "protocol/dialect.hpp"
#include "protocol/dialects/throttr_client_clauses.hpp"
#include "protocol/dialects/throttr_company_clauses.hpp"

/// The clauses of the Throttr documents: what they oblige, allow and forbid, in groups that
/// versions share. A clause is stated in our words; its section names the place. A clause whose id
/// starts with `silence` stands for a reading. Tests of it check the answer that the target chose.
namespace hallmark::protocol::throttr {

namespace clauses {

/// Terms of 6.0 and later.
inline constexpr Clause definitions[] = {
    {"ttl.valid-period", Level::must, "Time to Live (TTL)",
     "a record is valid from now until now plus its TTL"},
    {"ttl.expires", Level::must, "Time to Live (TTL)",
     "a record whose TTL has passed is expired and gone"},
    {"ttl-types.codes", Level::must, "TTL Types", "01 to 06 are ns, us, ms, s, min and h"},
    {"ttl-types.unit", Level::must, "TTL Types", "the TTL of a record is measured in its TTL type"},
    {"record.kinds", Level::must, "Record",
     "a record is a counter or a buffer, identified by one key"},
    {"record.time-point", Level::must, "Record",
     "the time point is set at creation and moved by TTL updates"},
    {"key.binary", Level::must, "Key", "a key is any sequence of bytes"},
    {"key.unique", Level::must, "Key", "different keys are different records"},
    {"width.maximum", Level::must, "Maximum Values",
     "values up to the width's limit can be stored"},
    {"width.value-size", Level::must, "Dynamic Value Size", "dynamic fields are N bytes"},
    {"endianness.little", Level::must, "Endianness", "numbers are little-endian"},
};

/// INSERT, QUERY, UPDATE and PURGE of 6.0 and later.
inline constexpr Clause counters[] = {
    {"insert.code", Level::must, "INSERT", "the first byte is 01"},
    {"insert.layout", Level::must, "INSERT", "quota N, TTL type 1, TTL N, key size 1, key"},
    {"insert.adds-counter", Level::must, "INSERT", "it adds a counter with that quota and TTL"},
    {"insert.status", Level::must, "INSERT", "the reply is one byte, 01 success or 00 failure"},
    {"query.code", Level::must, "QUERY", "the first byte is 02"},
    {"query.layout", Level::must, "QUERY", "key size 1, key"},
    {"query.found", Level::must, "QUERY",
     "on success the status is followed by quota N, TTL type 1, TTL N"},
    {"query.missing", Level::must, "QUERY", "on failure the reply is the byte 00"},
    {"query.counters", Level::must, "QUERY", "it retrieves counters"},
    {"update.code", Level::must, "UPDATE", "the first byte is 03"},
    {"update.layout", Level::must, "UPDATE", "attribute 1, change 1, value N, key size 1, key"},
    {"update.attributes", Level::must, "UPDATE", "attribute 00 is the quota, 01 the TTL"},
    {"update.changes", Level::must, "UPDATE", "change 00 is patch, 01 increase, 02 decrease"},
    {"update.buffers-ttl-only", Level::must, "UPDATE", "of a buffer only the TTL can be modified"},
    {"update.decrease-negative", Level::may, "UPDATE",
     "a decrease to a negative quota can produce 00"},
    {"update.ttl-reschedules", Level::must, "UPDATE",
     "any operation over the TTL moves the expiration"},
    {"update.status", Level::must, "UPDATE", "the reply is one byte, 01 success or 00 failure"},
    {"purge.code", Level::must, "PURGE", "the first byte is 04"},
    {"purge.layout", Level::must, "PURGE", "key size 1, key"},
    {"purge.removes", Level::must, "PURGE", "it removes a counter or a buffer"},
    {"purge.status", Level::must, "PURGE", "the reply is one byte, 01 success or 00 failure"},
};

/// SET and GET.
inline constexpr Clause buffers[] = {
    {"set.code", Level::must, "SET", "the first byte is 05"},
    {"set.layout", Level::must, "SET", "TTL type 1, TTL N, key size 1, value size, key, value"},
    {"set.adds-buffer", Level::must, "SET", "it adds a buffer with that value and TTL"},
    {"set.status", Level::must, "SET", "the reply is one byte, 01 success or 00 failure"},
    {"get.code", Level::must, "GET", "the first byte is 06"},
    {"get.layout", Level::must, "GET", "key size 1, key"},
    {"get.found", Level::must, "GET", "on success: TTL type 1, TTL N, value size N, value"},
    {"get.missing", Level::must, "GET", "on failure the reply is the byte 00"},
    {"get.buffers", Level::must, "GET", "it retrieves buffers"},
};

/// LIST, but for the length of its entries.
inline constexpr Clause listing[] = {
    {"list.code", Level::must, "LIST", "the request is the byte 07"},
    {"list.fragments", Level::must, "LIST",
     "the number of fragments, 8 bytes, and then that many fragments"},
    {"list.fragment-head", Level::must, "LIST",
     "a fragment starts with its number and its number of keys, 8 bytes each"},
    {"list.names-last", Level::must, "LIST",
     "the keys themselves stand at the end of their fragment"},
    {"list.both-kinds", Level::must, "LIST", "it lists counters and buffers"},
};

/// LIST as 7.1 and later describe it.
inline constexpr Clause entries_with_bytes_used[] = {
    {"list.entry", Level::must, "LIST",
     "11 + N bytes a key: key size, key type, TTL type, time point 8, bytes used N"},
};

/// INFO, STAT and STATS.
inline constexpr Clause metrics[] = {
    {"info.code", Level::must, "INFO", "the request is the byte 08"},
    {"info.layout", Level::must, "INFO", "the 53 fields of the table"},
    {"info.requests", Level::must, "INFO", "totals and requests per minute, by type"},
    {"info.traffic", Level::must, "INFO", "bytes read and written"},
    {"info.contents", Level::must, "INFO", "keys, counters, buffers and their bytes"},
    {"info.presence", Level::must, "INFO", "subscriptions, channels and connections that exist"},
    {"stat.code", Level::must, "STAT", "the first byte is 09"},
    {"stat.layout", Level::must, "STAT", "key size 1, key"},
    {"stat.found", Level::must, "STAT",
     "on success 32 bytes: reads and writes per minute, total reads and writes"},
    {"stat.missing", Level::must, "STAT", "otherwise the reply is one byte"},
    {"stats.code", Level::must, "STATS", "the request is the byte 10"},
    {"stats.fragments", Level::must, "STATS",
     "the number of fragments, 8 bytes, and then that many fragments"},
    {"stats.entry", Level::must, "STATS", "33 bytes a key: key size and four numbers of 8 bytes"},
    {"stats.names-last", Level::must, "STATS",
     "the keys themselves stand at the end of their fragment"},
};

/// Channels.
inline constexpr Clause channels[] = {
    {"subscribe.code", Level::must, "SUBSCRIBE", "the first byte is 11"},
    {"subscribe.layout", Level::must, "SUBSCRIBE", "channel size 1, channel"},
    {"subscribe.starts", Level::must, "SUBSCRIBE", "it starts a subscription to the channel"},
    {"subscribe.status", Level::must, "SUBSCRIBE",
     "the reply is one byte, 01 success or 00 failure"},
    {"unsubscribe.code", Level::must, "UNSUBSCRIBE", "the first byte is 12"},
    {"unsubscribe.layout", Level::must, "UNSUBSCRIBE", "channel size 1, channel"},
    {"unsubscribe.finishes", Level::must, "UNSUBSCRIBE",
     "it finishes a subscription to the channel"},
    {"unsubscribe.status", Level::must, "UNSUBSCRIBE",
     "the reply is one byte, 01 success or 00 failure"},
    {"publish.code", Level::must, "PUBLISH", "the first byte is 13"},
    {"publish.layout", Level::must, "PUBLISH", "channel size 1, payload size N, channel, payload"},
    {"publish.delivers", Level::must, "PUBLISH", "it sends the payload to the subscribed channel"},
    {"channels.code", Level::must, "CHANNELS", "the request is the byte 16"},
    {"channels.fragments", Level::must, "CHANNELS",
     "the number of fragments, 8 bytes, and then that many fragments"},
    {"channels.entry", Level::must, "CHANNELS",
     "channel size, read bytes, write bytes, subscribed connections"},
    {"channels.names-last", Level::must, "CHANNELS",
     "the channels themselves stand at the end of their fragment"},
    {"channel.code", Level::must, "CHANNEL", "the first byte is 17"},
    {"channel.found", Level::must, "CHANNEL",
     "the number of subscribers and for each id, subscribed at, read and write bytes"},
    {"channel.missing", Level::must, "CHANNEL", "otherwise the reply is one byte"},
};

/// Connections, but for the length of an entry.
inline constexpr Clause connections[] = {
    {"connections.code", Level::must, "CONNECTIONS", "the request is the byte 14"},
    {"connections.fragments", Level::must, "CONNECTIONS",
     "the number of fragments, 8 bytes, and then that many fragments"},
    {"connections.counts", Level::must, "CONNECTIONS",
     "an entry counts the bytes and the requests of its connection"},
    {"connection.code", Level::must, "CONNECTION", "the first byte is 15"},
    {"connection.found", Level::must, "CONNECTION",
     "a connection that exists is answered with its 235 bytes"},
    {"connection.missing", Level::must, "CONNECTION", "otherwise the reply is one byte"},
    {"whoami.code", Level::must, "WHOAMI", "the request is the byte 18"},
    {"whoami.id", Level::must, "WHOAMI", "the reply is the connection's id, 16 bytes"},
};

/// The clauses that any stream protocol with replies in request order implies.
inline constexpr Clause stream[] = {
    {"stream.reply-order", Level::must, "Request types",
     "replies come in the order of the requests of a connection"},
    {"stream.framing", Level::must, "Request types",
     "a request's meaning does not depend on how TCP cuts it"},
};

inline constexpr std::string_view request_types = "Request types";

/// Choices about keys that 6.0 and later leave.
inline constexpr Clause keys_chosen[] = {
    {"silence.insert-existing", Level::should, "INSERT",
     "INSERT on a key that exists fails and changes nothing"},
    {"silence.set-existing", Level::should, "SET",
     "SET on a key that holds a buffer keeps to one answer"},
    {"silence.update-missing", Level::should, "UPDATE", "UPDATE on a missing key fails"},
    {"silence.increase-overflow", Level::may, "UPDATE",
     "INCREASE past the maximum keeps to one answer"},
    {"silence.ttl-left", Level::should, "QUERY",
     "the TTL of QUERY and GET is what is left, rounded down"},
    {"silence.ttl-update", Level::should, "UPDATE",
     "a TTL update counts in the unit of the record; PATCH from now"},
    {"silence.ttl-past-now", Level::may, "UPDATE",
     "DECREASE of a TTL by more than is left keeps to one answer"},
    {"silence.ttl-beyond", Level::may, "UPDATE",
     "INCREASE of a TTL past the width keeps to one answer"},
    {"silence.ttl-zero", Level::may, "Time to Live (TTL)", "a TTL of 0 gets a documented reply"},
    {"silence.ttl-type-unknown", Level::may, "TTL Types",
     "an unlisted TTL type does not harm the server"},
    {"silence.attribute-unknown", Level::may, "UPDATE",
     "an unlisted attribute does not harm the server"},
    {"silence.change-unknown", Level::may, "UPDATE", "an unlisted change does not harm the server"},
    {"silence.expired-when", Level::should, "Time to Live (TTL)",
     "an expired record is gone at its time point"},
    {"silence.kind-mismatch", Level::should, "Record",
     "an operation of the other kind fails and changes nothing"},
    {"silence.maximum-values", Level::should, "Maximum Values",
     "the largest number of a width is itself valid"},
    {"silence.empty-names", Level::may, "Key", "a name or value of length 0 is valid"},
    {"silence.key-types", Level::should, "LIST", "key type 00 is a counter, 01 a buffer"},
    {"silence.time-units", Level::should, "INFO",
     "TIMESTAMP is in s, time points in ns since the Unix epoch"},
    {"silence.bytes-used", Level::should, "LIST", "a counter uses N bytes, a buffer its length"},
    {"silence.fragments", Level::should, "LIST",
     "fragments are numbered from 1 and together hold every entry once"},
    {"silence.opcode-unknown", Level::may, "Request types",
     "an unknown opcode harms no other connection"},
};

/// Choices about layouts that 6.0 and 7.1 leave.
inline constexpr Clause layouts_chosen[] = {
    {"silence.status-prefix", Level::should, "LIST",
     "listing replies keep to one answer about the status"},
    {"silence.set-value-size", Level::should, "SET", "SET keeps to one width of the value size"},
};

/// Choices that 7.1 and later leave.
inline constexpr Clause connections_chosen[] = {
    {"silence.purge-missing", Level::should, "PURGE", "PURGE of a missing key keeps to one answer"},
    {"silence.delivery", Level::should, "PUBLISH",
     "a subscriber receives each publication in one form"},
    {"silence.ip-field", Level::should, "CONNECTIONS", "IP keeps to one form"},
    {"silence.ip-version", Level::should, "CONNECTIONS", "IP VERSION is 4 or 6"},
    {"silence.connection-bytes", Level::may, "CONNECTIONS",
     "ALLOCATED and CONSUMED BYTES may count anything"},
    {"silence.metrics", Level::should, "INFO",
     "INFO counts itself and its request; per-minute numbers are of the last minute"},
    {"silence.publish-self", Level::should, "PUBLISH",
     "a publisher does not receive its own publication"},
    {"silence.publish-nobody", Level::may, "PUBLISH",
     "a publication without subscribers harms nobody"},
    {"silence.subscribe-twice", Level::may, "SUBSCRIBE",
     "a second SUBSCRIBE gets a documented reply"},
    {"silence.unsubscribe-absent", Level::should, "UNSUBSCRIBE",
     "UNSUBSCRIBE without a subscription fails"},
};

}  // namespace clauses

}  // namespace hallmark::protocol::throttr
