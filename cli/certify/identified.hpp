#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "cli/decode/format_options.hpp"
#include "conformance/identify/identification.hpp"

namespace hallmark::cli {

/// The depth of an identification: message layouts only, or the target's behaviour as well.
enum class Depth { layouts, behaviour };

/// Asks the target what it speaks, with keys that no other run has. Error: one line for a text that
/// is no target; one that cannot be reached is in the identification.
base::Result<conformance::Identification> identified(const std::string& target,
                                                     std::chrono::nanoseconds deadline,
                                                     Depth depth);

/// A format that nobody said, as the target's replies tell it.
struct Settled {
  FormatArguments format;  ///< without `auto`
  std::string found;       ///< one line on what was found, and on the options that pin it
};

/// True if the options leave open what the target speaks. Error: one line; they are not allowed.
base::Result<bool> leave_open(const FormatArguments& arguments);

/// The options without `auto`, after the target was asked. With the profile `auto` the answers that
/// it told stand upon `deployed`; --reading outranks both. Nothing if the target cannot be reached.
/// Error: one line; the target is no Throttr, or speaks something else.
base::Result<std::optional<Settled>> settled(const FormatArguments& arguments,
                                             const std::string& target,
                                             std::chrono::nanoseconds deadline);

/// One line that names the options that are right, for a run that failed although they were given:
/// "the target answers as throttr-7.1 u16: --dialect throttr-7.1 --width u16". Empty if the target
/// does speak `format`, or what it speaks cannot be told.
std::string advice_on(const Format& format, const std::string& target,
                      std::chrono::nanoseconds deadline);

}  // namespace hallmark::cli
