#pragma once
#include <string_view>

namespace hallmark::pages {

/// The page up to the results, and from behind them: markup, style and program. The security policy
/// in it allows these and nothing else.
extern const std::string_view before_results;
extern const std::string_view behind_results;

}  // namespace hallmark::pages
