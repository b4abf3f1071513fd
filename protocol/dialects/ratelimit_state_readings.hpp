#pragma once

#include "protocol/dialect.hpp"

/// The questions that the format of states leaves open.
namespace hallmark::protocol::ratelimit_state_table {

inline constexpr Answer header_history[] = {
    {"hex", "`23|` from its first day, as the table of versions says"},
    {"v3", "`v3|` until headers became hexadecimal, as those of versions 1 and 2"}};
inline constexpr Answer legacy_tail[] = {{"bar", "yes, as written"},
                                         {"none", "no, it only shows that fields were removed"}};
inline constexpr Answer legacy_strategy[] = {
    {"fields", "by the number and form of the fields, where only one strategy has them"}};
inline constexpr Answer float_text[] = {
    {"shortest", "`5`: the shortest text of format g"},
    {"point", "`5.0`: as the example of the leaky bucket", Served::no}};
inline constexpr Answer numbers[] = {
    {"plain", "a minus where needed, no plus, no superfluous zeros, decimal, finite"},
    {"lenient", "whatever a library for numbers reads", Served::no}};
inline constexpr Answer quota_count[] = {{"1-to-8", "one to eight"}, {"any", "any number"}};
inline constexpr Answer quota_name[] = {
    {"no-bar", "`$`, but no `|`, which would end it"},
    {"neither", "neither: a `$` would end the first part of a composite", Served::no}};
inline constexpr Answer nested_split[] = {
    {"first", "at the first `$`"},
    {"last", "at the last `$`"},
    {"balanced", "at the `$` that belongs to it", Served::no}};

inline constexpr Reading readings[] = {
    {.id = "header-history",
     .question = "which header fixed window version 3 had before headers became hexadecimal",
     .answers = header_history,
     .favoured = "hex",
     .words = "Version 3 (88ecdd9): Multi-quota combined format - "
              "23|N|quotaName1|count1|startNano1|...|quotaNameN|countN|startNanoN … Replaced "
              "generic \"v2|\" and \"cmp1|\" headers with strategy-specific hex headers",
     .section = "Internal Version History",
     .clause = "silence.header-history"},
    {.id = "legacy-tail",
     .question = "is the last bar of `v2|..|` part of the string",
     .answers = legacy_tail,
     .favoured = "bar",
     .words = "Optimized format - v2|tokens|lastrefill_ns| (removed runtime config)",
     .section = "Internal Version History",
     .clause = "silence.legacy-tail"},
    {.id = "legacy-strategy",
     .question = "how `v1|` and `v2|`, which name no strategy, are told apart",
     .answers = legacy_strategy,
     .favoured = "fields",
     .words = "Replaced generic \"v2|\" and \"cmp1|\" headers with strategy-specific hex headers",
     .section = "Internal Version History",
     .clause = "silence.legacy-strategy"},
    {.id = "float-text",
     .question = "how a float without a fraction is written",
     .answers = float_text,
     .favoured = "shortest",
     .released = "shortest",
     .words = "Current token count (float64, format 'g') … 32|5.0|1761884055342794596",
     .section = "3. Leaky Bucket Strategy",
     .clause = "silence.float-text"},
    {.id = "numbers",
     .question = "which spellings of a number are read",
     .answers = numbers,
     .words = "Number of quotas (decimal) … Last refill time as Unix nanoseconds (int64)",
     .section = "Format Breakdown",
     .clause = "silence.numbers"},
    {.id = "quota-count",
     .question = "how many quotas a fixed window has",
     .answers = quota_count,
     .released = "1-to-8",
     .words = "Number of quotas (decimal)",
     .section = "2. Fixed Window Strategy",
     .clause = "silence.quota-count"},
    {.id = "quota-name",
     .question = "which separators the name of a quota may hold",
     .answers = quota_name,
     .words = "quotaName: String identifier",
     .section = "2. Fixed Window Strategy",
     .clause = "silence.quota-name"},
    {.id = "nested-split",
     .question = "which `$` splits a composite that holds a composite",
     .answers = nested_split,
     .released = "first",
     .words = "Separator between primary and secondary states",
     .section = "5. Composite Strategy",
     .clause = "silence.nested-split"},
};

}  // namespace hallmark::protocol::ratelimit_state_table
