#pragma once

#include "protocol/names.hpp"

/// What requests leave behind, and what replies count: by the names of operations.
namespace hallmark::conformance {

/// Whether records, channels and subscriptions are the same after it.
bool does_nothing_but_tell(protocol::MessageName operation);

/// Whether the reply counts requests about the record it tells of, or all requests.
bool counts_requests(protocol::MessageName operation);

/// Whether the reply counts what all connections do, or lists them.
bool counts_connections(protocol::MessageName operation);

}  // namespace hallmark::conformance
