#pragma once

#include "protocol/names.hpp"

/// Tells, by the names of operations, what requests leave behind and what replies count.
namespace hallmark::conformance {

/// Returns true if the operation changes no record, channel or subscription.
bool does_nothing_but_tell(protocol::MessageName operation);

/// Returns true if the reply counts requests about the record it describes, or all requests.
bool counts_requests(protocol::MessageName operation);

/// Returns true if the reply counts what all connections do, or lists them.
bool counts_connections(protocol::MessageName operation);

}  // namespace hallmark::conformance
