#pragma once

#include <string>
#include <string_view>

namespace hallmark::cli {

/// Tells GitHub Actions of a result: prints `annotations`, which are workflow commands, to standard
/// output, and appends `summary` to the file that GITHUB_STEP_SUMMARY names, if it names one.
/// Returns false, after one line that `command` complains with, if the file cannot be written.
bool tell_github(std::string_view command, const std::string& annotations,
                 const std::string& summary);

}  // namespace hallmark::cli
