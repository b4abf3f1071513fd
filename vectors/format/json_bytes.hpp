#pragma once

#include "base/hex.hpp"
#include "base/json_reader.hpp"

/// Bytes in vector files. Those of a message are hexadecimal digits; the value of a field is text
/// where all of it is printable. Of both, what repeats is a run: `{"hex": "5a", "times": 70000}`.
namespace hallmark::vectors {

/// `"0107"`, or a list of digits and of runs: `["0107", {"hex": "6b", "times": 255}]`.
base::Json hex_json(base::ByteView bytes);

/// Reads what `hex_json` writes: at most 16 MiB.
base::Bytes read_hex(const base::JsonReader& reader);

/// `"text"`, `{"text": ["text", {"text": "k", "times": 255}]}`, or `{"hex": …}` with what
/// `hex_json` writes.
base::Json value_json(base::ByteView bytes);

/// Reads what `value_json` writes.
base::Bytes read_value_bytes(const base::JsonReader& reader);

}  // namespace hallmark::vectors
