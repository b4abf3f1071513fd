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
  std::string dialect = "throttr-7.3";  ///< as servers that are released today speak
  std::string width = {};               ///< empty: not said
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

/// The options that a command allows to be `auto`: none, or --dialect, --width and --profile.
enum class Automatic { none, all };

/// The kind of target that chooses the dialect if --dialect is not given: none, an address of UDP,
/// or any target (`follow_target`).
enum class Follows { nothing, datagrams, target };

/// Adds the four options to `command`. `target` is who speaks: "the server", "the target".
void add_format_options(Command& command, FormatArguments& arguments, std::string_view target,
                        Follows follows, Automatic allowed = Automatic::none);

/// Chooses the dialect by the target if --dialect is not given, or is `auto`: `udp://…`, `pipe:…`
/// and stores have one dialect each.
void follow_target(const Command& command, std::string_view target, FormatArguments& arguments);

/// Everything given; `auto` is an unknown name here. A width that is not said is `default_width`.
base::Result<Format> read_format(const FormatArguments& arguments);

/// The options with what `serve` has in the place of each that is `auto`.
FormatArguments without_auto(FormatArguments arguments);

/// Reads the options if some may be `auto`. A width that is not said is open, unless the dialect
/// has only one. If the dialect is open, a width has to be one of some dialect, and a --reading one
/// of some.
base::Result<conformance::Asked> read_asked(const FormatArguments& arguments);

/// The readings of a profile with the pins upon them.
base::Result<protocol::Readings> readings_of(const protocol::Dialect& dialect,
                                             protocol::Profile profile,
                                             const std::vector<conformance::Pin>& pins);

/// u16 where the dialect has it, otherwise its first.
protocol::Width default_width(const protocol::Dialect& dialect);

}  // namespace hallmark::cli
