#pragma once
#include <string>

#include "loadgen/engine/run.hpp"
#include "reports/load/load_identity.hpp"

namespace hallmark::loadgen {

/// A hash, 16 hexadecimal digits, of the options that all shares of a run have in common: of those
/// that decide which requests are sent when, and how long their replies are waited for. Without the
/// target.
std::string options_hash(const LoadOptions& options);

/// The identity of a run, or of a share of it, that starts at `started`. Shares that are given no
/// run_id agree on one by their start, their options and their target.
reports::RunIdentity identity_of(const LoadOptions& options,
                                 std::chrono::sys_time<std::chrono::milliseconds> started);

}  // namespace hallmark::loadgen
