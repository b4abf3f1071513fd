#pragma once
#include "audit/checker.hpp"

namespace hallmark::audit {

/// Checks old strings, and composites of two such states, without trying one format after another:
/// formats, evidence, findings, and the plan but for `rewritten`. False: it is something else, or
/// takes a closer look; then `checked` means nothing.
bool check_fast_legacy(std::string_view text, const Expectation& expected, const Limits& limits,
                       Checked& checked);

}  // namespace hallmark::audit
