#pragma once

#include "protocol/declare.hpp"
#include "protocol/dialects/ratelimit_udp_readings.hpp"

/// The Rate Limiter of MusicBrainz: a line of text in a datagram, at most one datagram in reply.
namespace hallmark::protocol {
namespace ratelimit_udp_table {

using namespace declare;

inline constexpr Width widths[] = {Width::none};

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
    {"client.id-unused", Level::should, "Client: Request ID",
     "a client does not use the id of a request that waits for its reply again"},
    {"client.commands", Level::must, "Requests", "a client sends a listed command, and its key"},
    {"client.whole-replies", Level::should, "Client processing",
     "a client notices a response that is not of the form of its command's"},
    {"client.silence", Level::should, "Client processing",
     "a client does not wait forever for a response"},
    {"client.assumptions", Level::may, "Client processing",
     "a client may rely on answers that the document leaves open"},
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

namespace tables {

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

}  // namespace tables
}  // namespace hallmark::protocol
