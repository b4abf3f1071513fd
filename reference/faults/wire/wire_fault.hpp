#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "protocol/codec/decode.hpp"
#include "reference/faults/bug.hpp"
#include "reference/session/session.hpp"

namespace hallmark::faults {

using base::Bytes;
using protocol::Decoder;
using protocol::Record;
using server::Delivery;

/// A bug's memory of one connection.
struct WireMemory {
  bool mute = false;           ///< nothing is answered any more
  std::uint64_t failures = 0;  ///< replies of failure so far
};

/// One message of one connection on its way.
struct WireContext {
  const protocol::Layout& layout;
  std::uint64_t number;  ///< the request's number within its connection, from 1
  WireMemory& memory;
};

/// The way in which a server takes the arriving bytes apart.
enum class WireFraming : std::uint8_t {
  right,
  one_request_a_read,  ///< drops everything after the first request
  partial_dropped,     ///< drops everything that is not a whole request
  buffer_of_1024,      ///< drops everything beyond 1024 bytes
  begin_dropped,       ///< drops the first 8 bytes of a request, or fewer, that end a long read
  codes_shifted,       ///< opcodes are one too high
  batch_reversed,      ///< requests that arrive together are answered in the reverse order
  c_strings,           ///< drops bytes behind a partial request if they start with zero
  empty_name_waits,    ///< waits for more if bytes arrived in parts and end with zero
  failures_merged,     ///< tells only one of several failures in a row in a batch
  first_only,          ///< answers only the first request of a batch
};

/// One bug's way of spoiling requests or replies. Everything that is not set stays right.
struct WireFault {
  std::vector<protocol::MessageName> operations = {};  ///< whose messages are spoilt; empty: all
  WireFraming framing = WireFraming::right;
  bool unknown = false;  ///< the server does not know these operations
  /// The values of a request as they were sent.
  std::function<void(Record&, const WireContext&)> request = {};
  /// The values of a reply before it is encoded.
  std::function<void(Record&, const WireContext&)> reply = {};
  /// The bytes of a reply, with the decoder that has read them.
  std::function<void(Bytes&, const Decoder&, const WireContext&)> bytes = {};
  /// Deliveries; those behind the first `earlier` came from this request.
  std::function<void(std::vector<Delivery>&, std::size_t earlier)> deliveries = {};
};

/// A session around `inner` that takes requests apart, hands them on one by one, and spoils what
/// they or their replies hold. `inner` is of that width and of the context's readings.
std::unique_ptr<server::Session> faulty(std::unique_ptr<server::Session> inner,
                                        protocol::Width width,
                                        const server::SessionContext& context,
                                        const WireFault& fault);

// Codes of bugs that spoil messages; `operations` are theirs, none: all.

Code wire(WireFault fault);
Code of_framing(WireFraming framing);
Code of_request(protocol::MessageName operation, void (*change)(Record&));
Code of_reply(std::vector<protocol::MessageName> operations, void (*change)(Record&));
Code of_bytes(std::vector<protocol::MessageName> operations,
              void (*change)(Bytes&, const Decoder&, const WireContext&));
/// The records of that group, in each fragment of a listing.
Code of_entries(protocol::MessageName operation, protocol::FieldName group,
                void (*change)(std::vector<Record>&));
/// A listing announces one fragment too many.
Code one_fragment_more(protocol::MessageName operation);

}  // namespace hallmark::faults
