#pragma once

#include <vector>

#include "captures/format.hpp"
#include "captures/input.hpp"

namespace hallmark::captures {

/// Bytes that came without a connection, as messages one behind the other. Events have connection
/// 0 and no times.

/// `operations`: what the requests are, in order; where there are none, their opcodes say it.
void decode_requests(const Format& format,
                     const std::vector<const protocol::Operation*>& operations,
                     base::ByteView bytes, const Sink& sink);

/// The replies to requests of `operations`, in order; pushes between them.
void decode_replies(const Format& format, const std::vector<const protocol::Operation*>& operations,
                    base::ByteView bytes, const Sink& sink);

/// `push`: what they all are; null: their opcodes say it.
void decode_pushes(const Format& format, const protocol::Push* push, base::ByteView bytes,
                   const Sink& sink);

/// Decodes the bytes that both sides sent: requests with their replies.
void decode_dialogue(const Format& format, const std::vector<Utterance>& said, const Sink& sink);

}  // namespace hallmark::captures
