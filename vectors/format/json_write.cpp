#include <fmt/format.h>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "vectors/format/json.hpp"

namespace hallmark::vectors {
namespace {

using base::ByteView;
using base::Json;
using base::to_hex;

/// 64-bit integers are strings: many JSON readers keep only 53 bits of a number.
Json number(std::uint64_t value) { return std::to_string(value); }

/// Periods in which long values of the vectors repeat.
constexpr std::size_t periods[] = {1, 251};
/// A run shorter than this is written out.
constexpr std::size_t shortest_run = 64;

/// Length of the run at the start of `bytes` that repeats with that period.
std::size_t run_of_period(ByteView bytes, std::size_t period) {
  std::size_t n = period;
  while (n < bytes.size() && bytes[n] == bytes[n - period]) ++n;
  return n;
}

/// Hexadecimal text; long values as a list in which runs are `{"hex": …, "times": n}`.
Json hex(ByteView bytes) {
  Json parts = Json::array();
  Bytes plain;
  const auto flush = [&] {
    if (!plain.empty()) parts.push_back(to_hex(plain));
    plain.clear();
  };
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::size_t best_period = 0;
    std::size_t times = 0;
    for (const std::size_t period : periods) {
      const ByteView rest = bytes.subspan(at);
      const std::size_t run = rest.size() < period ? 0 : run_of_period(rest, period);
      if (run < shortest_run || run / period < 3 || run / period * period <= best_period * times)
        continue;
      best_period = period;
      times = run / period;
    }
    if (best_period == 0) {
      plain.push_back(bytes[at++]);
      continue;
    }
    flush();
    parts.push_back({{"hex", to_hex(bytes.subspan(at, best_period))}, {"times", times}});
    at += best_period * times;
  }
  const bool has_runs = !parts.empty();
  flush();
  if (has_runs) return parts;
  return parts.empty() ? Json("") : parts[0];
}

Json value(const Value& v);

Json record(const Record& fields) {
  Json json = Json::object();
  for (const auto& [name, field] : fields.fields()) json[name] = value(field);
  return json;
}

Json value(const Value& v) {
  if (const auto* n = std::get_if<std::uint64_t>(&v)) return number(*n);
  if (const auto* bytes = std::get_if<Bytes>(&v)) return {{"hex", hex(*bytes)}};
  Json records = Json::array();
  for (const Record& r : std::get<std::vector<Record>>(v)) records.push_back(record(r));
  return records;
}

Json lifetime(const Lifetime& l) {
  return {{"full", number(l.full)}, {"unit_ns", number(l.unit_ns)}, {"since", l.since}};
}

Json placeless(const FieldPattern& p);

Json entry(const EntryPattern& e) {
  Json fields = Json::array();
  for (const FieldPattern& field : e.fields) fields.push_back(placeless(field));
  return fields;
}

void add_details(Json& json, const FieldPattern& p) {
  switch (p.match) {
    case Match::equals: json["value"] = value(p.value); break;
    case Match::any: break;
    case Match::range:
      json["min"] = number(p.min);
      json["max"] = number(p.max);
      break;
    case Match::one_of:
      json["choices"] = Json::array();
      for (const std::uint64_t choice : p.choices) json["choices"].push_back(number(choice));
      break;
    case Match::remaining: json["lifetime"] = lifetime(p.lifetime); break;
    case Match::capture:
    case Match::captured:
    case Match::captured_hex: json["name"] = p.capture; break;
    case Match::set_of:
      json["exactly"] = p.exactly;
      json["records"] = Json::array();
      for (const EntryPattern& e : p.entries) json["records"].push_back(entry(e));
      break;
  }
}

/// Inside of a group a field has no place: its records come in any order.
Json placeless(const FieldPattern& p) {
  Json json = {{"field", p.field}, {"match", name_of(p.match)}};
  add_details(json, p);
  return json;
}

Json pattern(const FieldPattern& p) {
  Json json = {
      {"field", p.field}, {"offset", p.offset}, {"length", p.length}, {"match", name_of(p.match)}};
  add_details(json, p);
  return json;
}

Json expected(const Expected& e) {
  Json json = {{"message", e.message}};
  if (e.push) json["push"] = true;
  json["hex"] = hex(e.example);
  json["fields"] = Json::array();
  for (const FieldPattern& p : e.fields) json["fields"].push_back(pattern(p));
  if (e.only_after) json["only_after"] = lifetime(*e.only_after);
  return json;
}

Json send(const Send& s) {
  Json json = {{"message", s.operation}, {"hex", hex(s.bytes)}, {"fields", record(s.fields)}};
  for (const Substitution& sub : s.substitutions) {
    json["substitute"].push_back({{"field", sub.field},
                                  {"offset", sub.offset},
                                  {"length", sub.length},
                                  {"name", sub.capture}});
  }
  return json;
}

Json step(const Step& s) {
  Json json = {{"connection", s.connection}};
  if (const auto* sending = std::get_if<Send>(&s.action)) {
    json["send"] = send(*sending);
  } else if (const auto* expecting = std::get_if<Expect>(&s.action)) {
    json["expect"] = Json::array();
    for (const Expected& e : expecting->any_of) json["expect"].push_back(expected(e));
  } else if (std::holds_alternative<Silence>(s.action)) {
    json["silence"] = true;
  } else if (const auto* pause = std::get_if<Pause>(&s.action)) {
    json["pause_ms"] = pause->milliseconds;
  } else {
    json["close"] = true;
  }
  return json;
}

Json vector(const Vector& v) {
  Json json = {{"id", v.id},
               {"title", v.title},
               {"level", name_of(v.level)},
               {"clauses", v.clauses},
               {"flags", v.flags},
               {"readings", v.readings},
               {"preconditions", Json::array()},
               {"keys", Json::array()},
               {"steps", Json::array()}};
  for (const Precondition p : v.preconditions) json["preconditions"].push_back(name_of(p));
  for (const Record& key : v.keys) json["keys"].push_back(record(key));
  for (const Step& s : v.steps) json["steps"].push_back(step(s));
  return json;
}

}  // namespace

std::string write_json(const VectorFile& file) {
  const bool literal = file.profile == protocol::Profile::literal;
  Json json = {{"$schema", literal ? "../../../schema/vectors.schema.json"
                                   : "../../schema/vectors.schema.json"},
               {"format", 2},
               {"dialect", file.dialect},
               {"profile", name_of(file.profile)},
               {"width", name_of(file.width)},
               {"operation", file.operation},
               {"flags", file.flags},
               {"vectors", Json::array()}};
  for (const Vector& v : file.vectors) json["vectors"].push_back(vector(v));
  return json.dump(1) + "\n";
}

}  // namespace hallmark::vectors
