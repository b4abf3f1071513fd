#pragma once

#include "captures/format.hpp"

namespace hallmark::captures {

/// Says how well bytes pass for messages.
enum class Fit : std::uint8_t {
  no,       ///< some message is malformed, or holds a value that is not listed
  partial,  ///< all is well, but the last message does not end
  whole,    ///< the last message ends where the bytes end
};

/// Rates bytes that should be requests, one after the other. No bytes at all are `partial`.
Fit fit_as_requests(const Format& format, base::ByteView bytes);

/// Rates bytes that should be one message.
Fit fit_as(const protocol::Layout& layout, base::ByteView bytes);

/// Returns, as one line, why the bytes are not a message.
std::string why_malformed(const protocol::Decoder& decoder);
std::string why_truncated(const protocol::Decoder& decoder, base::ByteView bytes);
std::string why_no_request(const Format& format, std::uint8_t opcode);

/// Bytes that are enough for a hint; more need not be kept for one.
inline constexpr std::size_t most_of_hint = 4096;

/// Returns a hint for bytes that are not requests, or not the reply to `operation`: the option that
/// would make them so, as " (would be requests with --width u32)". Empty if no single option would.
std::string hint_for_requests(const Format& format, base::ByteView bytes);
std::string hint_for_reply(const Format& format, const protocol::Operation& operation,
                           base::ByteView bytes);

}  // namespace hallmark::captures
