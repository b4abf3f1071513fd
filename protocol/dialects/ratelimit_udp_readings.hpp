#pragma once

#include "protocol/dialect.hpp"

/// The questions that the document of the Rate Limiter leaves open.
namespace hallmark::protocol::ratelimit_udp_table {

inline constexpr Answer over_when[] = {{"at-limit", "over when the rate is the limit or more"},
                                       {"above", "over when the rate is more than the limit"}};
inline constexpr Answer stats_field[] = {{"n_over", "n_over=, as the format says"},
                                         {"over", "over=, as the example shows"}};
inline constexpr Answer size_field[] = {{"word", "some text without a space"}};
inline constexpr Answer udp_id[] = {
    {"digits", "the digits as they were sent"},
    {"number", "the number that they make: leading zeros get lost, and what 64 bits do not hold"}};
inline constexpr Answer udp_key[] = {{"line", "all the rest of the datagram, spaces included"},
                                     {"word", "up to the first space; the rest is ignored"}};
inline constexpr Answer key_newline[] = {{"silence", "no reply"}, {"part", "is part of the key"}};
inline constexpr Answer empty_key[] = {{"key", "is a key like any other"}, {"silence", "no reply"}};
inline constexpr Answer udp_silence[] = {{"silence", "no reply"}};
inline constexpr Answer default_key[] = {{"never-over", "is never over a limit"},
                                         {"limited", "has a limit all the same"},
                                         {"silence", "gets no reply"}};
inline constexpr Answer long_request[] = {
    {"silence", "no reply"}, {"cut", "is read as far as 1000 bytes"}, {"read", "is read whole"}};

inline constexpr Reading readings[] = {
    {.id = "over-when",
     .question = "is a key over its limit at the limit, or above it",
     .answers = over_when,
     .released = "at-limit",
     .words = "Y if the key is over its limit, N if not",
     .section = "over_limit",
     .clause = "silence.over-when"},
    {.id = "stats-field",
     .question = "what the second field of get_stats is called",
     .answers = stats_field,
     .favoured = "n_over",
     .released = "n_over",
     .words = "n_req=2 over=1 last_max_rate=1 key=some-key … Response: n_req=%d n_over=%d "
              "last_max_rate=%d key=%s",
     .section = "get_stats",
     .clause = "get_stats.format"},
    {.id = "size-field",
     .question = "what size= says",
     .answers = size_field,
     .words = "Response: size=%s keys=%d",
     .section = "get_size",
     .clause = "silence.size-field"},
    {.id = "udp-id",
     .question = "how a request id comes back",
     .answers = udp_id,
     .released = "digits",
     .words = "the client SHOULD generate a request ID (a non-negative integer), then precede the "
              "request by the ID and a space.",
     .section = "Request ID",
     .clause = "silence.udp-id"},
    {.id = "udp-key",
     .question = "where a key ends",
     .answers = udp_key,
     .favoured = "line",
     .released = "line",
     .words = "Arguments: key … 472 over_limit ws ip=74.11.99.155",
     .section = "Examples",
     .clause = "silence.udp-key"},
    {.id = "key-newline",
     .question = "a newline inside a key",
     .answers = key_newline,
     .released = "silence",
     .words = "Arguments: key",
     .section = "over_limit",
     .clause = "silence.key-newline"},
    {.id = "empty-key",
     .question = "a key of length 0, after the space",
     .answers = empty_key,
     .released = "key",
     .words = "Arguments: key",
     .section = "over_limit",
     .clause = "silence.empty-key"},
    {.id = "udp-silence",
     .question = "what an unrecognised request gets",
     .answers = udp_silence,
     .favoured = "silence",
     .released = "silence",
     .words = "Any unrecognised request is ignored, and no response is sent.",
     .section = "Request commands",
     .clause = "commands.unrecognised"},
    {.id = "default-key",
     .question = "a key that no rule is for",
     .answers = default_key,
     .released = "never-over",
     .words = "The rate, limit and period describe the current rate, and the limit, for this key.",
     .section = "over_limit",
     .clause = "silence.default-key"},
    {.id = "long-request",
     .question = "a request of more than 1000 bytes",
     .answers = long_request,
     .words = "each request consists of a single UDP packet from client to server, followed by a "
              "single UDP packet from server to client.",
     .section = "Requests",
     .clause = "silence.long-request"},
};

}  // namespace hallmark::protocol::ratelimit_udp_table
