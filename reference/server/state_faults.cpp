#include "reference/server/state_faults.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "reference/mutants/mutant.hpp"
#include "reference/protocol/text.hpp"

namespace hallmark::server {
namespace {

using mutants::on;
using mutants::operator""_mutant;
using Fields = std::vector<std::string>;

Fields split(const std::string& text, char separator) {
  Fields fields(1);
  for (const char c : text) {
    if (c == separator)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

std::string joined(const Fields& fields, char separator) {
  std::string text;
  for (const std::string& field : fields) {
    if (!text.empty()) text += separator;
    text += field;
  }
  return text;
}

std::string spoilt_float(const std::string& text) {
  const auto read = protocol::text::real_at_front(text);
  if (!read) return text;
  const double number = read->number;
  if (on("float.six-digits"_mutant)) return fmt::format("{:g}", number);
  if (on("float.no-exponent"_mutant) && text.find('e') != std::string::npos)
    return fmt::format("{:f}", number);
  if (on("float.whole"_mutant)) return fmt::format("{:.0f}", std::floor(number));
  if (on("float.point-always"_mutant) && text.find_first_of(".e") == std::string::npos)
    return text + ".0";
  return text;
}

std::string spoilt_time(const std::string& text) {
  const auto read = protocol::text::signed_at_front(text);
  if (!read) return text;
  const std::int64_t time = read->number;
  if (on("time.as-double"_mutant)) return fmt::format("{:.0f}", static_cast<double>(time));
  if (on("time.in-microseconds"_mutant)) return std::to_string(time / 1000);
  return text;
}

void spoil_quotas(Fields& fields) {
  constexpr std::size_t first = 2;
  constexpr std::size_t of_each = 3;
  for (std::size_t i = first + of_each - 1; i < fields.size(); i += of_each) {
    fields[i] = spoilt_time(fields[i]);
    if (on("quotas.share-a-start"_mutant)) fields[i] = fields[first + of_each - 1];
  }
  if (on("quotas.first-only"_mutant)) {
    fields.resize(first + of_each);
    fields[1] = "1";
  }
  if (on("quotas.without-number"_mutant)) fields.erase(fields.begin() + 1);
}

std::string spoilt_part(const std::string& state) {
  Fields fields = split(state, '|');
  const std::string header = fields[0];
  if (header == "23") spoil_quotas(fields);
  if (header == "12" || header == "32") fields[1] = spoilt_float(fields[1]);
  if (header == "12" || header == "32" || header == "42")
    fields.back() = spoilt_time(fields.back());
  if (on("header.of-old"_mutant)) fields[0] = "v2";
  if (on("header.strategy-numbers"_mutant)) ++fields[0][0];
  if (on("separator.at-the-end"_mutant)) fields.emplace_back();
  return joined(fields, on("separator.semicolon"_mutant) ? ';' : '|');
}

}  // namespace

std::string spoilt_state(std::string state) {
  if (!mutants::any()) return state;
  constexpr std::string_view composite = "51|";
  if (!state.starts_with(composite)) return spoilt_part(state);
  Fields parts = split(state.substr(composite.size()), '$');
  for (std::string& part : parts) part = spoilt_part(part);
  if (on("composite.parts-swapped"_mutant)) std::swap(parts.front(), parts.back());
  return std::string(composite) + joined(parts, on("composite.separator"_mutant) ? '|' : '$');
}

}  // namespace hallmark::server
