#pragma once
#include <string_view>
#include <vector>

#include "cli/completion/complete.hpp"

namespace hallmark::cli {

/// The values that an option or a positional argument takes. What a name means is the same in all
/// commands; other options on the line narrow it, such as --dialect the ids of cases. Of an option
/// that is not known here, the placeholder says whether it takes a file or a directory.
Candidates values_of(const OptionDescription& option, const TypedLine& line);

/// The options and positional arguments whose values are known by their name.
std::vector<std::string_view> known_names();

}  // namespace hallmark::cli
