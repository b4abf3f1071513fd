#include "certificate/commission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "reference/protocol/dialects/all.hpp"

namespace hallmark::certificate {
namespace {

using conformance::Asked;
using conformance::CertifyOptions;
using conformance::Pin;
using protocol::Dialect;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using reports::Error;
using Json = nlohmann::ordered_json;

constexpr std::string_view open = "auto";
constexpr unsigned most_jobs = 64;
constexpr double longest_deadline = 3600;
constexpr std::size_t most_values = 10'000;

const Dialect* dialect_named(std::string_view name) {
  const auto found = std::ranges::find(protocol::all_dialects, name, &Dialect::name);
  return found == std::end(protocol::all_dialects) ? nullptr : *found;
}

/// Of an adapter and of datagrams, the dialect has the width none.
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

struct WrongEntry {
  std::string what;
};

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string())
    throw WrongEntry{fmt::format("the commission has no text \"{}\"", key)};
  return found->get<std::string>();
}

std::vector<std::string> texts_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array() || found->size() > most_values)
    throw WrongEntry{fmt::format("the commission has no list \"{}\"", key)};
  std::vector<std::string> all;
  for (const Json& one : *found) {
    if (!one.is_string())
      throw WrongEntry{fmt::format("\"{}\" lists something else than texts", key)};
    all.push_back(one.get<std::string>());
  }
  return all;
}

Asked asked_of(const Json& json) {
  Asked asked;
  const std::string dialect = text_at(json, "dialect");
  if (dialect != open) {
    asked.dialect = dialect_named(dialect);
    if (asked.dialect == nullptr)
      throw WrongEntry{fmt::format("no dialect \"{}\" is known", dialect)};
  }
  if (const std::string width = text_at(json, "width"); width != open) {
    asked.width = width_named(asked.dialect, width);
    if (!asked.width) throw WrongEntry{fmt::format("no width \"{}\" is known", width)};
  }
  if (const std::string profile = text_at(json, "profile"); profile != open) {
    asked.profile = profile_named(profile);
    if (!asked.profile) throw WrongEntry{fmt::format("no profile \"{}\" is known", profile)};
  }
  for (const std::string& text : texts_at(json, "readings")) {
    auto pin = pin_of(text);
    if (!pin) throw WrongEntry{fmt::format("\"{}\" is no READING=ANSWER", text)};
    asked.pins.push_back(std::move(*pin));
  }
  return asked;
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Whether the option is one, and has a value that the command line allows.
bool take(CertifyOptions& options, const reports::Option& option) {
  std::string_view value = option.value;
  if (option.name == "seed") {
    const auto seed = number<std::uint64_t>(value);
    options.seed = seed.value_or(0);
    return seed.has_value();
  }
  if (option.name == "jobs") {
    const auto jobs = number<unsigned>(value);
    options.schedule.jobs = jobs.value_or(1);
    return jobs && *jobs >= 1 && *jobs <= most_jobs;
  }
  if (option.name == "deadline") {
    if (!value.ends_with('s')) return false;
    value.remove_suffix(1);
    const auto seconds = number<double>(value);
    if (!seconds || !(*seconds > 0) || *seconds > longest_deadline) return false;
    options.deadline = static_cast<conformance::Time>(std::llround(*seconds * 1e9));
    return true;
  }
  if (option.name == "slow") return options.schedule.slow = value == "yes";
  if (option.name == "exclusive") return options.exclusive = value == "yes";
  return false;
}

}  // namespace

bool is_whole(const conformance::Filter& filter) {
  return filter.ids.empty() && filter.operations.empty() && filter.levels.empty() &&
         filter.clauses.empty();
}

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
          {"rules", commission.rules},
          {"estimator", commission.estimator}};
}

reports::Result<Commission> commission_of(const Json& json) {
  try {
    if (!json.is_object()) throw WrongEntry{"the commission is no object"};
    return Commission{asked_of(json),
                      {texts_at(json, "filter"), texts_at(json, "operation"),
                       texts_at(json, "level"), texts_at(json, "clause")},
                      text_at(json, "rules"),
                      text_at(json, "estimator")};
  } catch (const WrongEntry& wrong) {
    return Error{wrong.what};
  }
}

reports::Result<CertifyOptions> options_of(const Commission& commission,
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
