#pragma once

#include <chrono>
#include <string>

#include "base/error.hpp"
#include "cli/decode/format_options.hpp"
#include "conformance/identify/identification.hpp"

namespace hallmark::cli {

/// How much is asked of a target that is to be identified.
enum class Depth { layouts, behaviour };

/// Asks the target what it speaks, with keys that no other run has. Error: one line for a text that
/// is no target; one that cannot be reached is in the identification.
base::Result<conformance::Identification> identified(const std::string& target,
                                                     std::chrono::nanoseconds deadline,
                                                     Depth depth);

/// True if the options leave open what the target speaks.
bool leave_open(const FormatArguments& arguments);

/// The options without `auto`, after the target was asked: the answers that it told stand upon the
/// profile `deployed`, and --reading upon both.
/// Error: one line; the target cannot be reached, is no Throttr, or speaks something else.
base::Result<FormatArguments> settled(const FormatArguments& arguments, const std::string& target,
                                      std::chrono::nanoseconds deadline);

}  // namespace hallmark::cli
