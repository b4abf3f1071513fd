#pragma once

#include "protocol/declare.hpp"
#include "protocol/dialects/throttr_client_clauses.hpp"
#include "protocol/dialects/throttr_company_clauses.hpp"
#include "protocol/dialects/throttr_readings.hpp"
#include "protocol/throttr_terms.hpp"

/// Throttr protocol, version 2.0: quotas of pairs of a consumer and a resource; requests carry an
/// id that their replies repeat.
namespace hallmark::protocol {
namespace throttr_2_0_table {

using namespace declare;
using namespace throttr;

inline constexpr Width widths[] = {Width::u64};

/// A reply of its own would need the id of a request that cannot be read.
inline constexpr Answer opcode_unknown[] = {{"closed", "the connection is closed"},
                                            {"ignored", "the byte is passed over"}};

inline constexpr Reading readings[] = {
    open(reading::byte_order,
         {.released = "little", .words = "request_id | uint32_t | 4 bytes | Request ID."}),
    open(reading::reply_length, {.favoured = "5",
                                 .released = "5",
                                 .words = "Server on almost cases should respond with 5 bytes "
                                          "Request ID + 0x00 or 0x01 (failure or success)."}),
    open(reading::request_types, {.favoured = "four",
                                  .released = "four",
                                  .words = "Throttr defines a minimal, efficient binary protocol "
                                           "based on three main request types:"}),
    open(reading::reply_always, {.released = "always",
                                 .words = "Server on almost cases should respond with 5 bytes "
                                          "Request ID + 0x00 or 0x01 (failure or success)."}),
    open(reading::insert_existing, {.favoured = "replaced",
                                    .released = "refused",
                                    .words = "Operation that creates or resets a quota and TTL for "
                                             "a specific consumer-resource pair."}),
    open(reading::pair_identity, {.words = "If the hash generated based on consumer + resource "
                                           "exists then Query will respond with extra fields:"}),
    open(reading::expiry,
         {.words = "The lifetime duration (in nanoseconds, milliseconds, or seconds) during which "
                   "a quota remains valid before it expires and resets."}),
    open(reading::reply_order, {.released = "request-order",
                                .words = "Server on almost cases should respond with 5 bytes "
                                         "Request ID + 0x00 or 0x01 (failure or success)."}),
    open(reading::duplicate_ids, {.words = "Server on almost cases should respond with 5 bytes "
                                           "Request ID + 0x00 or 0x01 (failure or success)."}),
    open(reading::update_missing,
         {.released = "refused",
          .words = "Operation that patches, increases, or decreases the quota or TTL dynamically "
                   "for a consumer-resource pair."}),
    open(reading::purge_missing,
         {.released = "refused",
          .words = "Operation that permanently deletes a consumer-resource pair from the state."}),
    open(reading::decrease_below_zero,
         {.released = "clamped",
          .words =
              "0 = patch, 1 = increase, 2 = decrease. … Value to apply according to the change."}),
    open(reading::increase_overflow,
         {.released = "wrapped",
          .words =
              "0 = patch, 1 = increase, 2 = decrease. … Value to apply according to the change."}),
    open(reading::ttl_left,
         {.favoured = "left-rounded-down",
          .released = "left-rounded-down",
          .words = "Operation that retrieves the current quota and TTL without modifying any data. "
                   "… ttl | uint64_t | 8 bytes | Time to expire."}),
    open(reading::ttl_update, {.released = "unit-of-record-from-now",
                               .words = "The absolute expiration timestamp, calculated from the "
                                        "TTL and the time of insertion or update."}),
    open(reading::ttl_past_now, {.released = "expired",
                                 .words = "The absolute expiration timestamp, calculated from the "
                                          "TTL and the time of insertion or update."}),
    open(reading::ttl_beyond, {.released = "saturated",
                               .words = "The absolute expiration timestamp, calculated from the "
                                        "TTL and the time of insertion or update."}),
    open(reading::ttl_zero,
         {.released = "expired", .words = "ttl | uint64_t | 8 bytes | Time to live value."}),
    open(reading::ttl_type_unknown,
         {.released = "accepted", .words = "ttl_type | uint8_t | 1 byte | 0 = ns, 1 = ms, 2 = s."}),
    open(reading::attribute_unknown,
         {.released = "accepted", .words = "attribute | uint8_t | 1 byte | 0 = quota, 1 = ttl."}),
    open(reading::change_unknown,
         {.released = "accepted",
          .words = "change | uint8_t | 1 byte | 0 = patch, 1 = increase, 2 = decrease."}),
    open(reading::maximum_values,
         {.released = "valid",
          .words = "quota | uint64_t | 8 bytes | Maximum number of allowed actions."}),
    open(reading::empty_names,
         {.released = "valid",
          .words = "consumer_id_size | uint8_t | 1 byte | Size of Consumer ID."}),
    open(reading::opcode_unknown, opcode_unknown,
         {.words = "Always 0x01 for insert. … 0x02 for query and 0x04 on purge. … Always 0x03 for "
                   "update."}),
};

inline constexpr Clause only_here[] = {
    {"request-types.four", Level::must, "About", "there are INSERT, QUERY, UPDATE and PURGE"},
    {"ttl.valid-period", Level::must, "Concepts", "a quota is valid for its TTL"},
    {"ttl.expires", Level::must, "Concepts", "a quota whose TTL has passed expires"},
    {"ttl-types.codes", Level::must, "Insert Request Format", "00, 01 and 02 are ns, ms and s"},
    {"ttl-types.unit", Level::must, "Concepts", "the TTL of a pair is measured in its TTL type"},
    {"record.time-point", Level::must, "Concepts",
     "the expiry is computed from the TTL and the time of insertion or update"},
    {"key.unique", Level::must, "Concepts", "different pairs have quotas of their own"},
    {"key.binary", Level::must, "Concepts", "consumer and resource are any bytes"},
    {"width.maximum", Level::must, "Insert Request Format", "quota and TTL are any 8 bytes"},
    {"endianness.little", Level::must, "Insert Request Format", "numbers are little-endian"},
    {"insert.code", Level::must, "Insert Request Format", "the first byte is 01"},
    {"insert.layout", Level::must, "Insert Request Format",
     "request id 4, quota 8, TTL type 1, TTL 8, two sizes of 1, consumer, resource"},
    {"insert.adds-counter", Level::must, "Concepts", "it creates a quota and TTL for a pair"},
    {"insert.status", Level::must, "Response Format", "the reply is the request id and a status"},
    {"query.code", Level::must, "Query and Purge Request Format", "the first byte is 02"},
    {"query.layout", Level::must, "Query and Purge Request Format",
     "request id 4, two sizes of 1, consumer, resource"},
    {"query.found", Level::must, "Response Format",
     "a pair that exists is answered with quota 8, TTL type 1 and TTL 8 besides"},
    {"query.missing", Level::must, "Response Format", "any other is answered with 5 bytes"},
    {"query.counters", Level::must, "Concepts", "it modifies nothing"},
    {"update.code", Level::must, "Update Request Format", "the first byte is 03"},
    {"update.layout", Level::must, "Update Request Format",
     "request id 4, attribute 1, change 1, value 8, two sizes of 1, consumer, resource"},
    {"update.attributes", Level::must, "Update Request Format",
     "attribute 00 is the quota, 01 the TTL"},
    {"update.changes", Level::must, "Update Request Format",
     "change 00 is patch, 01 increase, 02 decrease"},
    {"update.decrease-negative", Level::may, "Update Request Format",
     "a decrease to a negative quota keeps to one answer"},
    {"update.ttl-reschedules", Level::must, "Concepts", "an update of the TTL moves the expiry"},
    {"update.status", Level::must, "Response Format", "the reply is the request id and a status"},
    {"purge.code", Level::must, "Query and Purge Request Format", "the first byte is 04"},
    {"purge.layout", Level::must, "Query and Purge Request Format",
     "request id 4, two sizes of 1, consumer, resource"},
    {"purge.removes", Level::must, "Concepts", "it deletes a pair permanently"},
    {"purge.status", Level::must, "Response Format", "the reply is the request id and a status"},
    {"reply.layout", Level::must, "Response Format", "4 bytes of request id, 1 of status"},
    {"reply.request-id", Level::must, "Response Format", "a reply repeats its request's id"},
    {"reply.always", Level::should, "Response Format", "every request has its reply"},
    {"stream.reply-order", Level::should, "Response Format",
     "replies come in the order of the requests of a connection"},
    {"stream.framing", Level::must, "Response Format",
     "a request's meaning does not depend on how TCP cuts it"},
    {"silence.insert-existing", Level::should, "Concepts",
     "INSERT on a pair that exists resets it, or fails and changes nothing"},
    {"silence.pair-identity", Level::should, "Response Format",
     "pairs with the same bytes together keep to one answer"},
    {"silence.expiry-2.0", Level::should, "Concepts", "an expired pair keeps to one answer"},
    {"silence.reply-order", Level::should, "Response Format", "replies keep to one order"},
    {"silence.duplicate-ids", Level::should, "Response Format",
     "requests with one id have a reply each"},
    {"silence.update-missing", Level::should, "Concepts", "UPDATE of a missing pair fails"},
    {"silence.purge-missing", Level::should, "Concepts",
     "PURGE of a missing pair keeps to one answer"},
    {"silence.increase-overflow", Level::may, "Update Request Format",
     "INCREASE past the maximum keeps to one answer"},
    {"silence.ttl-left", Level::should, "Response Format",
     "the TTL of QUERY is what is left, rounded down"},
    {"silence.ttl-update", Level::should, "Update Request Format",
     "a TTL update counts in the unit of the pair; PATCH from now"},
    {"silence.ttl-past-now", Level::may, "Update Request Format",
     "DECREASE of a TTL by more than is left keeps to one answer"},
    {"silence.ttl-beyond", Level::may, "Update Request Format",
     "INCREASE of a TTL past 8 bytes keeps to one answer"},
    {"silence.ttl-zero", Level::may, "Concepts", "a TTL of 0 gets a documented reply"},
    {"silence.ttl-type-unknown", Level::may, "Insert Request Format",
     "an unlisted TTL type does not harm the server"},
    {"silence.attribute-unknown", Level::may, "Update Request Format",
     "an unlisted attribute does not harm the server"},
    {"silence.change-unknown", Level::may, "Update Request Format",
     "an unlisted change does not harm the server"},
    {"silence.maximum-values", Level::should, "Insert Request Format",
     "the largest number of 8 bytes is itself valid"},
    {"silence.empty-names", Level::may, "Insert Request Format",
     "a consumer or resource of length 0 is valid"},
    {"silence.opcode-unknown", Level::may, "Insert Request Format",
     "an unknown opcode harms no other connection"},
};

inline constexpr std::string_view response_format = "Response Format";
inline constexpr std::string_view insert_format = "Insert Request Format";
inline constexpr Clause client_ids[] = {
    {"client.request-ids", Level::should, response_format,
     "a client's requests that wait for their replies have different ids"},
    {"client.matches-ids", Level::must, response_format,
     "a client takes a reply for that to the request with its id"},
};
inline constexpr auto clauses =
    joined(only_here, throttr::clauses::company<response_format>,
           throttr::clauses::clients<insert_format, response_format>, client_ids);

inline constexpr Choice ttl_types[] = {{0x00, name_of(TtlUnit::nanoseconds)},
                                       {0x01, name_of(TtlUnit::milliseconds)},
                                       {0x02, name_of(TtlUnit::seconds)}};
inline constexpr Choice attributes[] = {{code(Attribute::quota), "quota"},
                                        {code(Attribute::ttl), "ttl"}};
inline constexpr Choice changes[] = {{code(Change::patch), "patch"},
                                     {code(Change::increase), "increase"},
                                     {code(Change::decrease), "decrease"}};

inline constexpr Field asked[] = {opcode(), integer("request_id", 4)};
inline constexpr Field pair[] = {
    size_of("consumer_id", "consumer_id_size", 1),
    size_of("resource_id", "resource_id_size", 1),
    bytes("consumer_id"),
    bytes("resource_id"),
};

inline constexpr Field quota_and_ttl[] = {
    integer("quota", 8),
    choice("ttl_type", ttl_types),
    integer("ttl", 8, "units of ttl_type"),
};
inline constexpr Field update_what[] = {
    choice("attribute", attributes),
    choice("change", changes),
    integer("value", 8),
};

inline constexpr auto insert_request = joined(asked, quota_and_ttl, pair);
inline constexpr auto by_pair = joined(asked, pair);
inline constexpr auto update_request = joined(asked, update_what, pair);

inline constexpr Field answered[] = {integer("request_id", 4), status()};

inline constexpr Operation operations[] = {
    {"INSERT", 0x01, {insert_request}, {answered}, "Insert Request Format"},
    {"QUERY", 0x02, {by_pair}, {answered, quota_and_ttl}, "Query and Purge Request Format"},
    {"UPDATE", 0x03, {update_request}, {answered}, "Update Request Format"},
    {"PURGE", 0x04, {by_pair}, {answered}, "Query and Purge Request Format"},
};

}  // namespace throttr_2_0_table

namespace tables {

inline constexpr Dialect throttr_2_0{
    .name = "throttr-2.0",
    .document = "Throttr protocol 2.0",
    .servers = "3.0.0",
    .transport = Transport::stream,
    .widths = throttr_2_0_table::widths,
    .operations = throttr_2_0_table::operations,
    .pushes = {},
    .readings = throttr_2_0_table::readings,
    .clauses = throttr_2_0_table::clauses,
};

}  // namespace tables
}  // namespace hallmark::protocol
