#include "vectors/format/state_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/number.hpp"

namespace hallmark::vectors {
namespace {

using base::JsonMembers;
using base::JsonReader;

constexpr std::array<std::string_view, 5> strategies = {"token-bucket", "fixed-window",
                                                        "leaky-bucket", "gcra", "composite"};

void check_integer(const JsonReader& reader) {
  const std::string& text = reader.string();
  const auto number = base::number_in<std::int64_t>(text);
  if (!number || std::to_string(*number) != text)
    reader.refuse("a whole number from -2^63 to 2^63-1 in a string");
}

void check_text_or_null(const JsonReader& reader) {
  if (!reader.json().is_null()) static_cast<void>(reader.string());
}

void check_matcher(const JsonReader& reader) {
  JsonMembers members(reader);
  const JsonReader match = members["match"];
  if (match.string() == "range") {
    check_integer(members["min"]);
    check_integer(members["max"]);
  } else if (match.string() != "any") {
    match.refuse("one of any, range");
  }
  members.no_more();
}

bool is_matcher_of_state(const JsonReader& reader) {
  return reader.json().is_object() && reader.json().contains("match");
}

/// A text, or what a text has to match.
void check_matched(const JsonReader& reader) {
  if (is_matcher_of_state(reader)) return check_matcher(reader);
  static_cast<void>(reader.string());
}

void check_state_fields(const JsonReader& reader);

/// The state within a composite.
void check_inner_state(const JsonReader& reader) {
  JsonMembers members(reader);
  if (const auto strategy = members.find("strategy")) read_strategy(*strategy);
  if (const auto format = members.find("format")) static_cast<void>(format->string());
  check_state_fields(members["fields"]);
  members.no_more();
}

void check_state_fields(const JsonReader& reader) {
  for (const auto& [name, value] : reader.members()) {
    if (value.json().is_array()) {
      for (const JsonReader& record : value.items()) {
        for (const auto& [field, text] : record.members()) check_matched(text);
      }
    } else if (value.json().is_object() && !is_matcher_of_state(value)) {
      check_inner_state(value);
    } else {
      check_matched(value);
    }
  }
}

void check_quota(const JsonReader& reader) {
  JsonMembers members(reader);
  static_cast<void>(members["name"].string());
  check_integer(members["limit"]);
  check_integer(members["window_ns"]);
  members.no_more();
}

void check_configuration(const JsonReader& reader) {
  JsonMembers members(reader);
  const std::string& strategy = read_strategy(members["strategy"]);
  if (strategy == "composite") {
    check_configuration(members["primary"]);
    check_configuration(members["secondary"]);
  } else if (strategy == "fixed-window") {
    for (const JsonReader& quota : members["quotas"].items()) check_quota(quota);
  } else {
    static_cast<void>(members[strategy == "leaky-bucket" ? "capacity" : "burst"].string());
    static_cast<void>(members["rate"].string());
  }
  members.no_more();
}

void check_decode(JsonMembers& members) {
  read_strategy(members["strategy"]);
  static_cast<void>(members["state"].string());
  const auto of = members.find("of");
  if (!of) return;
  if (of->items().size() != 2) of->refuse("two strategies");
  for (const JsonReader& strategy : of->items()) read_strategy(strategy);
}

void check_result(const JsonReader& reader) {
  JsonMembers members(reader);
  if (const auto quota = members.find("quota")) static_cast<void>(quota->string());
  if (const auto allowed = members.find("allowed")) static_cast<void>(allowed->boolean());
  for (const std::string_view name : {"remaining", "reset"}) {
    if (const auto matched = members.find(name)) check_matched(*matched);
  }
  members.no_more();
}

void check_state_error(const JsonReader& reader) {
  JsonMembers members(reader);
  if (const auto offset = members.find("offset")) static_cast<void>(offset->natural());
  for (const std::string_view name : {"field", "reason"}) {
    if (const auto text = members.find(name)) static_cast<void>(text->string());
  }
  members.no_more();
}

}  // namespace

const std::string& read_strategy(const JsonReader& reader) {
  if (std::ranges::find(strategies, reader.string()) == strategies.end())
    reader.refuse(fmt::format("one of {}", fmt::join(strategies, ", ")));
  return reader.string();
}

void check_state_request(const JsonReader& request) {
  JsonMembers members(request);
  const JsonReader operation = members["op"];
  if (operation.string() == "decode") {
    check_decode(members);
  } else if (operation.string() == "encode") {
    read_strategy(members["strategy"]);
    check_state_fields(members["fields"]);
  } else if (operation.string() == "decide") {
    check_configuration(members["configuration"]);
    check_text_or_null(members["state"]);
    check_integer(members["now"]);
  } else {
    operation.refuse("one of decode, encode, decide");
  }
  members.no_more();
}

void check_state_answer(const JsonReader& answer) {
  JsonMembers members(answer);
  if (answer.json().empty()) answer.refuse("at least one member");
  if (const auto format = members.find("format")) static_cast<void>(format->string());
  if (const auto fields = members.find("fields")) check_state_fields(*fields);
  if (const auto state = members.find("state"))
    is_matcher_of_state(*state) ? check_matcher(*state) : check_text_or_null(*state);
  if (const auto allowed = members.find("allowed")) static_cast<void>(allowed->boolean());
  if (const auto results = members.find("results")) {
    for (const JsonReader& result : results->items()) check_result(result);
  }
  if (const auto expires = members.find("expires_in_ms")) check_matched(*expires);
  if (const auto error = members.find("error")) check_state_error(*error);
  if (const auto unsupported = members.find("unsupported"))
    static_cast<void>(unsupported->string());
  members.no_more();
}

}  // namespace hallmark::vectors
