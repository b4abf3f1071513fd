#pragma once

#include "reference/protocol/dialect.hpp"

/// Where Throttr 7.1.0 leaves a choice, and what released servers made of it.
namespace hallmark::protocol::throttr_7_1_table {

inline constexpr Answer yes_no[] = {{"yes", "it does"}, {"no", "it does not"}};
inline constexpr Answer set_value_size[] = {{"value-width", "N bytes"}, {"one-byte", "1 byte"}};
inline constexpr Answer info_size[] = {{"432", "the 53 fields of the table"},
                                       {"236", "as the prose says"}};
inline constexpr Answer info_names[] = {
    {"requests-then-existing", "first requests of that type, then things that exist now"}};
inline constexpr Answer channel_layout[] = {{"table", "count of 8 bytes, entries of 40"},
                                            {"prose", "count of 4 bytes, entries of 28"}};
inline constexpr Answer channels_subscribers[] = {{"four-bytes", "4 bytes"},
                                                  {"eight-bytes", "8 bytes"}};
inline constexpr Answer connection_id[] = {{"index", "an index of 4 bytes"},
                                           {"id", "the id, 16 bytes"}};
inline constexpr Answer delivery_answers[] = {{"code-size-payload", "03, size N, payload"}};
inline constexpr Answer publish_reply[] = {{"status", "a status"}, {"none", "nothing"}};
inline constexpr Answer stats_note[] = {{"33", "33 bytes an entry, no field of width N"}};
inline constexpr Answer ip_field[] = {{"text", "text, padded with zeros"},
                                      {"raw", "the address itself"}};
inline constexpr Answer fragments[] = {
    {"from-1", "numbered from 1, split by size, any order of keys, P = 0 when there is nothing"}};
inline constexpr Answer insert_existing[] = {{"refused", "00, unchanged"},
                                             {"replaced", "01, replaced"}};
inline constexpr Answer set_existing[] = {{"replaced", "01, replaced"},
                                          {"refused", "00, unchanged"}};
inline constexpr Answer update_missing[] = {{"refused", "00"}};
inline constexpr Answer below_zero[] = {
    {"refused", "00, unchanged"}, {"clamped", "01, quota 0"}, {"wrapped", "01, modulo the width"}};
inline constexpr Answer overflow[] = {{"refused", "00, unchanged"},
                                      {"saturated", "01, the maximum"},
                                      {"wrapped", "01, modulo the width"}};
inline constexpr Answer ttl_left[] = {
    {"left-rounded-down", "what is left, in the record's unit, rounded down"},
    {"as-set", "the TTL as it was set"}};
inline constexpr Answer ttl_update[] = {
    {"unit-of-record-from-now",
     "in the record's unit; PATCH counts from now, the others move the time point"}};
inline constexpr Answer ttl_zero[] = {
    {"expired", "01, and gone at once"}, {"refused", "00"}, {"forever", "01, never expires"}};
inline constexpr Answer unknown_choice[] = {
    {"refused", "00"}, {"closed", "the connection is closed"}, {"accepted", "01"}};
inline constexpr Answer expired_when[] = {{"time-point", "at its time point"},
                                          {"scheduler", "when the scheduler has removed it"}};
inline constexpr Answer kind_mismatch[] = {{"refused", "00, unchanged"},
                                           {"replaced", "01, replaced"}};
inline constexpr Answer maximum_values[] = {{"valid", "the maximum itself is valid"},
                                            {"invalid", "it is not"}};
inline constexpr Answer empty_names[] = {{"valid", "a length of 0 is valid"}, {"refused", "00"}};
inline constexpr Answer key_types_answers[] = {{"counter-0-buffer-1", "00 counter, 01 buffer"}};
inline constexpr Answer time_units[] = {
    {"timestamp-s-others-ns", "TIMESTAMP in s, the others in ns since the Unix epoch"}};
inline constexpr Answer metrics[] = {
    {"itself-not-reply",
     "INFO counts itself and its request, not its reply; STAT moves once a minute"}};
inline constexpr Answer bytes_used[] = {
    {"width-or-length", "N for a counter, the length for a buffer"}};
inline constexpr Answer publish_self[] = {{"no", "a publisher does not receive its own"},
                                          {"yes", "it does"}};
inline constexpr Answer publish_nobody[] = {{"refused", "00"}, {"accepted", "01"}};
inline constexpr Answer subscribe_twice[] = {{"refused", "00"}, {"accepted", "01"}};
inline constexpr Answer opcode_unknown[] = {{"closed", "the connection is closed"},
                                            {"ignored", "the byte is passed over"},
                                            {"refused", "00"}};

inline constexpr Reading readings[] = {
    {"status-prefix",
     "Do the replies of LIST, INFO, STATS, CONNECTIONS, CHANNELS and WHOAMI start with a status?",
     yes_no, "no", "yes", "LIST"},
    {"set-value-size", "How wide is the value size of SET?", set_value_size, "one-byte",
     "value-width", "SET"},
    {"info-size", "How long is the body of INFO?", info_size, "432", "432", "INFO"},
    {"info-names",
     "TOTAL CHANNELS and TOTAL CONNECTIONS each name two fields of INFO: which is which?",
     info_names, "", "requests-then-existing", "INFO"},
    {"channel-layout", "How wide are the count and the entries of CHANNEL?", channel_layout,
     "table", "table", "CHANNEL"},
    {"channels-subscribers", "How wide is the subscriber count of CHANNELS?", channels_subscribers,
     "four-bytes", "eight-bytes", "CHANNELS"},
    {"connection-id", "What does CONNECTION ask by?", connection_id, "index", "id", "CONNECTION"},
    {"whoami", "What does WHOAMI return?", connection_id, "id", "id", "WHOAMI"},
    {"delivery", "What does a subscriber receive?", delivery_answers, "", "code-size-payload",
     "PUBLISH"},
    {"publish-reply", "Does PUBLISH answer the publisher?", publish_reply, "status", "none",
     "PUBLISH"},
    {"stats-note", "STATS defines N and uses none: how long is an entry?", stats_note, "33", "33",
     "STATS"},
    {"ip-field", "Do the 16 bytes of IP hold text or the raw address?", ip_field, "", "text",
     "CONNECTIONS"},
    {"fragments", "How are fragments numbered, split and ordered?", fragments, "", "from-1",
     "LIST"},
    {"insert-existing", "INSERT on a key that exists?", insert_existing, "", "refused", "INSERT"},
    {"set-existing", "SET on a key that holds a buffer?", set_existing, "", "replaced", "SET"},
    {"update-missing", "UPDATE on a key that does not exist?", update_missing, "", "refused",
     "UPDATE"},
    {"decrease-below-zero", "DECREASE of a quota below zero?", below_zero, "refused", "refused",
     "UPDATE"},
    {"increase-overflow", "INCREASE past the maximum of the width?", overflow, "", "", "UPDATE"},
    {"ttl-left", "What is the TTL in the replies of QUERY and GET?", ttl_left, "",
     "left-rounded-down", "QUERY"},
    {"ttl-update", "In which unit, and from when, does UPDATE of a TTL count?", ttl_update, "",
     "unit-of-record-from-now", "UPDATE"},
    {"ttl-zero", "A TTL of 0?", ttl_zero, "", "", "Time to Live (TTL)"},
    {"ttl-type-unknown", "A TTL type that is not listed?", unknown_choice, "", "", "TTL Types"},
    {"attribute-unknown", "An attribute that is not listed?", unknown_choice, "", "", "UPDATE"},
    {"change-unknown", "A change type that is not listed?", unknown_choice, "", "", "UPDATE"},
    {"expired-when", "From when does an expired record count as gone?", expired_when, "time-point",
     "", "Time to Live (TTL)"},
    {"kind-mismatch", "An operation of counters on a buffer, or of buffers on a counter?",
     kind_mismatch, "refused", "", "Record"},
    {"maximum-values", "Is the largest number of a width itself valid?", maximum_values, "", "",
     "Maximum Values"},
    {"empty-names", "A key, channel, value or payload of length 0?", empty_names, "", "", "Key"},
    {"key-types", "Which codes has KEY TYPE?", key_types_answers, "", "counter-0-buffer-1", "LIST"},
    {"time-units",
     "Unit and clock of TIME POINT, CONNECTED AT, SUBSCRIBED AT, RUNNING SINCE and TIMESTAMP?",
     time_units, "", "timestamp-s-others-ns", "INFO"},
    {"metrics", "Does INFO count itself, and when do the totals of STAT move?", metrics, "",
     "itself-not-reply", "INFO"},
    {"bytes-used", "What does BYTES USED count?", bytes_used, "", "width-or-length", "LIST"},
    {"publish-self", "Does a publisher receive its own publication?", publish_self, "", "no",
     "PUBLISH"},
    {"publish-nobody", "The status of PUBLISH to a channel without subscribers?", publish_nobody,
     "", "refused", "PUBLISH"},
    {"subscribe-twice", "The status of a second SUBSCRIBE to one channel?", subscribe_twice, "", "",
     "SUBSCRIBE"},
    {"unsubscribe-absent", "The status of UNSUBSCRIBE without a subscription?", subscribe_twice, "",
     "refused", "UNSUBSCRIBE"},
    {"opcode-unknown", "An opcode that nobody defines?", opcode_unknown, "", "", "Request types"},
};

}  // namespace hallmark::protocol::throttr_7_1_table
