#pragma once
#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace hallmark::base {

/// Base64 with padding (RFC 4648, section 4), in one line.
std::string to_base64(ByteView bytes);

/// Reads what `to_base64` writes. Nothing: a character, the length or the padding is not base64, or
/// bits are left over that are not 0.
std::optional<Bytes> from_base64(std::string_view text);

/// Reads base64 as mail, PEM files and URLs write it: with either alphabet of RFC 4648, padded or
/// not, blanks and line ends anywhere. Error: the first thing that is not base64.
Result<Bytes> from_any_base64(std::string_view text);

}  // namespace hallmark::base
