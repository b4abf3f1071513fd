#include "vectors/format/vector.hpp"

namespace hallmark::vectors {

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
