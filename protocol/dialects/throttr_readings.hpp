#pragma once

#include "protocol/dialect.hpp"

/// The questions that the documents of Throttr leave open: by contradicting themselves, each other
/// or released servers, or by silence. Stated once; each dialect lists which of them it leaves
/// open, what its text favours and what released servers answer.
namespace hallmark::protocol::throttr {

/// The stance of a dialect on a question: the ids of two answers, either of which may be empty, and
/// the words of its document.
struct Stance {
  AnswerName favoured = {};
  AnswerName released = {};
  std::string_view words = {};
};

consteval Reading open(Reading question, Stance stance) {
  question.favoured = stance.favoured;
  question.released = stance.released;
  question.words = stance.words;
  return question;
}

/// The same for a dialect whose text forbids all answers but those of `allowed`.
consteval Reading open(Reading question, std::span<const Answer> allowed, Stance stance) {
  question.answers = allowed;
  return open(question, stance);
}

namespace words {

// Passages that versions 6.0.0 and 7.1.0 of the document have in common.
inline constexpr std::string_view starts_with_fragments =
    "This server resolve this request, initially, by sending 8 bytes response. … FRAGMENTS (P) | 8 "
    "bytes";
inline constexpr std::string_view set_value =
    "Is the quantity of chars (O) used by the value. Contained in 1 byte.";
inline constexpr std::string_view fragments =
    "After that we receive P fragments in 16 bytes: … NUMBER OF SCOPED KEYS (Q) | 8 bytes";
inline constexpr std::string_view names =
    "Is the quantity of chars (M) used by the key. Contained in 1 byte. … His value is stored in a "
    "binary container and comparable using hashing.";
inline constexpr std::string_view insert =
    "This request can add counters to the memory. … The client will receive 0x01 on success or "
    "0x00 on failure.";
inline constexpr std::string_view set =
    "This request can add buffers to the memory. … The client will receive 0x01 on success or 0x00 "
    "on failure.";
inline constexpr std::string_view update =
    "This request can modify counters and buffers. … The client will receive 0x01 on success or "
    "0x00 on failure.";
inline constexpr std::string_view purge =
    "This request can remove counters and buffers. … The client will receive 0x01 on success or "
    "0x00 on failure.";
inline constexpr std::string_view decrease =
    "The DECREASE can produce 0x00 as response if the result of the operation over Quota is "
    "negative.";
inline constexpr std::string_view increase =
    "INCREASE | 0x01 … Is the value to be used. Contained in N bytes.";
inline constexpr std::string_view ttl_left =
    "If the status was success, then, it also will include: … TTL | N bytes";
inline constexpr std::string_view ttl_update =
    "Any operation over TTL will invoke the procedure to reschedule the expiration timer.";
inline constexpr std::string_view ttl =
    "Is a period of time computed from the now() function of the server plus the amount units on "
    "the respective time system used.";
inline constexpr std::string_view ttl_types =
    "Is the time unit system used to measure the TTL on the record. The implemented types are:";
inline constexpr std::string_view attribute =
    "Is the field to be modified. Contained in 1 byte. It can be:";
inline constexpr std::string_view change =
    "Is the change type to be applied. Contained in 1 byte. It can be:";
inline constexpr std::string_view expired =
    "During that period, the resource attached to the TTL can be considered as valid. In example; "
    "a TTL of 60 seconds will be marked as expired and removed by the scheduler after a minute.";
inline constexpr std::string_view kinds =
    "Is an in-memory system entity, identify by a key. It can be a counter or buffer.";
inline constexpr std::string_view maximum = "Lower than 255 then use uint8.";
inline constexpr std::string_view empty =
    "Is the quantity of chars (M) used by the key. Contained in 1 byte.";
inline constexpr std::string_view key_types = "KEY TYPE | 1 byte";
inline constexpr std::string_view time_point = "TIME POINT | 8 bytes";

}  // namespace words

namespace answers {

inline constexpr Answer yes_no[] = {{"yes", "it does"}, {"no", "it does not"}};
inline constexpr Answer no_yes[] = {{"no", "it does not"}, {"yes", "it does"}};
inline constexpr Answer refused_accepted[] = {{"refused", "00"}, {"accepted", "01"}};
inline constexpr Answer refused_replaced[] = {{"refused", "00, unchanged"},
                                              {"replaced", "01, replaced"}};
inline constexpr Answer refused[] = {{"refused", "00, unchanged"}};
inline constexpr Answer unknown_choice[] = {
    {"refused", "00"}, {"closed", "the connection is closed"}, {"accepted", "01"}};

inline constexpr Answer set_value_size[] = {{"value-width", "N bytes"}, {"one-byte", "1 byte"}};
inline constexpr Answer info_size[] = {
    {"432", "the 53 fields of the table"},
    {"236", "as the prose says; no fields are named that take so many bytes", Served::no}};
inline constexpr Answer info_names[] = {
    {"requests-then-existing", "first requests of that type, then things that exist now"}};
inline constexpr Answer channel_layout[] = {
    {"table", "count of 8 bytes, entries of 40"},
    {"prose", "count of 4 bytes, entries of 28; no fields are named that take so many bytes",
     Served::no}};
inline constexpr Answer channels_subscribers[] = {{"four-bytes", "4 bytes"},
                                                  {"eight-bytes", "8 bytes"}};
inline constexpr Answer index_id[] = {{"index", "an index of 4 bytes"}, {"id", "the id, 16 bytes"}};
inline constexpr Answer connection_index[] = {{"from-0", "places in CONNECTIONS, from 0"},
                                              {"from-1", "places in CONNECTIONS, from 1"}};
inline constexpr Answer delivery[] = {{"code-size-payload", "03, size N, payload"}};
inline constexpr Answer publish_reply[] = {{"status", "a status"}, {"none", "nothing"}};
inline constexpr Answer stats_note[] = {{"33", "33 bytes an entry, no field of width N"}};
inline constexpr Answer ip_field[] = {{"text", "text, padded with zeros"},
                                      {"raw", "the address itself, IPv4 in the first 4 bytes"}};
inline constexpr Answer ip_version[] = {{"4-and-6", "4 and 6"}};
inline constexpr Answer byte_order[] = {{"little", "the lowest byte first"}};
inline constexpr Answer reply_length[] = {{"5", "4 bytes of id and 1 of status"}};
inline constexpr Answer request_types[] = {{"four", "all four that are described"}};
inline constexpr Answer reply_always[] = {{"always", "every request has its reply"}};
inline constexpr Answer fragments[] = {
    {"from-1", "numbered from 1, split by size, any order of keys, P = 0 when there is nothing"},
    {"from-0", "numbered from 0, otherwise the same"}};
inline constexpr Answer names_of_bytes[] = {{"bytes", "any bytes; the size counts bytes"}};
inline constexpr Answer pair_identity[] = {
    {"pair", "two different pairs"},
    {"concatenation", "the same, where consumer and resource together are the same bytes"}};
inline constexpr Answer expiry[] = {{"gone", "the pair is gone"},
                                    {"restored", "quota and TTL are as they were inserted"}};
inline constexpr Answer reply_order[] = {{"request-order", "in the order of the requests"},
                                         {"any-order", "in any order, told apart by their ids"}};
inline constexpr Answer duplicate_ids[] = {{"independent", "each has its reply, in request order"}};
inline constexpr Answer update_order[] = {{"field-tables", "the lists of required fields"}};
inline constexpr Answer below_zero[] = {
    {"refused", "00, unchanged"}, {"clamped", "01, quota 0"}, {"wrapped", "01, modulo the width"}};
inline constexpr Answer overflow[] = {{"refused", "00, unchanged"},
                                      {"saturated", "01, the maximum"},
                                      {"wrapped", "01, modulo the width"}};
inline constexpr Answer ttl_left[] = {
    {"left-rounded-down", "what is left, in the record's unit, rounded down"},
    {"left-rounded-up", "what is left, in the record's unit, rounded up"},
    {"as-set", "the TTL as it was set"}};
inline constexpr Answer ttl_update[] = {
    {"unit-of-record-from-now",
     "in the record's unit; PATCH counts from now, the others move the time point"},
    {"unit-of-record-from-creation",
     "in the record's unit; PATCH counts from when the record was made"}};
inline constexpr Answer ttl_past_now[] = {{"expired", "01, and gone at once"},
                                          {"refused", "00, unchanged"}};
inline constexpr Answer ttl_beyond[] = {{"refused", "00, unchanged"},
                                        {"saturated", "01, the maximum is left"}};
inline constexpr Answer ttl_zero[] = {
    {"expired", "01, and gone at once"}, {"refused", "00"}, {"forever", "01, never expires"}};
inline constexpr Answer expired_when[] = {{"time-point", "at its time point"},
                                          {"scheduler", "when the scheduler has removed it"}};
inline constexpr Answer maximum_values[] = {{"valid", "the maximum itself is valid"},
                                            {"invalid", "it is not: 00"}};
inline constexpr Answer empty_names[] = {{"valid", "a length of 0 is valid"}, {"refused", "00"}};
inline constexpr Answer key_types[] = {{"counter-0-buffer-1", "00 counter, 01 buffer"}};
inline constexpr Answer time_units[] = {
    {"timestamp-s-others-ns", "TIMESTAMP in s, the others in ns since the Unix epoch"}};
inline constexpr Answer metrics[] = {
    {"itself-not-reply",
     "INFO counts itself and its request, not its reply; STAT moves once a minute"}};
inline constexpr Answer bytes_used[] = {
    {"width-or-length", "N for a counter, the length for a buffer"}};
inline constexpr Answer connection_bytes[] = {
    {"unspecified", "whatever the server counts; released servers send 0"}};
inline constexpr Answer opcode_unknown[] = {{"closed", "the connection is closed"},
                                            {"ignored", "the byte is passed over"},
                                            {"refused", "00"}};

}  // namespace answers

namespace reading {

// Layout.

inline constexpr Reading status_prefix{.id = "status-prefix",
                                       .question =
                                           "Do the replies of LIST, INFO, STATS, CONNECTIONS, "
                                           "CHANNELS and WHOAMI start with a status?",
                                       .answers = answers::yes_no,
                                       .section = "LIST",
                                       .clause = "silence.status-prefix"};
inline constexpr Reading set_value_size{.id = "set-value-size",
                                        .question = "How wide is the value size of SET?",
                                        .answers = answers::set_value_size,
                                        .section = "SET",
                                        .clause = "silence.set-value-size"};
inline constexpr Reading list_bytes_used{
    .id = "list-bytes-used",
    .question = "Does an entry of LIST end with the bytes used (N)?",
    .answers = answers::no_yes,
    .section = "LIST",
    .clause = "silence.list-bytes-used"};
inline constexpr Reading info_size{.id = "info-size",
                                   .question = "How long is the body of INFO?",
                                   .answers = answers::info_size,
                                   .section = "INFO",
                                   .clause = "info.layout"};
inline constexpr Reading info_names{
    .id = "info-names",
    .question =
        "TOTAL CHANNELS and TOTAL CONNECTIONS each name two fields of INFO: which is which?",
    .answers = answers::info_names,
    .section = "INFO",
    .clause = "info.presence"};
inline constexpr Reading channel_layout{
    .id = "channel-layout",
    .question = "How wide are the count and the entries of CHANNEL?",
    .answers = answers::channel_layout,
    .section = "CHANNEL",
    .clause = "channel.found"};
inline constexpr Reading channels_subscribers{
    .id = "channels-subscribers",
    .question = "How wide is the subscriber count of CHANNELS?",
    .answers = answers::channels_subscribers,
    .section = "CHANNELS",
    .clause = "silence.channels-subscribers"};
inline constexpr Reading connection_id{.id = "connection-id",
                                       .question = "What does CONNECTION ask by?",
                                       .answers = answers::index_id,
                                       .section = "CONNECTION",
                                       .clause = "silence.connection-id"};
inline constexpr Reading connection_index{.id = "connection-index",
                                          .question = "Which connection has which index?",
                                          .answers = answers::connection_index,
                                          .section = "CONNECTION",
                                          .clause = "silence.connection-index"};
inline constexpr Reading whoami{.id = "whoami",
                                .question = "What does WHOAMI return?",
                                .answers = answers::index_id,
                                .section = "WHOAMI",
                                .clause = "whoami.id"};
inline constexpr Reading delivery{.id = "delivery",
                                  .question = "What does a subscriber receive?",
                                  .answers = answers::delivery,
                                  .section = "PUBLISH",
                                  .clause = "silence.delivery"};
inline constexpr Reading publish_reply{.id = "publish-reply",
                                       .question = "Does PUBLISH answer the publisher?",
                                       .answers = answers::publish_reply,
                                       .section = "PUBLISH",
                                       .clause = "silence.publish-reply"};
inline constexpr Reading stats_note{
    .id = "stats-note",
    .question = "STATS defines N and uses none: how long is an entry?",
    .answers = answers::stats_note,
    .section = "STATS",
    .clause = "stats.entry"};
inline constexpr Reading ip_field{.id = "ip-field",
                                  .question = "Do the 16 bytes of IP hold text or the raw address?",
                                  .answers = answers::ip_field,
                                  .section = "CONNECTIONS",
                                  .clause = "silence.ip-field"};
inline constexpr Reading ip_version{.id = "ip-version",
                                    .question = "Which codes has IP VERSION?",
                                    .answers = answers::ip_version,
                                    .section = "CONNECTIONS",
                                    .clause = "silence.ip-version"};
inline constexpr Reading byte_order{.id = "byte-order",
                                    .question = "Which byte of a number comes first?",
                                    .answers = answers::byte_order,
                                    .section = "Request Formats",
                                    .clause = "endianness.little"};
inline constexpr Reading reply_length{
    .id = "reply-length",
    .question = "\"5 bytes Request ID + 0x00 or 0x01\": how long is a reply?",
    .answers = answers::reply_length,
    .section = "Response Format",
    .clause = "reply.layout"};
inline constexpr Reading request_types{
    .id = "request-types",
    .question = "\"Three main request types\", of which four are listed: which are there?",
    .answers = answers::request_types,
    .section = "About",
    .clause = "request-types.four"};
inline constexpr Reading reply_always{
    .id = "reply-always",
    .question = "The server responds \"on almost cases\": when does it not?",
    .answers = answers::reply_always,
    .section = "Response Format",
    .clause = "reply.always"};
inline constexpr Reading fragments{.id = "fragments",
                                   .question = "How are fragments numbered, split and ordered?",
                                   .answers = answers::fragments,
                                   .section = "LIST",
                                   .clause = "silence.fragments"};
inline constexpr Reading names_of_bytes{
    .id = "names-of-bytes",
    .question = "Sizes count \"chars\", keys are a \"binary container\": what may a name hold?",
    .answers = answers::names_of_bytes,
    .section = "Key",
    .clause = "key.binary"};

// Behaviour.

inline constexpr Reading insert_existing{.id = "insert-existing",
                                         .question = "INSERT on a key that exists?",
                                         .answers = answers::refused_replaced,
                                         .section = "INSERT",
                                         .clause = "silence.insert-existing"};
inline constexpr Reading set_existing{.id = "set-existing",
                                      .question = "SET on a key that holds a buffer?",
                                      .answers = answers::refused_replaced,
                                      .section = "SET",
                                      .clause = "silence.set-existing"};
inline constexpr Reading pair_identity{
    .id = "pair-identity",
    .question = "Are (ab, c) and (a, bc) the same, as \"the hash of consumer + resource\" may say?",
    .answers = answers::pair_identity,
    .section = "Response Format",
    .clause = "silence.pair-identity"};
inline constexpr Reading expiry{.id = "expiry-2.0",
                                .question = "A quota \"expires and resets\": what is there then?",
                                .answers = answers::expiry,
                                .section = "Time to Live (TTL)",
                                .clause = "silence.expiry-2.0"};
inline constexpr Reading reply_order{.id = "reply-order",
                                     .question = "In which order do replies come?",
                                     .answers = answers::reply_order,
                                     .section = "Response Format",
                                     .clause = "silence.reply-order"};
inline constexpr Reading duplicate_ids{.id = "duplicate-ids",
                                       .question = "Two requests in flight with one id?",
                                       .answers = answers::duplicate_ids,
                                       .section = "Response Format",
                                       .clause = "silence.duplicate-ids"};
inline constexpr Reading update_missing{.id = "update-missing",
                                        .question = "UPDATE on a key that does not exist?",
                                        .answers = answers::refused,
                                        .section = "UPDATE",
                                        .clause = "silence.update-missing"};
inline constexpr Reading purge_missing{.id = "purge-missing",
                                       .question = "PURGE of a key that does not exist?",
                                       .answers = answers::refused_accepted,
                                       .section = "PURGE",
                                       .clause = "silence.purge-missing"};
inline constexpr Reading update_order{
    .id = "update-order",
    .question =
        "The examples of UPDATE, PURGE and GET explain other bytes than they send: which "
        "layouts count?",
    .answers = answers::update_order,
    .section = "UPDATE",
    .clause = "update.layout"};
inline constexpr Reading decrease_below_zero{.id = "decrease-below-zero",
                                             .question = "DECREASE of a quota below zero?",
                                             .answers = answers::below_zero,
                                             .section = "UPDATE",
                                             .clause = "update.decrease-negative"};
inline constexpr Reading increase_overflow{.id = "increase-overflow",
                                           .question = "INCREASE past the maximum of the width?",
                                           .answers = answers::overflow,
                                           .section = "UPDATE",
                                           .clause = "silence.increase-overflow"};
inline constexpr Reading ttl_left{.id = "ttl-left",
                                  .question = "What is the TTL in the replies of QUERY and GET?",
                                  .answers = answers::ttl_left,
                                  .section = "QUERY",
                                  .clause = "silence.ttl-left"};
inline constexpr Reading ttl_update{
    .id = "ttl-update",
    .question = "In which unit, and from when, does UPDATE of a TTL count?",
    .answers = answers::ttl_update,
    .section = "UPDATE",
    .clause = "silence.ttl-update"};
inline constexpr Reading ttl_past_now{.id = "ttl-past-now",
                                      .question = "DECREASE of a TTL by more than is left?",
                                      .answers = answers::ttl_past_now,
                                      .section = "UPDATE",
                                      .clause = "silence.ttl-past-now"};
inline constexpr Reading ttl_beyond{.id = "ttl-beyond",
                                    .question = "INCREASE of a TTL to more than the width holds?",
                                    .answers = answers::ttl_beyond,
                                    .section = "UPDATE",
                                    .clause = "silence.ttl-beyond"};
inline constexpr Reading ttl_zero{.id = "ttl-zero",
                                  .question = "A TTL of 0?",
                                  .answers = answers::ttl_zero,
                                  .section = "Time to Live (TTL)",
                                  .clause = "silence.ttl-zero"};
inline constexpr Reading ttl_type_unknown{.id = "ttl-type-unknown",
                                          .question = "A TTL type that is not listed?",
                                          .answers = answers::unknown_choice,
                                          .section = "TTL Types",
                                          .clause = "silence.ttl-type-unknown"};
inline constexpr Reading attribute_unknown{.id = "attribute-unknown",
                                           .question = "An attribute that is not listed?",
                                           .answers = answers::unknown_choice,
                                           .section = "UPDATE",
                                           .clause = "silence.attribute-unknown"};
inline constexpr Reading change_unknown{.id = "change-unknown",
                                        .question = "A change type that is not listed?",
                                        .answers = answers::unknown_choice,
                                        .section = "UPDATE",
                                        .clause = "silence.change-unknown"};
inline constexpr Reading expired_when{.id = "expired-when",
                                      .question = "From when does an expired record count as gone?",
                                      .answers = answers::expired_when,
                                      .section = "Time to Live (TTL)",
                                      .clause = "silence.expired-when"};
inline constexpr Reading kind_mismatch{.id = "kind-mismatch",
                                       .question = "INSERT over a buffer, SET over a counter?",
                                       .answers = answers::refused_replaced,
                                       .section = "Record",
                                       .clause = "silence.kind-mismatch"};
inline constexpr Reading maximum_values{
    .id = "maximum-values",
    .question = "Is the largest number of a width itself valid?",
    .answers = answers::maximum_values,
    .section = "Maximum Values",
    .clause = "silence.maximum-values"};
inline constexpr Reading empty_names{.id = "empty-names",
                                     .question = "A key, channel, value or payload of length 0?",
                                     .answers = answers::empty_names,
                                     .section = "Key",
                                     .clause = "silence.empty-names"};
inline constexpr Reading key_types{.id = "key-types",
                                   .question = "Which codes has KEY TYPE?",
                                   .answers = answers::key_types,
                                   .section = "LIST",
                                   .clause = "silence.key-types"};
inline constexpr Reading time_units{
    .id = "time-units",
    .question =
        "Unit and clock of TIME POINT, CONNECTED AT, SUBSCRIBED AT, RUNNING SINCE and TIMESTAMP?",
    .answers = answers::time_units,
    .section = "LIST",
    .clause = "silence.time-units"};
inline constexpr Reading metrics{
    .id = "metrics",
    .question = "Does INFO count itself, and when do the totals of STAT move?",
    .answers = answers::metrics,
    .section = "INFO",
    .clause = "silence.metrics"};
inline constexpr Reading bytes_used{.id = "bytes-used",
                                    .question = "What does BYTES USED count?",
                                    .answers = answers::bytes_used,
                                    .section = "LIST",
                                    .clause = "silence.bytes-used"};
inline constexpr Reading connection_bytes{
    .id = "connection-bytes",
    .question = "What do ALLOCATED BYTES and CONSUMED BYTES of a connection count?",
    .answers = answers::connection_bytes,
    .section = "CONNECTIONS",
    .clause = "silence.connection-bytes"};
inline constexpr Reading publish_self{.id = "publish-self",
                                      .question = "Does a publisher receive its own publication?",
                                      .answers = answers::no_yes,
                                      .section = "PUBLISH",
                                      .clause = "silence.publish-self"};
inline constexpr Reading publish_nobody{
    .id = "publish-nobody",
    .question = "The status of PUBLISH to a channel without subscribers?",
    .answers = answers::refused_accepted,
    .section = "PUBLISH",
    .clause = "silence.publish-nobody"};
inline constexpr Reading subscribe_twice{
    .id = "subscribe-twice",
    .question = "The status of a second SUBSCRIBE to one channel?",
    .answers = answers::refused_accepted,
    .section = "SUBSCRIBE",
    .clause = "silence.subscribe-twice"};
inline constexpr Reading unsubscribe_absent{
    .id = "unsubscribe-absent",
    .question = "The status of UNSUBSCRIBE without a subscription?",
    .answers = answers::refused_accepted,
    .section = "UNSUBSCRIBE",
    .clause = "silence.unsubscribe-absent"};
inline constexpr Reading opcode_unknown{.id = "opcode-unknown",
                                        .question = "An opcode that nobody defines?",
                                        .answers = answers::opcode_unknown,
                                        .section = "Request types",
                                        .clause = "silence.opcode-unknown"};

/// All of them.
inline constexpr const Reading* all[] = {&status_prefix,
                                         &set_value_size,
                                         &list_bytes_used,
                                         &info_size,
                                         &info_names,
                                         &channel_layout,
                                         &channels_subscribers,
                                         &connection_id,
                                         &connection_index,
                                         &whoami,
                                         &delivery,
                                         &publish_reply,
                                         &stats_note,
                                         &ip_field,
                                         &ip_version,
                                         &byte_order,
                                         &reply_length,
                                         &request_types,
                                         &reply_always,
                                         &fragments,
                                         &names_of_bytes,
                                         &insert_existing,
                                         &set_existing,
                                         &pair_identity,
                                         &expiry,
                                         &reply_order,
                                         &duplicate_ids,
                                         &update_missing,
                                         &purge_missing,
                                         &update_order,
                                         &decrease_below_zero,
                                         &increase_overflow,
                                         &ttl_left,
                                         &ttl_update,
                                         &ttl_past_now,
                                         &ttl_beyond,
                                         &ttl_zero,
                                         &ttl_type_unknown,
                                         &attribute_unknown,
                                         &change_unknown,
                                         &expired_when,
                                         &kind_mismatch,
                                         &maximum_values,
                                         &empty_names,
                                         &key_types,
                                         &time_units,
                                         &metrics,
                                         &bytes_used,
                                         &connection_bytes,
                                         &publish_self,
                                         &publish_nobody,
                                         &subscribe_twice,
                                         &unsubscribe_absent,
                                         &opcode_unknown};

}  // namespace reading

}  // namespace hallmark::protocol::throttr
