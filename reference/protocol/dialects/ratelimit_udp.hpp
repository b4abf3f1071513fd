#pragma once

#include "reference/protocol/declare.hpp"

/// The Rate Limiter of MusicBrainz: a line of text in a datagram, at most one datagram in reply.
namespace hallmark::protocol {
namespace ratelimit_udp_table {

using namespace declare;

inline constexpr Width widths[] = {Width::none};

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
     .section = "over_limit",
     .clause = "silence.over-when"},
    {.id = "stats-field",
     .question = "what the second field of get_stats is called",
     .answers = stats_field,
     .favoured = "n_over",
     .released = "n_over",
     .section = "get_stats",
     .clause = "get_stats.format"},
    {.id = "size-field",
     .question = "what size= says",
     .answers = size_field,
     .section = "get_size",
     .clause = "silence.size-field"},
    {.id = "udp-id",
     .question = "how a request id comes back",
     .answers = udp_id,
     .released = "digits",
     .section = "Request ID",
     .clause = "silence.udp-id"},
    {.id = "udp-key",
     .question = "where a key ends",
     .answers = udp_key,
     .favoured = "line",
     .released = "line",
     .section = "Examples",
     .clause = "silence.udp-key"},
    {.id = "key-newline",
     .question = "a newline inside a key",
     .answers = key_newline,
     .released = "silence",
     .section = "over_limit",
     .clause = "silence.key-newline"},
    {.id = "empty-key",
     .question = "a key of length 0, after the space",
     .answers = empty_key,
     .released = "key",
     .section = "over_limit",
     .clause = "silence.empty-key"},
    {.id = "udp-silence",
     .question = "what an unrecognised request gets",
     .answers = udp_silence,
     .favoured = "silence",
     .released = "silence",
     .section = "Request commands",
     .clause = "commands.unrecognised"},
    {.id = "default-key",
     .question = "a key that no rule is for",
     .answers = default_key,
     .released = "never-over",
     .section = "over_limit",
     .clause = "silence.default-key"},
    {.id = "long-request",
     .question = "a request of more than 1000 bytes",
     .answers = long_request,
     .section = "Requests",
     .clause = "silence.long-request"},
};

inline constexpr Clause clauses[] = {
    {"transaction.independent", Level::must, "The Rate Limiter",
     "a transaction is independent of all others"},
    {"transaction.one-reply", Level::must, "The Rate Limiter",
     "one datagram in, one datagram out, to where it came from"},
    {"request.form", Level::must, "Requests", "a request id if any, a command, its parameters"},
    {"id.repeated", Level::must, "Request ID",
     "the reply to a request with an id starts with that id and a space"},
    {"id.none", Level::must, "Request ID", "the reply to a request without an id has none"},
    {"id.non-negative", Level::must, "Request ID", "a request id is a non-negative integer"},
    {"commands.unrecognised", Level::must, "Request commands",
     "an unrecognised request is ignored and no response is sent"},
    {"over_limit.use", Level::must, "over_limit", "it tries to make one use of the key"},
    {"over_limit.format", Level::must, "over_limit", "ok %s %.1f %.1f %d"},
    {"over_limit.verdict", Level::must, "over_limit", "Y if the key is over its limit, N if not"},
    {"over_limit.describes", Level::must, "over_limit",
     "rate, limit and period are the key's current rate and its limit"},
    {"get_stats.format", Level::must, "get_stats", "n_req=%d n_over=%d last_max_rate=%d key=%s"},
    {"get_stats.key", Level::must, "get_stats", "the statistics are those of the key asked for"},
    {"get_size.format", Level::must, "get_size", "size=%s keys=%d"},
    {"ping.pong", Level::must, "ping", "the response is pong"},
    {"client.id", Level::should, "Client: Request ID", "a client precedes its requests by an id"},
    {"client.unmatched", Level::should, "Client processing",
     "a response whose id matches no unreplied request is ignored"},
    {"client.timeout", Level::may, "Client processing",
     "after a timeout the client behaves as though over_limit N had been received"},
    {"silence.over-when", Level::should, "over_limit", "at the limit, a key keeps to one answer"},
    {"silence.size-field", Level::may, "get_size", "size= is some text without a space"},
    {"silence.udp-id", Level::should, "Request ID", "a request id comes back digit for digit"},
    {"silence.udp-key", Level::should, "Examples", "a key reaches to the end of the request"},
    {"silence.key-newline", Level::may, "over_limit", "a newline in a key keeps to one answer"},
    {"silence.empty-key", Level::may, "over_limit", "an empty key keeps to one answer"},
    {"silence.missing-key", Level::should, "Request commands",
     "a command without the key that it needs is not recognised"},
    {"silence.binary", Level::may, "over_limit", "a key of any bytes keeps to one answer"},
    {"silence.default-key", Level::may, "over_limit",
     "a key that no rule is for keeps to one answer"},
    {"silence.long-request", Level::may, "Requests",
     "a request of more than 1000 bytes keeps to one answer and harms nobody"},
    {"silence.estimator", Level::should, "over_limit",
     "the rate is the exponentially weighted one of the released server"},
    {"silence.statistics", Level::should, "get_stats",
     "n_req and n_over count the uses of a key and those that were over"},
};

inline constexpr Choice verdicts[] = {{'Y', "over its limit"}, {'N', "not over its limit"}};

inline constexpr Field over_limit_request[] = {tag("request_id"), literal("over_limit "),
                                               line("key")};
inline constexpr Field over_limit_reply[] = {
    tag("request_id"),
    literal("ok "),
    choice("over", verdicts),
    separator("space before rate"),
    decimal("rate", 1, "uses per period"),
    separator("space before limit"),
    decimal("limit", 1, "uses per period"),
    separator("space before period"),
    decimal("period", 0, "seconds"),
};

inline constexpr Field get_stats_request[] = {tag("request_id"), literal("get_stats "),
                                              line("key")};
inline constexpr Field get_stats_reply[] = {
    tag("request_id"),
    literal("n_req="),
    decimal("n_req", 0, "uses"),
    literal(" n_over=", {"stats-field", "n_over"}),
    literal(" over=", {"stats-field", "over"}),
    decimal("n_over", 0, "uses"),
    literal(" last_max_rate="),
    decimal("last_max_rate", 0, "uses per period"),
    literal(" key="),
    line("key"),
};

inline constexpr Field get_size_request[] = {tag("request_id"), literal("get_size")};
inline constexpr Field get_size_reply[] = {tag("request_id"), literal("size="), word("size"),
                                           literal(" keys="), decimal("keys", 0, "keys")};

inline constexpr Field ping_request[] = {tag("request_id"), literal("ping")};
inline constexpr Field ping_reply[] = {tag("request_id"), literal("pong")};

inline constexpr Operation operations[] = {
    {"over_limit", 0, {over_limit_request}, {over_limit_reply}, "over_limit"},
    {"get_stats", 1, {get_stats_request}, {get_stats_reply}, "get_stats"},
    {"get_size", 2, {get_size_request}, {get_size_reply}, "get_size"},
    {"ping", 3, {ping_request}, {ping_reply}, "ping"},
};

}  // namespace ratelimit_udp_table

inline constexpr Dialect ratelimit_udp{
    .name = "ratelimit-udp",
    .document = "The Rate Limiter",
    .servers = "ratelimit-server 958538c",
    .transport = Transport::datagram,
    .widths = ratelimit_udp_table::widths,
    .operations = ratelimit_udp_table::operations,
    .pushes = {},
    .readings = ratelimit_udp_table::readings,
    .clauses = ratelimit_udp_table::clauses,
};

}  // namespace hallmark::protocol
