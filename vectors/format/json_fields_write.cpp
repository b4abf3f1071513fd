#include "vectors/format/field_table.hpp"
#include "vectors/format/json_bytes.hpp"
#include "vectors/format/json_fields.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;
using protocol::Field;
using protocol::kinds::Status;

/// Many readers of JSON round numbers from here on.
constexpr std::uint64_t first_rounded = std::uint64_t{1} << 53;

Json number(std::uint64_t value) {
  if (value < first_rounded) return value;
  return {{"number", std::to_string(value)}};
}

Json value(const Value& of) {
  if (const auto* n = std::get_if<std::uint64_t>(&of)) return number(*n);
  if (const auto* bytes = std::get_if<Bytes>(&of)) return value_json(*bytes);
  Json records = Json::array();
  for (const Record& one : std::get<std::vector<Record>>(of)) records.push_back(record_json(one));
  return records;
}

/// A legal status by its name.
Json value(const Value& of, const Field* field) {
  const auto* const code = std::get_if<std::uint64_t>(&of);
  if (code == nullptr || field == nullptr || !field->is<Status>()) return value(of);
  const auto* const choice = protocol::find_choice(Status::choices, *code);
  return choice == nullptr ? value(of) : Json(choice->name);
}

Json entry(const EntryPattern& of, const Field* group);

void add_details(Json& json, const FieldPattern& of, const Field* group) {
  switch (of.match) {
    case Match::equals:
    case Match::any: break;
    case Match::range:
      json["min"] = number(of.min);
      json["max"] = number(of.max);
      break;
    case Match::one_of:
      json["choices"] = Json::array();
      for (const std::uint64_t choice : of.choices) json["choices"].push_back(number(choice));
      break;
    case Match::remaining: json.update(lifetime_json(of.lifetime)); break;
    case Match::capture:
    case Match::captured:
    case Match::captured_hex: json["name"] = of.capture; break;
    case Match::set_of:
      json["exactly"] = of.exactly;
      json["records"] = Json::array();
      for (const EntryPattern& one : of.entries) json["records"].push_back(entry(one, group));
      break;
  }
}

/// Inside of a group a field has no place: its records come in any order.
Json placeless(const FieldPattern& of, const Field* field) {
  if (of.match == Match::equals) return value(of.value, field);
  Json json = {{"match", name_of(of.match)}};
  add_details(json, of, field);
  return json;
}

Json entry(const EntryPattern& of, const Field* group) {
  Json json = Json::object();
  for (const FieldPattern& one : of.fields) {
    const Field* const field = group == nullptr ? nullptr : find_field_of_record(*group, one.field);
    json[one.field] = placeless(one, field);
  }
  return json;
}

const Field* field_of(const FieldPattern& of, const protocol::Message* message) {
  if (message == nullptr) return nullptr;
  return of.match == Match::set_of ? find_group(*message, of.field)
                                   : find_field(*message, of.field);
}

}  // namespace

Json record_json(const Record& record) {
  Json json = Json::object();
  for (const auto& [name, field] : record.fields()) json[name] = value(field);
  return json;
}

Json patterns_json(const std::vector<FieldPattern>& patterns, const protocol::Message* message) {
  Json json = Json::object();
  for (const FieldPattern& one : patterns) {
    Json& member = json[one.field];
    member = placeless(one, field_of(one, message));
    if (one.match != Match::equals) member["at"] = place_json({one.offset, one.length});
  }
  return json;
}

Json lifetime_json(const Lifetime& lifetime) {
  return {{"full", number(lifetime.full)},
          {"unit_ns", number(lifetime.unit_ns)},
          {"since", lifetime.since}};
}

Json place_json(const Place& place) { return Json::array({place.offset, place.length}); }

}  // namespace hallmark::vectors
