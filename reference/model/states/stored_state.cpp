#include "reference/model/states/stored_state.hpp"

#include <algorithm>
#include <array>

#include "protocol/dialects.hpp"

namespace hallmark::model {
namespace {

using protocol::Malformed;
using protocol::Readings;
using protocol::state::Parsed;

constexpr protocol::ReadingName splitting = "nested-split";
constexpr protocol::ReadingName tail = "legacy-tail";

Readings with(protocol::AnswerName tail_answer, protocol::AnswerName split) {
  Readings readings(protocol::ratelimit_state, protocol::Profile::deployed);
  // Each of these only adds to what is read.
  readings.choose({"header-history", "v3"});
  readings.choose({"quota-count", "any"});
  readings.set(tail, tail_answer).value();
  readings.set(splitting, split).value();
  return readings;
}

/// Parsed states refer to their readings.
const std::array<Readings, 4>& attempts() {
  static const std::array<Readings, 4> all = {with("bar", "first"), with("none", "first"),
                                              with("bar", "last"), with("none", "last")};
  return all;
}

bool several_separators(std::string_view text) {
  const std::size_t first = text.find('$');
  return first != text.npos && text.find('$', first + 1) != text.npos;
}

bool is_unusual_count(const Parsed& parsed) {
  const auto* const count = parsed.view().find("quota_count");
  return count != nullptr && (count->number < 1 || count->number > 8);
}

void collect(const Parsed& parsed, Evidence& evidence) {
  const Readings& readings = parsed.decoder.layout().readings();
  const protocol::Format& format = *parsed.format;
  if (format.header == "v2|") {
    (readings.answer(tail) == "bar" ? evidence.legacy_tail_bar : evidence.legacy_tail_none) = true;
  }
  evidence.header_history_v3 |= format.header == "v3|";
  evidence.quota_count_any |= is_unusual_count(parsed);
  if (!parsed.parts.empty() && several_separators(parsed.text)) {
    (readings.answer(splitting) == "first" ? evidence.nested_split_first
                                           : evidence.nested_split_last) = true;
  }
  for (const Parsed& part : parsed.parts) collect(part, evidence);
}

}  // namespace

StateRead<Parsed> parse_stored(std::string_view text, const protocol::state::Taken& taken) {
  const std::size_t useful = several_separators(text) ? attempts().size() : 2;
  std::optional<Malformed> furthest;
  for (std::size_t i = 0; i < useful; ++i) {
    auto parsed = protocol::state::parse(text, attempts()[i], taken);
    if (parsed) return parsed;
    if (!furthest || furthest->offset < parsed.error().offset) furthest = parsed.error();
  }
  return *std::move(furthest);
}

Evidence evidence_in(const Parsed& parsed) {
  Evidence evidence;
  collect(parsed, evidence);
  return evidence;
}

}  // namespace hallmark::model
