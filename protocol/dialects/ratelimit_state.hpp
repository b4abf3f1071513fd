#pragma once

#include "protocol/declare.hpp"
#include "protocol/dialects/ratelimit_state_readings.hpp"

/// The states of a Go rate-limit library: strings of text in a store, one for each key.
namespace hallmark::protocol {
namespace ratelimit_state_table {

using namespace declare;

inline constexpr Width widths[] = {Width::none};

inline constexpr Clause clauses[] = {
    {"header.form", Level::must, "Header Format",
     "a state starts with two hexadecimal digits: its strategy and the version of its format"},
    {"header.strategy", Level::must, "Strategy ID Mapping",
     "1 token bucket, 2 fixed window, 3 leaky bucket, 4 GCRA, 5 composite"},
    {"header.separator", Level::must, "Ratelimit Data Format Documentation",
     "fields are separated by |"},
    {"token-bucket.format", Level::must, "1. Token Bucket Strategy",
     "12|tokens|lastRefill_unix_nano"},
    {"token-bucket.fraction", Level::must, "1. Token Bucket Strategy",
     "tokens are a float64 in format g and may be fractional"},
    {"token-bucket.time", Level::must, "1. Token Bucket Strategy",
     "lastRefill is in nanoseconds since the Unix epoch, an int64"},
    {"token-bucket.burst", Level::must, "1. Token Bucket Strategy",
     "the burst is the initial number of tokens"},
    {"fixed-window.format", Level::must, "2. Fixed Window Strategy",
     "23|N|quotaName1|count1|startNano1|...|quotaNameN|countN|startNanoN"},
    {"fixed-window.quotas", Level::must, "2. Fixed Window Strategy",
     "N, in decimal, is the number of quotas that follow"},
    {"fixed-window.multiple", Level::must, "2. Fixed Window Strategy",
     "a state holds several quotas, each with its name, count and start"},
    {"fixed-window.time", Level::must, "2. Fixed Window Strategy",
     "startNano is in nanoseconds since the Unix epoch, an int64"},
    {"fixed-window.ttl", Level::should, "2. Fixed Window Strategy",
     "a state is kept until all of its quotas have been reset"},
    {"leaky-bucket.format", Level::must, "3. Leaky Bucket Strategy",
     "32|requests|lastLeak_unix_nano"},
    {"leaky-bucket.fraction", Level::must, "3. Leaky Bucket Strategy", "requests are a float64"},
    {"leaky-bucket.time", Level::must, "3. Leaky Bucket Strategy",
     "lastLeak is in nanoseconds since the Unix epoch, an int64"},
    {"leaky-bucket.burst", Level::must, "3. Leaky Bucket Strategy",
     "the burst is the most that the bucket holds"},
    {"gcra.format", Level::must, "4. GCRA Strategy", "42|tat_unix_nano"},
    {"gcra.tat", Level::must, "4. GCRA Strategy",
     "the TAT is in nanoseconds since the Unix epoch, an int64"},
    {"composite.format", Level::must, "5. Composite Strategy", "51|primaryState$secondaryState"},
    {"composite.nested", Level::must, "5. Composite Strategy",
     "the parts are the encoded states of the primary and the secondary strategy"},
    {"composite.approve", Level::must, "5. Composite Strategy",
     "both strategies must approve a request"},
    {"composite.atomic", Level::must, "5. Composite Strategy",
     "one state is written for both strategies, or none"},
    {"history.token-bucket", Level::should, "Internal Version History",
     "v1|tokens|lastrefill_ns|capacity|refill_rate, then v2|tokens|lastrefill_ns|"},
    {"history.fixed-window", Level::should, "Internal Version History",
     "v1|count|start_ns|duration_ns, then v2|count|start_ns|"},
    {"history.leaky-bucket", Level::should, "Internal Version History",
     "v1|level|lastleak_ns|capacity|leak_rate, then v2|requests|lastleak_ns|"},
    {"history.gcra", Level::should, "Internal Version History",
     "v1|tat_ns|emission_interval_ns|limit_ns, then v2|tat_ns|"},
    {"history.composite", Level::should, "Internal Version History",
     "cmp1|primaryState$secondaryState"},
    {"silence.header-history", Level::should, "Internal Version History",
     "the header of fixed window version 3 keeps to one answer"},
    {"silence.legacy-tail", Level::should, "Internal Version History",
     "the last bar of v2 keeps to one answer"},
    {"silence.legacy-strategy", Level::should, "Internal Version History",
     "v1 and v2 are read as the strategy that reads them"},
    {"silence.float-text", Level::should, "1. Token Bucket Strategy",
     "floats are written as the shortest text of format g; 5 and 5.0 are both read"},
    {"silence.numbers", Level::may, "Format Breakdown",
     "an odd spelling of a number is refused or read as what it says"},
    {"silence.quota-count", Level::may, "2. Fixed Window Strategy",
     "a fixed window has one to eight quotas"},
    {"silence.quota-name", Level::may, "2. Fixed Window Strategy",
     "a name with a $ comes back as it was, or is refused"},
    {"silence.nested-split", Level::may, "5. Composite Strategy",
     "a composite in a composite keeps to one answer"},
    {"silence.malformed", Level::should, "Header Format",
     "a string that is no state of the strategy is refused and is not overwritten"},
    {"silence.token-bucket", Level::should, "1. Token Bucket Strategy",
     "tokens flow in at the rate up to the burst; a request takes one whole token"},
    {"silence.fixed-window", Level::should, "2. Fixed Window Strategy",
     "a request counts in every quota, and only if every count is below its limit"},
    {"silence.leaky-bucket", Level::should, "3. Leaky Bucket Strategy",
     "requests leak out at the rate; one more must fit the bucket"},
    {"silence.gcra", Level::should, "4. GCRA Strategy",
     "the TAT moves on by one interval and is at most burst intervals ahead"},
    // Clauses of the line protocol that adapters speak: docs/adapter.md.
    {"adapter.hello", Level::should, "docs/adapter.md",
     "hello names the implementation and what it supports, alike each time"},
    {"adapter.unsupported", Level::should, "docs/adapter.md",
     "what hello does not list is answered with unsupported, and what it lists is not"},
    {"adapter.error", Level::should, "docs/adapter.md",
     "a request that lacks what it needs is answered with an error"},
    {"adapter.end", Level::should, "docs/adapter.md", "an adapter ends when its input does"},
    {"adapter.no-memory", Level::should, "docs/adapter.md",
     "a decision depends on the state and the time it is given and on nothing before"},
    {"silence.denied", Level::should, "Key Characteristics", "a denied request writes nothing"},
    {"silence.reset", Level::may, "Key Characteristics",
     "reset is when a denied request would be allowed"},
    {"silence.expiry", Level::may, "Key Characteristics",
     "a state is kept five times as long as it takes to come to rest"},
    {"silence.clock", Level::may, "Key Characteristics",
     "a clock that went back is no reason to fail"},
};

constexpr std::string_view tb = "token-bucket";
constexpr std::string_view fw = "fixed-window";
constexpr std::string_view lb = "leaky-bucket";

inline constexpr Field token_bucket_12[] = {
    literal("12|"),
    real("tokens", "tokens"),
    bar("bar before last_refill"),
    signed_decimal("last_refill", unix_nanoseconds),
};
inline constexpr Field token_bucket_v2[] = {
    literal("v2|"),
    real("tokens", "tokens"),
    bar("bar before last_refill"),
    signed_decimal("last_refill", unix_nanoseconds),
    bar("last bar", {"legacy-tail", "bar"}),
};
inline constexpr Field token_bucket_v1[] = {
    literal("v1|"),
    real("tokens", "tokens"),
    bar("bar before last_refill"),
    signed_decimal("last_refill", unix_nanoseconds),
    bar("bar before capacity"),
    real("capacity", "tokens"),
    bar("bar before refill_rate"),
    real("refill_rate", "tokens per second"),
};

inline constexpr Field quota[] = {
    bar("bar before name"),  word_until('|', "name"),
    bar("bar before count"), signed_decimal("count", "requests"),
    bar("bar before start"), signed_decimal("start", unix_nanoseconds),
};
constexpr std::uint64_t any_number = ~std::uint64_t{0};
inline constexpr Field fixed_window_23[] = {
    literal("23|"),
    decimal_count_of("quotas", "quota_count", 1, 8, {"quota-count", "1-to-8"}),
    decimal_count_of("quotas", "quota_count", 0, any_number, {"quota-count", "any"}),
    group("quotas", quota),
};
inline constexpr Field fixed_window_v3[] = {
    literal("v3|"),
    decimal_count_of("quotas", "quota_count", 1, 8, {"quota-count", "1-to-8"}),
    decimal_count_of("quotas", "quota_count", 0, any_number, {"quota-count", "any"}),
    group("quotas", quota),
};
inline constexpr Field fixed_window_v2[] = {
    literal("v2|"),
    signed_decimal("count", "requests"),
    bar("bar before start"),
    signed_decimal("start", unix_nanoseconds),
    bar("last bar", {"legacy-tail", "bar"}),
};
inline constexpr Field fixed_window_v1[] = {
    literal("v1|"),
    signed_decimal("count", "requests"),
    bar("bar before start"),
    signed_decimal("start", unix_nanoseconds),
    bar("bar before duration"),
    signed_decimal("duration", "ns"),
};

inline constexpr Field leaky_bucket_32[] = {
    literal("32|"),
    real("requests", "requests"),
    bar("bar before last_leak"),
    signed_decimal("last_leak", unix_nanoseconds),
};
inline constexpr Field leaky_bucket_v2[] = {
    literal("v2|"),
    real("requests", "requests"),
    bar("bar before last_leak"),
    signed_decimal("last_leak", unix_nanoseconds),
    bar("last bar", {"legacy-tail", "bar"}),
};
inline constexpr Field leaky_bucket_v1[] = {
    literal("v1|"),
    real("level", "requests"),
    bar("bar before last_leak"),
    signed_decimal("last_leak", unix_nanoseconds),
    bar("bar before capacity"),
    real("capacity", "requests"),
    bar("bar before leak_rate"),
    real("leak_rate", "requests per second"),
};

inline constexpr Field gcra_42[] = {literal("42|"), signed_decimal("tat", unix_nanoseconds)};
inline constexpr Field gcra_v2[] = {literal("v2|"), signed_decimal("tat", unix_nanoseconds),
                                    bar("last bar", {"legacy-tail", "bar"})};
inline constexpr Field gcra_v1[] = {
    literal("v1|"),
    signed_decimal("tat", unix_nanoseconds),
    bar("bar before emission_interval"),
    signed_decimal("emission_interval", "ns"),
    bar("bar before limit"),
    signed_decimal("limit", "ns"),
};

inline constexpr Field composite_51[] = {
    literal("51|"),
    nested_state_until('$', false, "primary", {"nested-split", "first"}),
    nested_state_until('$', true, "primary", {"nested-split", "last"}),
    literal("$"),
    nested_state("secondary"),
};
inline constexpr Field composite_cmp1[] = {
    literal("cmp1|"),
    nested_state_until('$', false, "primary", {"nested-split", "first"}),
    nested_state_until('$', true, "primary", {"nested-split", "last"}),
    literal("$"),
    nested_state("secondary"),
};

constexpr std::string_view history = "Internal Version History";

inline constexpr Format formats[] = {
    {"token-bucket/12", tb, "12|", 2, true, {token_bucket_12}, "1. Token Bucket Strategy"},
    {"token-bucket/v2", tb, "v2|", 2, false, {token_bucket_v2}, history},
    {"token-bucket/v1", tb, "v1|", 1, false, {token_bucket_v1}, history},
    {"fixed-window/23", fw, "23|", 3, true, {fixed_window_23}, "2. Fixed Window Strategy"},
    {"fixed-window/v3",
     fw,
     "v3|",
     3,
     false,
     {fixed_window_v3, {}, {"header-history", "v3"}},
     history},
    {"fixed-window/v2", fw, "v2|", 2, false, {fixed_window_v2}, history},
    {"fixed-window/v1", fw, "v1|", 1, false, {fixed_window_v1}, history},
    {"leaky-bucket/32", lb, "32|", 2, true, {leaky_bucket_32}, "3. Leaky Bucket Strategy"},
    {"leaky-bucket/v2", lb, "v2|", 2, false, {leaky_bucket_v2}, history},
    {"leaky-bucket/v1", lb, "v1|", 1, false, {leaky_bucket_v1}, history},
    {"gcra/42", "gcra", "42|", 2, true, {gcra_42}, "4. GCRA Strategy"},
    {"gcra/v2", "gcra", "v2|", 2, false, {gcra_v2}, history},
    {"gcra/v1", "gcra", "v1|", 1, false, {gcra_v1}, history},
    {"composite/51", "composite", "51|", 1, true, {composite_51}, "5. Composite Strategy"},
    {"composite/cmp1", "composite", "cmp1|", 1, false, {composite_cmp1}, history},
};

}  // namespace ratelimit_state_table

namespace tables {

inline constexpr Dialect ratelimit_state{
    .name = "ratelimit-state",
    .document = "Ratelimit Data Format",
    .servers = "the library at b467fa2",
    .transport = Transport::at_rest,
    .widths = ratelimit_state_table::widths,
    .operations = {},
    .pushes = {},
    .readings = ratelimit_state_table::readings,
    .clauses = ratelimit_state_table::clauses,
    .formats = ratelimit_state_table::formats,
};

}  // namespace tables
}  // namespace hallmark::protocol
