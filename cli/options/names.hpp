#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "protocol/readings.hpp"

/// Names as they come from the command line. Each error is one line that says what came and what
/// is allowed.
namespace hallmark::cli {

base::Result<const protocol::Dialect*> dialect_named(std::string_view name);

/// "u8", "u16", "u32" or "u64", where the dialect has that width.
base::Result<protocol::Width> width_named(const protocol::Dialect& dialect, std::string_view name);

/// "deployed" or "literal".
base::Result<protocol::Profile> profile_named(std::string_view name);

/// Finds an operation by its name; upper and lower case are the same.
base::Result<const protocol::Operation*> operation_named(const protocol::Dialect& dialect,
                                                         std::string_view name);

/// At most `most` of `names` that look most like `came`, best first; none that is no more like it
/// than any other text. Prefixes and missing parts count little, so that
/// `insert/typical` finds `throttr-7.1/u16/insert/typical`.
std::vector<std::string> near_matches(std::string_view came, std::span<const std::string> names,
                                      std::size_t most = 3);

}  // namespace hallmark::cli
