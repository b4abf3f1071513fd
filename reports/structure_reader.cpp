#include "reports/structure_reader.hpp"

#include <array>

#include "base/hex.hpp"
#include "base/number.hpp"
#include "base/utc.hpp"

namespace hallmark::reports {
namespace {

using base::Json;
using base::JsonReader;

std::optional<std::uint64_t> big_integer(std::string_view digits) {
  const auto value = base::number_in<std::uint64_t>(digits);
  if (!value || digits[0] == '0' || *value <= json_fields::max_plain_integer) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> integer(const Json& json) {
  if (json.is_string()) return big_integer(json.string());
  if (!json.is_natural() || json.natural() > json_fields::max_plain_integer) return std::nullopt;
  return json.natural();
}

}  // namespace

/// Texts are saved as a terminal may show them.
void StructureReader::read(const JsonReader& from, std::string& text) {
  text = from.printable_string();
}

void StructureReader::read(const JsonReader& from, Code& code) {
  auto read = parse_code(from.printable_string());
  if (!read) from.refuse("the code of a failure, such as \"wrong-field QUERY.status 00-for-01\"");
  code = std::move(*read);
}

void StructureReader::read(const JsonReader& from, Bytes& bytes) {
  auto read = from.json().is_string() ? base::from_canonical_hex(from.json().string())
                                      : std::optional<Bytes>();
  if (!read) from.refuse("lower-case hex of whole bytes");
  bytes = std::move(*read);
}

void StructureReader::read(const JsonReader& from,
                           std::chrono::sys_time<std::chrono::milliseconds>& time) {
  const auto parsed =
      from.json().is_string() ? base::parse_utc(from.json().string()) : std::nullopt;
  if (!parsed) from.refuse("a UTC time like 2024-05-01T12:30:00.250Z");
  time = *parsed;
}

void StructureReader::read(const JsonReader& from, std::uint64_t& value) {
  const auto parsed = integer(from.json());
  if (!parsed) from.refuse("a whole number from 0 (a string beyond 2^53 - 1)");
  value = *parsed;
}

std::span<const Level> StructureReader::choices(Level) {
  static constexpr std::array all = {Level::must, Level::should, Level::may};
  return all;
}

std::span<const Verdict> StructureReader::choices(Verdict) { return all_verdicts; }
std::span<const DeathCause> StructureReader::choices(DeathCause) { return all_death_causes; }
std::span<const Severity> StructureReader::choices(Severity) { return all_severities; }

std::span<const Direction> StructureReader::choices(Direction) {
  static constexpr std::array all = {Direction::sent, Direction::received};
  return all;
}

std::span<const Met> StructureReader::choices(Met) {
  static constexpr std::array all = {Met::yes, Met::no, Met::unknown};
  return all;
}

std::span<const Difference> StructureReader::choices(Difference) {
  static constexpr std::array all = {Difference::same, Difference::better, Difference::worse,
                                     Difference::unknown};
  return all;
}

std::span<const LoopKind> StructureReader::choices(LoopKind) {
  static constexpr std::array all = {LoopKind::open, LoopKind::closed};
  return all;
}

}  // namespace hallmark::reports
