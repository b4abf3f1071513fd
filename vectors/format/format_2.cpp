#include "vectors/format/format_2.hpp"

#include "base/json_reader.hpp"
#include "vectors/format/json_bytes.hpp"
#include "vectors/format/json_file.hpp"

namespace hallmark::vectors {
namespace {

using base::JsonMembers;
using base::JsonReader;

Record read_old_record(const JsonReader& reader);

Value read_value(const JsonReader& reader) {
  if (reader.json().is_string()) return reader.natural_in_string();
  if (!reader.json().is_array()) {
    JsonMembers members(reader);
    Value bytes = read_hex(members["hex"]);
    members.no_more();
    return bytes;
  }
  std::vector<Record> records;
  for (const JsonReader& item : reader.items()) records.push_back(read_old_record(item));
  return records;
}

Record read_old_record(const JsonReader& reader) {
  Record record;
  for (const auto& [name, value] : reader.members())
    record.set(protocol::FieldName::unchecked(name), read_value(value));
  return record;
}

Lifetime read_old_lifetime(const JsonReader& reader) {
  JsonMembers members(reader);
  const Lifetime lifetime{members["full"].natural_in_string(),
                          members["unit_ns"].natural_in_string(), members["since"].natural()};
  members.no_more();
  return lifetime;
}

FieldPattern read_field_of_record(const JsonReader& reader);

EntryPattern read_entry(const JsonReader& reader) {
  EntryPattern entry;
  for (const JsonReader& field : reader.items())
    entry.fields.push_back(read_field_of_record(field));
  return entry;
}

/// The members that patterns have in messages and in records alike.
FieldPattern read_matched(JsonMembers& members) {
  FieldPattern pattern;
  pattern.field = members["field"].printable_string();
  pattern.match = members["match"].one_of({Match::equals, Match::any, Match::range, Match::one_of,
                                           Match::remaining, Match::capture, Match::captured,
                                           Match::captured_hex, Match::set_of});
  switch (pattern.match) {
    case Match::equals: pattern.value = read_value(members["value"]); break;
    case Match::any: break;
    case Match::range:
      pattern.min = members["min"].natural_in_string();
      pattern.max = members["max"].natural_in_string();
      break;
    case Match::one_of:
      for (const JsonReader& choice : members["choices"].items())
        pattern.choices.push_back(choice.natural_in_string());
      break;
    case Match::remaining: pattern.lifetime = read_old_lifetime(members["lifetime"]); break;
    case Match::capture:
    case Match::captured:
    case Match::captured_hex: pattern.capture = members["name"].string(); break;
    case Match::set_of:
      pattern.exactly = members["exactly"].boolean();
      for (const JsonReader& record : members["records"].items())
        pattern.entries.push_back(read_entry(record));
      break;
  }
  return pattern;
}

FieldPattern read_field_of_record(const JsonReader& reader) {
  JsonMembers members(reader);
  FieldPattern pattern = read_matched(members);
  members.no_more();
  return pattern;
}

FieldPattern read_pattern(const JsonReader& reader) {
  JsonMembers members(reader);
  FieldPattern pattern = read_matched(members);
  pattern.offset = members["offset"].natural();
  pattern.length = members["length"].natural();
  members.no_more();
  return pattern;
}

Expected read_old_expected(const JsonReader& reader) {
  JsonMembers members(reader);
  Expected expected;
  const auto push = members.find("push");
  expected.push = push && push->boolean();
  expected.message = members["message"].string();
  expected.example = read_hex(members["hex"]);
  for (const JsonReader& field : members["fields"].items())
    expected.fields.push_back(read_pattern(field));
  if (const auto lifetime = members.find("only_after"))
    expected.only_after = read_old_lifetime(*lifetime);
  members.no_more();
  return expected;
}

Substitution read_substitution(const JsonReader& reader, std::size_t bytes) {
  JsonMembers members(reader);
  Substitution added{members["field"].string(), members["offset"].natural(),
                     members["length"].natural(), members["name"].string()};
  members.no_more();
  if (added.offset > bytes || added.length > bytes - added.offset)
    reader.refuse("a place inside the bytes to send");
  return added;
}

Send read_old_send(const JsonReader& reader) {
  JsonMembers members(reader);
  Send send;
  send.operation = members["message"].string();
  send.bytes = read_hex(members["hex"]);
  send.fields = read_old_record(members["fields"]);
  if (const auto substitute = members.find("substitute")) {
    for (const JsonReader& item : substitute->items())
      send.substitutions.push_back(read_substitution(item, send.bytes.size()));
  }
  members.no_more();
  return send;
}

Expect read_old_expect(const JsonReader& reader) {
  Expect expect;
  for (const JsonReader& item : reader.items()) expect.any_of.push_back(read_old_expected(item));
  if (expect.any_of.empty()) reader.refuse("at least one message");
  return expect;
}

Step read_old_step(const JsonReader& reader) {
  constexpr std::uint64_t longest_pause_ms = 600'000;
  JsonMembers members(reader);
  Step step;
  step.connection = members["connection"].printable_string();
  if (const auto send = members.find("send")) {
    step.action = read_old_send(*send);
  } else if (const auto expect = members.find("expect")) {
    step.action = read_old_expect(*expect);
  } else if (members.find("close")) {
    step.action = Close{};
  } else if (members.find("silence")) {
    step.action = Silence{};
  } else if (const auto pause = members.find("pause_ms")) {
    step.action = Pause{pause->natural(0, longest_pause_ms)};
  } else {
    reader.refuse("a step with 'send', 'expect', 'close', 'silence' or 'pause_ms'");
  }
  members.no_more();
  return step;
}

Vector read_vector(const JsonReader& reader, const std::string& operation) {
  JsonMembers members(reader);
  Vector vector;
  vector.id = members["id"].printable_string();
  vector.title = members["title"].printable_string();
  vector.operation = operation;
  vector.level = members["level"].one_of(
      {protocol::Level::must, protocol::Level::should, protocol::Level::may});
  vector.clauses = members["clauses"].printable_strings();
  vector.flags = members["flags"].printable_strings();
  for (const JsonReader& item : members["preconditions"].items())
    vector.preconditions.push_back(item.one_of({Precondition::empty, Precondition::exclusive}));
  vector.readings = members["readings"].printable_map();
  for (const JsonReader& key : members["keys"].items()) vector.keys.push_back(read_old_record(key));
  for (const JsonReader& step : members["steps"].items())
    vector.steps.push_back(read_old_step(step));
  members.no_more();
  return vector;
}

VectorFile read_vector_file(const JsonReader& reader) {
  JsonMembers members(reader);
  static_cast<void>(members.find("$schema"));
  if (const JsonReader format = members["format"]; format.natural() != 2) format.refuse("2");
  VectorFile file;
  file.dialect = reading::read_dialect(members["dialect"]).name;
  file.profile =
      members["profile"].one_of({protocol::Profile::deployed, protocol::Profile::literal});
  file.width =
      members["width"].one_of({protocol::Width::none, protocol::Width::u8, protocol::Width::u16,
                               protocol::Width::u32, protocol::Width::u64});
  file.operation = members["operation"].printable_string();
  file.flags = members["flags"].printable_map();
  for (const JsonReader& vector : members["vectors"].items())
    file.vectors.push_back(read_vector(vector, file.operation));
  members.no_more();
  return file;
}

}  // namespace

bool is_format_2(std::string_view text) {
  const auto document = base::parse_json(text);
  return document && (*document)["format"] == base::Json(2);
}

Result<VectorFile> read_format_2(std::string_view text) {
  return base::read_json(text, read_vector_file);
}

}  // namespace hallmark::vectors
