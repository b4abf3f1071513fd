#pragma once

#include "base/json.hpp"
#include "protocol/codec/decode.hpp"
#include "vectors/format/vector.hpp"

/// The values of plain vectors: a number is its decimal digits in a string, bytes are hexadecimal
/// digits, the records of a group are a list of objects. Bytes are those of the whole field: with
/// the zeros that pad it, and with the space behind a request id.
namespace hallmark::vectors {

/// The values of a whole message, by field: without opcodes, sizes and counts. What is text in the
/// message is its bytes, as it is spelled there.
base::Json plain_values(const protocol::Decoder& decoder, base::ByteView message);

/// The values of a record that no message may have: one may be too large for its field.
base::Json plain_values(const protocol::Layout& layout, const Record& record);

/// A number or bytes. Precondition: the value is not the records of a group.
base::Json plain_value(const Value& value);

}  // namespace hallmark::vectors
