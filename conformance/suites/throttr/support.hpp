#pragma once

#include "conformance/engine/case.hpp"

/// Helpers for the cases of several sections.
namespace hallmark::conformance {

inline constexpr Time ns_per_second = 1'000'000'000;

/// QUERY of a counter that the request of `since` created or gave its TTL: judges all fields.
Message expect_counter(Stage& stage, Conversation& connection, std::string_view key,
                       std::uint64_t quota, Ttl ttl, Window since);

/// GET of a buffer, as `expect_counter`.
Message expect_buffer(Stage& stage, Conversation& connection, std::string_view key,
                      std::string_view value, Ttl ttl, Window since);

/// The reply of QUERY for a counter with that quota, whatever its TTL.
Patterns counter_of(std::uint64_t quota);

/// A status that the document leaves open.
Patterns any_status();

// Records whose time runs out. A counter is spent in part before that: one that has its whole quota
// again, where the dialect's reading restores it, shows that its time was over.

inline constexpr std::uint64_t whole_quota = 9;
inline constexpr std::uint64_t spent_quota = 4;

/// When a record's time can be over.
struct Expiry {
  Time earliest = 0;
  Time latest = 0;
};
Expiry expiry_of(Window set, Ttl ttl);

/// UPDATE of such a counter before its time is over. Ends the case as indeterminate where that
/// matters and was too late.
void spend(Stage& stage, Conversation& connection, std::string_view key, Expiry expiry);

/// INSERT of such a counter, and `spend`. Returns the reply to INSERT.
Message insert_and_spend(Stage& stage, Conversation& connection, std::string_view key, Ttl ttl);

/// Judges by time whether the reply of a QUERY or GET may show the record as it was, or as it is
/// when its time is over. Ends the case as indeterminate where that cannot be known.
void expect_in_time(Stage& stage, Conversation& connection, const Message& reply, Expiry expiry);

/// Waits until the record's time must be over, and judges by the reply to a QUERY or GET that it
/// is.
void expect_over(Stage& stage, Conversation& connection, const Request& asking, Expiry expiry);

/// Returns how often a record with these bytes in that field occurs, over all fragments.
std::size_t times_listed(const Message& listing, protocol::FieldName group,
                         protocol::FieldName field, std::string_view bytes);

/// Ends the case unless the listing holds the record exactly once; gives its entry to `judge`,
/// which returns what is wrong with it, or nothing.
using EntryJudge = std::function<std::string(const protocol::MessageView::Entry&)>;
void expect_listed_once(Conversation& connection, const Message& listing, protocol::FieldName group,
                        protocol::FieldName field, std::string_view bytes,
                        const EntryJudge& judge = {});

void expect_not_listed(Conversation& connection, const Message& listing, protocol::FieldName group,
                       protocol::FieldName field, std::string_view bytes);

/// Judges numbering and counts of the fragments of a listing.
void expect_fragments(Conversation& connection, const Message& listing);

/// The longest value that SET can carry and the target has to take.
std::size_t longest_value(const WireFormat& format);

/// Values and payloads that only have to be large are no longer than that.
inline constexpr std::size_t large_value_size = 16'000;

/// An ability that a case needs and does not test.
struct Ability {
  std::string what;           ///< "a value of 16000 bytes"
  std::string tested_by;      ///< the case that is about it: "set/longest-value"
  std::function<void()> use;  ///< ends (CaseEnded) where the target has it not
};

/// Ends the case as skipped where the target lacks the ability by itself. A target that dies of it
/// is started afresh, which is the doing of the other case.
void rest_on(Stage& stage, const Ability& ability);

/// Like `rest_on`, for the ability to keep the value under the key and give it back. The value
/// stays there.
void rest_on_value(Stage& stage, const std::string& key, const std::string& value);

/// PUBLISH, and its status where the readings say that there is one.
void publish_to(Stage& stage, Conversation& connection, std::string_view channel,
                std::string_view payload);
/// Like `publish_to`, if nobody is subscribed.
void publish_to_nobody(Stage& stage, Conversation& connection, std::string_view channel,
                       std::string_view payload);

/// Bytes that are no text: zero, high bit, newline and the first byte of a push.
std::string binary(std::string_view tag);

/// Name of the field of INFO that counts the requests of an operation.
protocol::FieldName total_field(protocol::MessageName operation);

}  // namespace hallmark::conformance
