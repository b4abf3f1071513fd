#include "reports/json_reader.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "reports/text.hpp"

namespace hallmark::reports {
namespace {

std::string what_came(const nlohmann::json* came) {
  if (came == nullptr) return "nothing";
  if (came->is_object() || came->is_array()) return fmt::format("an {}", came->type_name());
  using Handler = nlohmann::json::error_handler_t;
  return shorten(printable(came->dump(-1, ' ', false, Handler::replace)), 60);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<std::uint64_t> big_integer(std::string_view digits) {
  std::uint64_t value = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  const bool canonical = error == std::errc() && stop == end && digits[0] != '0';
  if (!canonical || value <= json_fields::max_plain_integer) return std::nullopt;
  return value;
}

/// "2024-05-01T12:30:00.250Z" and nothing else, so that what is written reads back the same.
std::optional<std::chrono::sys_time<std::chrono::milliseconds>> parse_utc(const std::string& text) {
  using namespace std::chrono;
  int y = 0;
  unsigned mo = 0, d = 0;
  int h = 0, mi = 0, s = 0, ms = 0;
  const int fields = std::sscanf(  // NOLINT(cert-err34-c): compared with its own rendering below
      text.c_str(), "%4d-%2u-%2uT%2d:%2d:%2d.%3dZ", &y, &mo, &d, &h, &mi, &s, &ms);
  const year_month_day date{year(y), month(mo), day(d)};
  if (fields != 7 || !date.ok()) return std::nullopt;
  const sys_time<milliseconds> time =
      sys_days(date) + hours(h) + minutes(mi) + seconds(s) + milliseconds(ms);
  if (iso_utc(time) != text) return std::nullopt;
  return time;
}

}  // namespace

Mismatch::Mismatch(const std::string& place, std::string_view expected, const nlohmann::json* came)
    : std::runtime_error(fmt::format("{}: expected {}, came {}",
                                     place.empty() ? std::string("the document") : printable(place),
                                     expected, what_came(came))) {}

JsonReader::JsonReader(const Json& json, std::string place)
    : json_(json), place_(std::move(place)) {
  if (!json.is_object()) throw Mismatch(place_, "an object", &json);
}

const nlohmann::json& JsonReader::member(const char* key) {
  named_.emplace_back(key);
  const auto found = json_.find(key);
  if (found == json_.end()) throw Mismatch(inside(key), "a value", nullptr);
  return *found;
}

void JsonReader::no_more() const {
  for (const auto& [key, value] : json_.items()) {
    if (std::find(named_.begin(), named_.end(), key) == named_.end()) {
      throw Mismatch(inside(key.c_str()), "no such key", &value);
    }
  }
}

void JsonReader::read(const Json& json, const std::string& place, std::string& text) {
  if (!json.is_string()) throw Mismatch(place, "a string", &json);
  text = json.get<std::string>();
}

void JsonReader::read(const Json& json, const std::string& place, Bytes& bytes) {
  const auto* text = json.is_string() ? &json.get_ref<const std::string&>() : nullptr;
  const bool whole =
      text != nullptr && text->size() % 2 == 0 &&
      std::all_of(text->begin(), text->end(), [](char c) { return hex_digit(c) >= 0; });
  if (!whole) throw Mismatch(place, "lower-case hex of whole bytes", &json);
  bytes.clear();
  for (std::size_t i = 0; i < text->size(); i += 2) {
    bytes.push_back(
        static_cast<std::uint8_t>(hex_digit((*text)[i]) << 4 | hex_digit((*text)[i + 1])));
  }
}

void JsonReader::read(const Json& json, const std::string& place,
                      std::chrono::sys_time<std::chrono::milliseconds>& time) {
  const auto parsed = json.is_string() ? parse_utc(json.get<std::string>()) : std::nullopt;
  if (!parsed) throw Mismatch(place, "a UTC time like 2024-05-01T12:30:00.250Z", &json);
  time = *parsed;
}

void JsonReader::read(const Json& json, const std::string& place, bool& value) {
  if (!json.is_boolean()) throw Mismatch(place, "true or false", &json);
  value = json.get<bool>();
}

void JsonReader::read(const Json& json, const std::string& place, double& value) {
  if (!json.is_number()) throw Mismatch(place, "a number", &json);
  value = json.get<double>();
  if (value < 0) throw Mismatch(place, "a number from 0", &json);
}

void JsonReader::read(const Json& json, const std::string& place, std::uint64_t& value) {
  std::optional<std::uint64_t> parsed;
  if (json.is_number_unsigned()) parsed = json.get<std::uint64_t>();
  if (parsed > json_fields::max_plain_integer) parsed.reset();
  if (json.is_string()) parsed = big_integer(json.get_ref<const std::string&>());
  if (!parsed) throw Mismatch(place, "a whole number from 0 (a string beyond 2^53 - 1)", &json);
  value = *parsed;
}

std::span<const Level> JsonReader::choices(Level) {
  static constexpr std::array all = {Level::must, Level::should, Level::may};
  return all;
}

std::span<const Verdict> JsonReader::choices(Verdict) { return all_verdicts; }
std::span<const DeathCause> JsonReader::choices(DeathCause) { return all_death_causes; }

std::span<const Direction> JsonReader::choices(Direction) {
  static constexpr std::array all = {Direction::sent, Direction::received};
  return all;
}

std::span<const Met> JsonReader::choices(Met) {
  static constexpr std::array all = {Met::yes, Met::no, Met::unknown};
  return all;
}

std::span<const LoopKind> JsonReader::choices(LoopKind) {
  static constexpr std::array all = {LoopKind::open, LoopKind::closed};
  return all;
}

}  // namespace hallmark::reports
