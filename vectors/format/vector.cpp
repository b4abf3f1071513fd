#include "vectors/format/vector.hpp"

#include <algorithm>

#include "protocol/dialects.hpp"

namespace hallmark::vectors {

const protocol::Dialect& dialect_of(const VectorFile& file) {
  return **std::ranges::find(protocol::all_dialects, std::string_view(file.dialect),
                             &protocol::Dialect::name);
}

protocol::Readings readings_of(const VectorFile& file, const Vector& vector) {
  protocol::Readings readings(dialect_of(file), file.profile);
  for (const auto& [reading, answer] : file.answers)
    static_cast<void>(readings.set(reading, answer));
  for (const auto& [reading, answer] : vector.readings)
    static_cast<void>(readings.set(reading, answer));
  return readings;
}

std::string_view name_of(Match match) {
  switch (match) {
    case Match::equals: return "equals";
    case Match::any: return "any";
    case Match::range: return "range";
    case Match::one_of: return "one_of";
    case Match::remaining: return "remaining";
    case Match::capture: return "capture";
    case Match::captured: return "captured";
    case Match::captured_hex: return "captured_hex";
    case Match::set_of: return "set_of";
  }
  return "";
}

std::string_view name_of(Precondition precondition) {
  return precondition == Precondition::empty ? "empty" : "exclusive";
}

}  // namespace hallmark::vectors
