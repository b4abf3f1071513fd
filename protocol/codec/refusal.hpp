#pragma once

#include <optional>

#include "protocol/codec/decode.hpp"

namespace hallmark::protocol {

/// Why bytes are not exactly one message of that layout; nothing if they are. `decode` says so,
/// too; of bytes that end too early, this also names the field in which they end. The field is
/// empty where bytes are left over. A message of more than 16 MiB is refused.
std::optional<Malformed> refusal(const Layout& layout, base::ByteView message);

}  // namespace hallmark::protocol
