#pragma once

#include "conformance/engine/case.hpp"

/// Tells connections apart in the terms of the target: by id, or by place in CONNECTIONS. Places
/// move as other connections come and go, those of other cases too. What depends on a place is
/// asked again until it fits.
namespace hallmark::conformance {

/// The id that the listings have for the connection, however WHOAMI tells which it is.
base::Bytes id_of(Stage& stage, Conversation& connection);

/// Returns what CONNECTION, asked on `asker`, says about the connection with that id. Ends the case
/// unless it is found.
Message entry_of(Stage& stage, Conversation& asker, const base::Bytes& id);

/// The index of the first connection in CONNECTIONS.
std::uint64_t first_index(const WireFormat& format);

/// A CONNECTION that succeeds; of that id where it can be told.
Request existing_connection(const WireFormat& format, const base::Bytes& id);

/// A CONNECTION that fails.
Request absent_connection(const WireFormat& format);

}  // namespace hallmark::conformance
