#pragma once
#include <filesystem>
#include <span>
#include <string_view>
#include <variant>

#include "base/error.hpp"
#include "reports/load/knee.hpp"
#include "reports/load/load_comparison.hpp"
#include "reports/load/load_result.hpp"
#include "reports/result.hpp"

namespace hallmark::reports {

/// A result that `hallmark certify` or `hallmark load` writes: a Knee with --search, a
/// LoadComparison with --versus.
using SavedResult = std::variant<CertifyResult, LoadResult, Knee, LoadComparison>;

/// The most that a file of a saved result may have: 256 MiB.
inline constexpr std::size_t most_saved_bytes = std::size_t{256} << 20;

/// Reads what `render_json` wrote. Anything else is one line that names `source`, the place in the
/// document, what came and what was expected. `others`: formats that the caller reads itself.
base::Result<SavedResult> parse_result(std::string_view json, std::string_view source,
                                       std::span<const std::string_view> others = {});

/// Does the same as `parse_result` with a file of at most `most_saved_bytes`.
base::Result<SavedResult> read_result(const std::filesystem::path& path);

}  // namespace hallmark::reports
