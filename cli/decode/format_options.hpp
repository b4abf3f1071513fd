#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "conformance/engine/asked.hpp"
#include "protocol/readings.hpp"

namespace CLI {
class App;
}

/// The options --dialect, --width, --profile and --reading, which several commands share: they say
/// what is spoken. Each error is one line that says what came and what is allowed.
namespace hallmark::cli {

class Command;

/// The options as they were typed; everything is checked when they are read.
struct FormatArguments {
  std::string dialect = "throttr-7.1";
  std::string width = {};  ///< empty: u16, or the first width of a dialect without it
  std::string profile = "deployed";
  std::vector<std::string> readings = {};  ///< READING=ANSWER each
};

/// The format that the options name if none of them is `auto`.
struct Format {
  protocol::Width width;
  protocol::Readings readings;
  const protocol::Dialect& dialect() const { return readings.dialect(); }
};

inline constexpr std::string_view automatic = "auto";

/// The parts that a command allows to be `auto`: none, --dialect and --width, or --profile as well.
enum class Automatic { none, format, profile };

/// Adds the four options to `command`. `target` is who speaks: "the server", "the target".
void add_format_options(Command& command, FormatArguments& arguments, std::string_view target,
                        Automatic allowed = Automatic::none);

/// Chooses the dialect by the target if --dialect is not given: `udp://…`, `pipe:…` and stores have
/// one dialect each.
void follow_target(const Command& command, std::string_view target, FormatArguments& arguments);

/// Everything given; `auto` is an unknown name here.
base::Result<Format> read_format(const FormatArguments& arguments);

/// Reads the options if some may be `auto`. If the dialect is, a width has to be one of some
/// dialect, and a --reading one of some.
base::Result<conformance::Asked> read_asked(const FormatArguments& arguments);

/// The readings of a profile with the pins upon them.
base::Result<protocol::Readings> readings_of(const protocol::Dialect& dialect,
                                             protocol::Profile profile,
                                             const std::vector<conformance::Pin>& pins);

/// u16 where the dialect has it, otherwise its first.
protocol::Width default_width(const protocol::Dialect& dialect);

}  // namespace hallmark::cli
