#pragma once

#include <string_view>

#include "protocol/dialect.hpp"

/// The obligations of a client under the documents of Throttr. The documents describe what is sent,
/// so most of what they say is about both ends. Where they are silent, the level is SHOULD.
namespace hallmark::protocol::throttr::clauses {

/// `requests` and `replies`: sections of the document about them.
template <const std::string_view& requests, const std::string_view& replies>
inline constexpr Clause clients[] = {
    {"client.operations", Level::must, requests,
     "a client sends requests of its version, and nothing else"},
    {"client.width", Level::must, requests,
     "a client sends numbers as wide as those of its server"},
    {"client.whole-requests", Level::must, requests,
     "a client's sizes are those of its bytes, and no request is cut off at the end"},
    {"client.listed-values", Level::must, requests,
     "a client sends TTL types, attributes and changes that are listed"},
    {"client.framing", Level::must, replies,
     "a reply's meaning does not depend on how TCP cuts it, nor on when it comes"},
    {"client.unlisted", Level::should, replies,
     "a client does not take an unlisted status or type for a listed one"},
    {"client.reply-sizes", Level::should, replies,
     "a client notices a reply that is too short or too long, and one too many or too few"},
    {"client.silence", Level::should, replies, "a client does not wait forever for a reply"},
    {"client.endings", Level::should, replies, "a client notices that its connection has ended"},
    {"client.takes-replies", Level::should, replies,
     "a client takes every reply before it ends the connection"},
    {"client.assumptions", Level::may, replies,
     "a client may rely on answers that the document leaves open"},
};

/// Listings of 6.0 and later.
inline constexpr Clause client_listings[] = {
    {"client.fragments", Level::must, "LIST",
     "a client takes any number of fragments, and their entries in any order"},
};

/// Channels of 7.1 and later.
inline constexpr Clause client_channels[] = {
    {"client.deliveries", Level::must, "PUBLISH",
     "a client keeps deliveries apart from replies, wherever between two replies they come"},
};

}  // namespace hallmark::protocol::throttr::clauses
