#include "conformance/certificate/flat_object.hpp"

#include <algorithm>
#include <utility>

#include "base/json_reader.hpp"

namespace hallmark::certificate {

namespace {

using base::Json;
using base::JsonReader;

/// Throws base::JsonMismatch where that is not a flat object.
bool check_flat(const JsonReader& reader) {
  if (!reader.json().is_object() || reader.json().empty())
    reader.refuse("an object with at least one member");
  for (const Json::Member& member : reader.json().members()) {
    if (!member.value.is_natural() && !member.value.is_string())
      base::JsonMembers(reader)[member.name].refuse("a string or a whole number from 0");
  }
  return true;
}

}  // namespace

base::Result<FlatObject> FlatObject::parse(std::string_view line) {
  auto json = base::parse_json(line, {.values = most_members + 1, .is_line = true});
  if (!json) return json.error();
  const auto checked = base::read_document(*json, check_flat);
  if (!checked) return checked.error();
  FlatObject object;
  object.members_ = std::move(json->mutable_members());
  object.left_ = object.members_.size();
  return object;
}

const std::string& FlatObject::kind() const {
  return std::ranges::find_if(members_,
                              [](const Json::Member& one) { return !one.value.is_null(); })
      ->name;
}

/// A member that is taken leaves null behind, which no line has.
std::optional<Json> FlatObject::take(std::string_view key, bool (Json::*is_kind)() const) {
  const auto found = std::ranges::find(members_, key, &Json::Member::name);
  if (found == members_.end() || !(found->value.*is_kind)()) return std::nullopt;
  --left_;
  return std::exchange(found->value, nullptr);
}

std::optional<std::uint64_t> FlatObject::take_number(std::string_view key) {
  const auto value = take(key, &Json::is_natural);
  return value ? std::optional(value->natural()) : std::nullopt;
}

std::optional<std::string> FlatObject::take_text(std::string_view key) {
  auto value = take(key, &Json::is_string);
  return value ? std::optional(std::move(value->string())) : std::nullopt;
}

}  // namespace hallmark::certificate
