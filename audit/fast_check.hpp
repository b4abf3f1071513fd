#pragma once
#include <string_view>

#include "audit/checker.hpp"
#include "audit/field_checks.hpp"

namespace hallmark::audit {

/// Checks what is as it would be written today, and composites of two such states, without trying
/// one format after another. False: it is something else, or not canonical, or not what `taken`
/// says; then `formats` and the findings of `checks` mean nothing.
bool check_fast(std::string_view text, const protocol::state::Taken& taken, FieldChecks& checks,
                FormatSet& formats);

}  // namespace hallmark::audit
