#pragma once
#include <string_view>

namespace hallmark::audit {

/// The strategy of a state from before version 1, by the names of its members in any case: `Tokens`
/// and `LastRefill`, `Count` and `Start`, `Requests` and `LastLeak`, `TAT`. Empty: the text is no
/// JSON, is longer than such states were, or has other members.
std::string_view strategy_of_json(std::string_view text);

}  // namespace hallmark::audit
