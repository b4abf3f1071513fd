#pragma once

#include "base/json.hpp"
#include "protocol/codec/decode.hpp"
#include "vectors/format/vector.hpp"

/// The values of plain vectors: a number is its decimal digits in a string, bytes are hexadecimal
/// digits, the records of a group are a list of objects.
namespace hallmark::vectors {

/// The values of a whole message, by field: without opcodes, sizes and counts. What is text in the
/// message is its bytes, as it is spelled there.
base::Json plain_values(const protocol::Decoder& decoder, base::ByteView message);

/// A value that no message has, such as one that is too large for its field.
base::Json plain_value(const Value& value);
base::Json plain_values(const Record& record);

}  // namespace hallmark::vectors
