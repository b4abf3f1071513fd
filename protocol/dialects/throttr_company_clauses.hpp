#pragma once

#include <string_view>

#include "protocol/dialect.hpp"

/// The obligations of a server to each of many connections. No version's document speaks of more
/// than one connection.
namespace hallmark::protocol::throttr::clauses {

/// `section`: of the document, under which it would have to stand.
template <const std::string_view& section>
inline constexpr Clause company[] = {
    {"silence.neighbours", Level::should, section,
     "what a connection sends or leaves unread keeps no other from its answers"},
    {"silence.half-close", Level::should, section,
     "what was asked before a connection ends its sending is answered"},
    {"silence.sent-ahead", Level::should, section,
     "requests sent far ahead of what is read are all answered, or the connection is closed"},
    {"silence.ended-connections", Level::should, section,
     "a connection that has ended leaves nothing to others and takes nothing from them"},
    {"silence.left-over", Level::should, section,
     "what is over, a connection or a record, leaves nothing behind in the process"},
    {"silence.rest", Level::should, section,
     "a server that nobody asks anything uses no processor time worth mentioning"},
    {"silence.concurrency", Level::should, section,
     "requests of several connections take effect one by one, between sending and reply"},
};

}  // namespace hallmark::protocol::throttr::clauses
