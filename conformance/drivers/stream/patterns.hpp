#pragma once

#include "conformance/drivers/stream/message.hpp"
#include "conformance/drivers/stream/requests.hpp"
#include "conformance/drivers/stream/wire_format.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::conformance {

/// The values that the fields of a message have to have, as in golden vectors. All its fields are
/// named except the request id, which the conversation judges. A status or channel may be named
/// even if the layout does not have it.
using Patterns = std::vector<vectors::FieldPattern>;

vectors::FieldPattern is(protocol::FieldName field, std::uint64_t number);
vectors::FieldPattern is(protocol::FieldName field, std::string_view bytes);
vectors::FieldPattern between(protocol::FieldName field, std::uint64_t least, std::uint64_t most);
vectors::FieldPattern any(protocol::FieldName field);

Patterns success();
Patterns failure();
/// 01 when that is so, otherwise 00.
Patterns status(bool succeeded);

/// The patterns in terms of a layout: without what it does not have, and with any request id.
Patterns fitted(const protocol::Layout& layout, Patterns patterns);

/// Returns how much time the target may have seen pass between two requests.
vectors::Elapsed elapsed_between(Window first, Window second);

/// The TTL as the dialect says it: in the same unit, or as many more of a shorter one.
Ttl own_ttl(const WireFormat& format, Ttl ttl);

/// The TTL type and TTL that a reply shows, where the request of `since` set the TTL and that of
/// `now` asks. Matches nothing once the TTL is certainly over.
Patterns ttl_fields(const WireFormat& format, Ttl ttl, Window since, Window now);

/// The reply of QUERY to one that asks for a counter, as `ttl_fields`.
Patterns counter_fields(const WireFormat& format, std::uint64_t quota, Ttl ttl, Window since,
                        Window now);

}  // namespace hallmark::conformance
