#pragma once

#include "conformance/message.hpp"
#include "conformance/requests.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::conformance {

/// What the fields of a reply have to be, as in golden vectors. All fields of the reply are named.
using Patterns = std::vector<vectors::FieldPattern>;

vectors::FieldPattern is(std::string_view field, std::uint64_t number);
vectors::FieldPattern is(std::string_view field, std::string_view bytes);
vectors::FieldPattern between(std::string_view field, std::uint64_t least, std::uint64_t most);
vectors::FieldPattern any(std::string_view field);

Patterns success();
Patterns failure();

/// How much time the target can have seen pass between two requests.
vectors::Elapsed elapsed_between(Window first, Window second);

/// What is left of a TTL that the request of `since` set, when that of `now` was handled. Matches
/// nothing once the TTL is certainly over.
vectors::FieldPattern ttl_left(Ttl ttl, Window since, Window now);

}  // namespace hallmark::conformance
