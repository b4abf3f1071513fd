#include "vectors/format/field_table.hpp"
#include "vectors/format/json_bytes.hpp"
#include "vectors/format/json_fields.hpp"
#include "vectors/format/json_steps.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;
using protocol::Dialect;

void add_expected(Json& json, const Expected& of, const Dialect& dialect) {
  json["expect"] = of.message;
  if (of.push) json["push"] = true;
  if (!of.fields.empty()) json["fields"] = patterns_json(of.fields, message_of(dialect, of));
  if (of.only_after) json["only_after"] = lifetime_json(*of.only_after);
  json["hex"] = hex_json(of.example);
}

void add_send(Json& json, const Send& of) {
  json["send"] = of.operation.empty() ? Json() : Json(of.operation);
  if (!of.fields.fields().empty()) json["fields"] = record_json(of.fields);
  for (const Substitution& one : of.substitutions) {
    json["substitute"][one.field] = {{"name", one.capture},
                                     {"at", place_json({one.offset, one.length})}};
  }
  json["hex"] = hex_json(of.bytes);
}

void add_expect(Json& json, const Expect& of, const Dialect& dialect) {
  if (of.any_of.size() == 1) return add_expected(json, of.any_of.front(), dialect);
  json["any_of"] = Json::array();
  for (const Expected& one : of.any_of) {
    Json alternative = Json::object();
    add_expected(alternative, one, dialect);
    json["any_of"].push_back(std::move(alternative));
  }
}

}  // namespace

Json step_json(const Step& step, const Dialect& dialect) {
  Json json = {{"on", step.connection}};
  if (const auto* const send = std::get_if<Send>(&step.action)) {
    add_send(json, *send);
  } else if (const auto* const expect = std::get_if<Expect>(&step.action)) {
    add_expect(json, *expect, dialect);
  } else if (std::holds_alternative<Silence>(step.action)) {
    json["silence"] = true;
  } else if (const auto* const pause = std::get_if<Pause>(&step.action)) {
    json["pause_ms"] = pause->milliseconds;
  } else {
    json["close"] = true;
  }
  return json;
}

}  // namespace hallmark::vectors
