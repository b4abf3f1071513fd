#pragma once
#include <optional>
#include <span>
#include <string>

#include "base/error.hpp"
#include "reports/load/load_result.hpp"

namespace hallmark::loadgen {

/// Says why results do not belong together, in one line with the names of two of them; nothing:
/// they do. Runs have their dialect, loop, target, options and objectives in common. Shares are of
/// one run and overlap in time, and each is there once.
std::optional<base::Error> merge_refusal(std::span<const reports::LoadResult> runs,
                                         std::span<const std::string> names);

}  // namespace hallmark::loadgen
