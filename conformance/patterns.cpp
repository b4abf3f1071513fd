#include "conformance/patterns.hpp"

namespace hallmark::conformance {

using vectors::FieldPattern;
using vectors::Match;

FieldPattern is(std::string_view field, std::uint64_t number) {
  FieldPattern pattern;
  pattern.field = field;
  pattern.value = number;
  return pattern;
}

FieldPattern is(std::string_view field, std::string_view bytes) {
  FieldPattern pattern;
  pattern.field = field;
  pattern.value = protocol::to_bytes(bytes);
  return pattern;
}

FieldPattern between(std::string_view field, std::uint64_t least, std::uint64_t most) {
  FieldPattern pattern;
  pattern.field = field;
  pattern.match = Match::range;
  pattern.min = least;
  pattern.max = most;
  return pattern;
}

FieldPattern any(std::string_view field) {
  FieldPattern pattern;
  pattern.field = field;
  pattern.match = Match::any;
  return pattern;
}

Patterns success() { return {is("status", 1)}; }
Patterns failure() { return {is("status", 0)}; }

vectors::Elapsed elapsed_between(Window first, Window second) {
  const auto difference = [](Time a, Time b) { return a > b ? a - b : 0; };
  return {difference(second.earliest, first.latest), difference(second.latest, first.earliest)};
}

FieldPattern ttl_left(Ttl ttl, Window since, Window now) {
  const vectors::Lifetime lifetime{ttl.amount, length_of(ttl.unit), 0};
  const auto left = vectors::remaining_of(lifetime, elapsed_between(since, now));
  return left ? between("ttl", left->least, left->most) : between("ttl", 1, 0);
}

}  // namespace hallmark::conformance
