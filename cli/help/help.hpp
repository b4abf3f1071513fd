#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/help/description.hpp"

namespace hallmark::cli {

/// The columns that help fits.
inline constexpr std::size_t help_columns = 80;

enum class HelpExtent { common, all };

/// The help of a command, for a terminal of `help_columns`. `common` leaves out what is advanced
/// and says how much that is. A word that is longer than a line stands whole.
std::string render_help(const CommandDescription& command, HelpExtent extent);

/// A paragraph as lines of at most `columns`, broken at blanks.
std::vector<std::string> wrapped(std::string_view paragraph, std::size_t columns);

/// An example of a command line, indented, as lines of at most `columns`; all but the last end with
/// a backslash, so that a shell takes them as they stand. Quoted text is not broken.
std::vector<std::string> wrapped_example(std::string_view line, std::size_t columns);

}  // namespace hallmark::cli
