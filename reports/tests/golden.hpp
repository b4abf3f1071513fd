#pragma once
#include <string>
#include <string_view>

namespace hallmark::reports {

/// Compares `text` with reports/tests/golden/`name` and shows the first line that differs. With
/// HALLMARK_UPDATE_GOLDEN=1 in the environment the file is written instead, and the test fails
/// when that changed it, so that no run which updates counts as a pass.
void expect_golden(std::string_view name, const std::string& text);

}  // namespace hallmark::reports
