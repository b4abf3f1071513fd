#include "conformance/drivers/stream/patterns.hpp"

#include <algorithm>

#include "protocol/throttr_words.hpp"

namespace hallmark::conformance {

using vectors::FieldPattern;
using vectors::Match;

namespace {

/// The fields that an expectation may name even if the layout does not have them.
constexpr protocol::FieldName optional_fields[] = {"status", "channel"};

bool is_missing(const protocol::Layout& layout, const FieldPattern& pattern) {
  const auto field = protocol::FieldName::unchecked(pattern.field);
  return std::ranges::find(optional_fields, field) != std::ranges::end(optional_fields) &&
         layout.find(layout.message().fields, field) == nullptr;
}

bool names(const Patterns& patterns, protocol::FieldName field) {
  return std::ranges::find(patterns, std::string_view(field), &FieldPattern::field) !=
         patterns.end();
}

/// Like `vectors::remaining_of`, rounded up.
std::optional<vectors::Remaining> remaining_rounded_up(const vectors::Lifetime& lifetime,
                                                       const vectors::Elapsed& elapsed) {
  if (!vectors::remaining_of(lifetime, elapsed)) return std::nullopt;
  // One nanosecond less is left in one unit less, unless nothing but that one is.
  const auto down = vectors::remaining_of(lifetime, {elapsed.least + 1, elapsed.most + 1});
  if (!down) return vectors::Remaining{1, 1};
  return vectors::Remaining{down->least + 1, std::min(down->most + 1, lifetime.full)};
}

FieldPattern shown_ttl(const WireFormat& format, Ttl own, const vectors::Elapsed& elapsed) {
  if (format.reads({"ttl-left", "as-set"})) return is("ttl", own.amount);
  const vectors::Lifetime lifetime{own.amount, length_of(own.unit), 0};
  const bool up = format.reads({"ttl-left", "left-rounded-up"});
  auto left =
      up ? remaining_rounded_up(lifetime, elapsed) : vectors::remaining_of(lifetime, elapsed);
  if (format.reads({"expired-when", "scheduler"})) {
    // It may not have come by yet.
    if (!left) return is("ttl", 0);
    if (vectors::may_be_over(lifetime, elapsed)) left->least = 0;
  }
  if (!left) return between("ttl", 1, 0);
  return left->least == left->most ? is("ttl", left->least)
                                   : between("ttl", left->least, left->most);
}

}  // namespace

FieldPattern is(protocol::FieldName field, std::uint64_t number) {
  FieldPattern pattern;
  pattern.field = field;
  pattern.value = number;
  return pattern;
}

FieldPattern is(protocol::FieldName field, std::string_view bytes) {
  FieldPattern pattern;
  pattern.field = field;
  pattern.value = base::to_bytes(bytes);
  return pattern;
}

FieldPattern between(protocol::FieldName field, std::uint64_t least, std::uint64_t most) {
  FieldPattern pattern;
  pattern.field = field;
  pattern.match = Match::range;
  pattern.min = least;
  pattern.max = most;
  return pattern;
}

FieldPattern any(protocol::FieldName field) {
  FieldPattern pattern;
  pattern.field = field;
  pattern.match = Match::any;
  return pattern;
}

Patterns success() { return {is("status", 1)}; }
Patterns failure() { return {is("status", 0)}; }
Patterns status(bool succeeded) { return succeeded ? success() : failure(); }

Patterns fitted(const protocol::Layout& layout, Patterns patterns) {
  std::erase_if(patterns, [&](const FieldPattern& one) { return is_missing(layout, one); });
  const bool has_id = layout.find(layout.message().fields, "request_id") != nullptr;
  if (has_id && !names(patterns, "request_id"))
    patterns.insert(patterns.begin(), any("request_id"));
  return patterns;
}

vectors::Elapsed elapsed_between(Window first, Window second) {
  const auto difference = [](Time a, Time b) { return a > b ? a - b : 0; };
  // The clock of a record stands still from the reply to the next request; the target's does not.
  const Time shortest = second.earliest == first.latest ? 1 : 0;
  return {std::max(shortest, difference(second.earliest, first.latest)),
          difference(second.latest, first.earliest)};
}

Ttl own_ttl(const WireFormat& format, Ttl ttl) {
  const auto wording = protocol::ttl_wording(format.dialect(), ttl.unit);
  return {wording.unit, ttl.amount * wording.factor};
}

Patterns ttl_fields(const WireFormat& format, Ttl ttl, Window since, Window now) {
  const auto wording = protocol::ttl_wording(format.dialect(), ttl.unit);
  return {is("ttl_type", wording.code),
          shown_ttl(format, own_ttl(format, ttl), elapsed_between(since, now))};
}

Patterns counter_fields(const WireFormat& format, std::uint64_t quota, Ttl ttl, Window since,
                        Window now) {
  Patterns fields{is("status", 1), is("quota", quota)};
  for (FieldPattern& field : ttl_fields(format, ttl, since, now))
    fields.push_back(std::move(field));
  return fields;
}

}  // namespace hallmark::conformance
