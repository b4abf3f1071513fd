#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.hpp"
#include "conformance/drivers/stream/requests.hpp"
#include "conformance/drivers/stream/wire_format.hpp"
#include "protocol/codec/decode.hpp"

namespace hallmark::conformance {

/// A request as bytes.
struct Outgoing {
  /// Some bytes of it.
  struct Place {
    std::size_t offset;
    std::size_t length;
  };

  const protocol::Operation* operation;
  base::Bytes bytes;
  /// The place for a request id, which the sending connection fills in; nothing: it has one, or
  /// needs none.
  std::optional<Place> id_at = {};
};

/// The request in the words of the format's dialect. Ends the case (CaseEnded) where the dialect
/// has no such operation or field, or a value is too large for it.
Outgoing encoded(const WireFormat& format, const Request& request);

/// The id that a request carries; nothing where the dialect has none.
std::optional<std::uint64_t> request_id(const WireFormat& format, const Outgoing& request);

/// Returns the place of the request id in a message of that layout; nothing if it has none, or not
/// a whole one.
std::optional<protocol::FieldValue> place_of_id(const protocol::Layout& layout,
                                                base::ByteView message);

}  // namespace hallmark::conformance
