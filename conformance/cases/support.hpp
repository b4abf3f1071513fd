#pragma once

#include "conformance/case.hpp"

/// What the cases of several sections need.
namespace hallmark::conformance {

/// QUERY of a counter that the request of `since` created or gave its TTL: judges all fields.
Message expect_counter(Conversation& connection, std::string_view key, std::uint64_t quota, Ttl ttl,
                       Window since);

/// GET of a buffer, as `expect_counter`.
Message expect_buffer(Conversation& connection, std::string_view key, std::string_view value,
                      Ttl ttl, Window since);

/// A status that the document leaves open.
Patterns any_status();

/// When a record can have expired.
struct Expiry {
  Time earliest = 0;
  Time latest = 0;
};
Expiry expiry_of(Window set, Ttl ttl);

/// Judges by time whether the reply of a QUERY or GET may say that the record is there, or gone.
/// Ends the case as indeterminate when it is gone and it cannot be known whether it may be.
void expect_there(Stage& stage, Conversation& connection, const Message& reply, Expiry expiry);

/// Waits until the record must have expired, and asks for it.
void expect_gone(Stage& stage, Conversation& connection, std::string_view key, Expiry expiry);

/// How often a record with these bytes in that field occurs, over all fragments.
std::size_t times_listed(const Message& listing, std::string_view group, std::string_view field,
                         std::string_view bytes);

/// Ends the case unless the listing holds the record exactly once; gives its entry to `judge`,
/// which returns what is wrong with it, or nothing.
using EntryJudge = std::function<std::string(const protocol::MessageView::Entry&)>;
void expect_listed_once(Conversation& connection, const Message& listing, std::string_view group,
                        std::string_view field, std::string_view bytes,
                        const EntryJudge& judge = {});

void expect_not_listed(Conversation& connection, const Message& listing, std::string_view group,
                       std::string_view field, std::string_view bytes);

/// Judges numbering and counts of the fragments of a listing.
void expect_fragments(Conversation& connection, const Message& listing);

/// WHOAMI: the id of the connection, judged for its form.
protocol::Bytes id_of(Conversation& connection);

/// Bytes that are no text: zero, high bit, newline and the first byte of a push.
std::string binary(std::string_view tag);

/// Name of the field of INFO that counts the requests of an operation.
std::string total_field(std::string_view operation);

}  // namespace hallmark::conformance
