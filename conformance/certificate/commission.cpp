#include "conformance/certificate/commission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/number.hpp"
#include "base/quantity.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::certificate {
namespace {

using base::Error;
using base::Json;
using base::JsonMembers;
using base::JsonReader;
using conformance::Asked;
using conformance::CertifyOptions;
using conformance::Pin;
using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;

constexpr std::string_view open = "auto";
constexpr unsigned most_jobs = 64;
constexpr double longest_deadline = 3600;
constexpr std::size_t most_values = 10'000;

const Dialect* dialect_named(std::string_view name) {
  const auto found = std::ranges::find(protocol::all_dialects, name, &Dialect::name);
  return found == std::end(protocol::all_dialects) ? nullptr : *found;
}

/// An adapter and datagrams have a dialect of the width none.
std::optional<Width> width_named(const Dialect* dialect, std::string_view name) {
  constexpr Width all[] = {Width::u8, Width::u16, Width::u32, Width::u64};
  if (dialect != nullptr && dialect->widths.size() == 1 && name.empty())
    return dialect->widths.front();
  const auto* const found =
      std::ranges::find(all, name, [](Width width) { return protocol::name_of(width); });
  return found == std::end(all) ? std::nullopt : std::optional(*found);
}

std::optional<Profile> profile_named(std::string_view name) {
  for (const Profile profile : {Profile::literal, Profile::deployed}) {
    if (protocol::name_of(profile) == name) return profile;
  }
  return std::nullopt;
}

std::string width_text(const std::optional<Width>& width) {
  if (!width) return std::string(open);
  return *width == Width::none ? std::string() : std::string(protocol::name_of(*width));
}

std::vector<std::string> texts(const std::vector<Pin>& pins) {
  std::vector<std::string> all;
  for (const Pin& pin : pins) all.push_back(fmt::format("{}={}", pin.reading, pin.answer));
  return all;
}

std::optional<Pin> pin_of(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) return std::nullopt;
  return Pin{text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::string> read_strings(const JsonReader& reader) {
  if (reader.json().size() > most_values) reader.refuse(fmt::format("at most {}", most_values));
  std::vector<std::string> all;
  for (const JsonReader& item : reader.items()) all.push_back(item.string());
  return all;
}

Pin read_pin(const JsonReader& reader) {
  auto pin = pin_of(reader.string());
  if (!pin) reader.refuse("READING=ANSWER");
  return *std::move(pin);
}

Asked read_asked(JsonMembers& members) {
  Asked asked;
  if (const JsonReader dialect = members["dialect"]; dialect.string() != open) {
    asked.dialect = dialect_named(dialect.string());
    if (asked.dialect == nullptr) dialect.refuse("a dialect that is known");
  }
  if (const JsonReader width = members["width"]; width.string() != open) {
    asked.width = width_named(asked.dialect, width.string());
    if (!asked.width) width.refuse("a width that is known");
  }
  if (const JsonReader profile = members["profile"]; profile.string() != open) {
    asked.profile = profile_named(profile.string());
    if (!asked.profile) profile.refuse("a profile that is known");
  }
  for (const JsonReader& pin : members["readings"].items()) asked.pins.push_back(read_pin(pin));
  return asked;
}

/// True if the option is one of certify and has a value that the command line allows.
bool take(CertifyOptions& options, const reports::Option& option) {
  const std::string_view value = option.value;
  if (option.name == "seed") {
    const auto seed = base::number_in<std::uint64_t>(value);
    options.seed = seed.value_or(0);
    return seed.has_value();
  }
  if (option.name == "jobs") {
    const auto jobs = base::number_in<unsigned>(value);
    options.schedule.jobs = jobs.value_or(1);
    return jobs && *jobs >= 1 && *jobs <= most_jobs;
  }
  if (option.name == "deadline") {
    constexpr base::Unit seconds[] = {{"s"}};
    const auto deadline = base::quantity_in(value, seconds);
    if (!deadline || !(deadline->number > 0) || deadline->number > longest_deadline) return false;
    options.deadline = static_cast<conformance::Time>(std::llround(deadline->number * 1e9));
    return true;
  }
  if (option.name == "slow") return options.schedule.slow = value == "yes";
  if (option.name == "polite") return options.schedule.polite = value == "yes";
  if (option.name == "exclusive") return options.exclusive = value == "yes";
  return false;
}

}  // namespace

Json to_json(const Commission& commission) {
  const Asked& asked = commission.asked;
  const conformance::Filter& filter = commission.filter;
  return {{"dialect", asked.dialect == nullptr ? open : asked.dialect->name},
          {"width", width_text(asked.width)},
          {"profile", asked.profile ? protocol::name_of(*asked.profile) : open},
          {"readings", texts(asked.pins)},
          {"filter", filter.ids},
          {"operation", filter.operations},
          {"level", filter.levels},
          {"clause", filter.clauses},
          {"exclude", filter.excluded},
          {"rules", commission.rules},
          {"estimator", commission.estimator},
          {"key_pattern", commission.key_patterns}};
}

Commission read_commission(const JsonReader& reader) {
  JsonMembers members(reader);
  Commission commission;
  commission.asked = read_asked(members);
  commission.filter = {read_strings(members["filter"]), read_strings(members["operation"]),
                       read_strings(members["level"]), read_strings(members["clause"])};
  // Certificates of hallmark 0.1.0 have been written without it.
  if (const auto excluded = members.find("exclude"))
    commission.filter.excluded = read_strings(*excluded);
  commission.rules = members["rules"].string();
  commission.estimator = members["estimator"].string();
  if (const auto patterns = members.find("key_pattern"))
    commission.key_patterns = read_strings(*patterns);
  members.no_more();
  return commission;
}

base::Result<CertifyOptions> options_of(const Commission& commission,
                                        const reports::RunHeader& header) {
  CertifyOptions options;
  options.target_text = header.target;
  options.asked = commission.asked;
  for (const reports::Option& option : header.options) {
    if (!take(options, option))
      return Error{fmt::format("the option {}={} is none of certify", option.name, option.value)};
  }
  return options;
}

std::optional<Held> held_in(const reports::RunHeader& header) {
  const Dialect* const dialect = dialect_named(header.dialect);
  const auto width = width_named(dialect, header.width);
  if (dialect == nullptr || !width) return std::nullopt;
  Readings readings(*dialect, profile_named(header.profile).value_or(Profile::deployed));
  for (const std::string& text : header.readings) {
    const auto pin = pin_of(text);
    if (!pin || !readings.set(pin->reading, pin->answer)) return std::nullopt;
  }
  return Held{*width, readings};
}

}  // namespace hallmark::certificate
