#include "cli/decode/format_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/endpoint.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/names.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using conformance::Asked;
using conformance::Pin;
using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;

Result<Pin> read_pin(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return Error{fmt::format(
        "--reading {}; allowed: READING=ANSWER, both as `hallmark readings` prints them", text)};
  }
  return Pin{text.substr(0, equals), text.substr(equals + 1)};
}

Result<std::vector<Pin>> read_pins(const std::vector<std::string>& texts) {
  std::vector<Pin> pins;
  for (const std::string& text : texts) {
    auto pin = read_pin(text);
    if (!pin) return pin.error();
    pins.push_back(std::move(*pin));
  }
  return pins;
}

/// Null for `auto`.
Result<const Dialect*> read_dialect(std::string_view name) {
  if (name == automatic) return static_cast<const Dialect*>(nullptr);
  return dialect_named(name);
}

/// Some dialect has all widths.
const Dialect& widest() {
  return **std::ranges::max_element(protocol::throttr_dialects, {},
                                    [](const Dialect* one) { return one->widths.size(); });
}

Result<std::optional<Width>> read_width(const Dialect* dialect, const std::string& name) {
  const bool only_one = dialect != nullptr && dialect->widths.size() == 1;
  if (name.empty() && only_one) return std::optional<Width>(dialect->widths.front());
  if (name == automatic || name.empty()) return std::optional<Width>{};
  const auto width = width_named(dialect == nullptr ? widest() : *dialect, name);
  if (!width) return width.error();
  return std::optional<Width>(*width);
}

Result<std::optional<Profile>> read_profile(std::string_view name) {
  if (name == automatic) return std::optional<Profile>{};
  const auto profile = profile_named(name);
  if (!profile) return profile.error();
  return std::optional<Profile>(*profile);
}

/// A pin is right when the dialect, or where that is open any dialect, has the reading and answer.
Result<void> check_pin(const Dialect* dialect, const Pin& pin) {
  Result<void> checked = {};
  for (const Dialect* const one : protocol::all_dialects) {
    if (dialect != nullptr && dialect != one) continue;
    Readings readings(*one, Profile::deployed);
    const auto set = readings.set(pin.reading, pin.answer);
    if (set) return {};
    // The error of a dialect that has the reading says best what is wrong.
    if (checked || !readings.answer_called(pin.reading).empty()) checked = set;
  }
  return checked;
}

/// Every transport has a dialect.
const Dialect& first_over(protocol::Transport transport) {
  return **std::ranges::find(protocol::all_dialects, transport, &Dialect::transport);
}

/// Names the targets by which the dialect is chosen, for the help.
std::string followed(Follows follows) {
  if (follows == Follows::nothing) return {};
  std::string text = fmt::format("; at udp://… {}", first_over(protocol::Transport::datagram).name);
  if (follows == Follows::target)
    text += fmt::format(", pipe:… {}", first_over(protocol::Transport::at_rest).name);
  return text;
}

std::string or_auto(bool allowed) { return allowed ? "; auto: finds out" : ""; }

}  // namespace

Width default_width(const Dialect& dialect) {
  const auto found = std::ranges::find(dialect.widths, Width::u16);
  return found == dialect.widths.end() ? dialect.widths.front() : *found;
}

Result<Readings> readings_of(const Dialect& dialect, Profile profile,
                             const std::vector<Pin>& pins) {
  Readings readings(dialect, profile);
  for (const Pin& pin : pins) {
    const auto set = readings.set(pin.reading, pin.answer);
    if (!set) return set.error();
  }
  return readings;
}

Result<Format> read_format(const FormatArguments& arguments) {
  const auto dialect = dialect_named(arguments.dialect);
  if (!dialect) return dialect.error();
  auto width = Result<Width>(default_width(**dialect));
  if (!arguments.width.empty()) width = width_named(**dialect, arguments.width);
  if (!width) return width.error();
  const auto profile = profile_named(arguments.profile);
  if (!profile) return profile.error();
  const auto pins = read_pins(arguments.readings);
  if (!pins) return pins.error();
  const auto readings = readings_of(**dialect, *profile, *pins);
  if (!readings) return readings.error();
  return Format{*width, *readings};
}

FormatArguments without_auto(FormatArguments arguments) {
  const FormatArguments served;
  if (arguments.dialect == automatic) arguments.dialect = served.dialect;
  if (arguments.width == automatic) arguments.width = served.width;
  if (arguments.profile == automatic) arguments.profile = served.profile;
  return arguments;
}

Result<Asked> read_asked(const FormatArguments& arguments) {
  const auto dialect = read_dialect(arguments.dialect);
  if (!dialect) return dialect.error();
  const auto width = read_width(*dialect, arguments.width);
  if (!width) return width.error();
  const auto profile = read_profile(arguments.profile);
  if (!profile) return profile.error();
  auto pins = read_pins(arguments.readings);
  if (!pins) return pins.error();
  for (const Pin& pin : *pins) {
    const auto checked = check_pin(*dialect, pin);
    if (!checked) return checked.error();
  }
  return Asked{*dialect, *width, *profile, std::move(*pins)};
}

void add_format_options(Command& command, FormatArguments& arguments, std::string_view target,
                        Follows follows, Automatic allowed) {
  std::vector<std::string_view> dialects;
  for (const Dialect* const dialect : protocol::all_dialects) dialects.push_back(dialect->name);
  const bool finds_out = allowed == Automatic::all;
  const std::string found_out = or_auto(finds_out);
  command
      .add_option("--dialect", arguments.dialect,
                  fmt::format("What {} speaks: {}{}{}", target, fmt::join(dialects, ", "),
                              found_out, followed(follows)))
      ->capture_default_str();
  command.add_option(
      "--width", arguments.width,
      fmt::format("Value width of {}: u8, u16, u32, u64{}; throttr-2.0 has u64\n"
                  "only; default: {}",
                  target, found_out, finds_out ? automatic : "u16 where the dialect has it"));
  command
      .add_option("--profile", arguments.profile,
                  fmt::format("How {} reads its document: deployed (as released servers), literal "
                              "(as the text says){}",
                              target, found_out))
      ->capture_default_str();
  command
      .add_option("--reading", arguments.readings,
                  "One answer otherwise than in the profile; several allowed; `hallmark readings`\n"
                  "prints them all")
      ->type_name("READING=ANSWER")
      ->allow_extra_args(false);  // what follows is not another one
}

void follow_target(const Command& command, std::string_view target, FormatArguments& arguments) {
  if (command.count("--dialect") > 0 && arguments.dialect != automatic) return;
  if (base::has_scheme_of<base::UdpEndpoint>(target))
    arguments.dialect = first_over(protocol::Transport::datagram).name;
  if (base::has_scheme_of<base::PipeEndpoint>(target) || base::names_store(target))
    arguments.dialect = first_over(protocol::Transport::at_rest).name;
}

}  // namespace hallmark::cli
