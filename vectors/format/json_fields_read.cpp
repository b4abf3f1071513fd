#include <fmt/format.h>
#include <fmt/ranges.h>

#include "vectors/format/field_table.hpp"
#include "vectors/format/json_bytes.hpp"
#include "vectors/format/json_fields.hpp"

namespace hallmark::vectors {
namespace {

using base::JsonMembers;
using base::JsonReader;
using protocol::Field;
using protocol::Message;
using protocol::kinds::Group;
using protocol::kinds::Status;

using Fields = std::span<const Field>;

/// Adds the names of those that vectors may name: all others follow from the rest.
void add_names(std::vector<std::string_view>& names, Fields fields) {
  for (const Field& field : fields) {
    if (const auto* const group = field.as<Group>()) add_names(names, group->head);
    if (!field.derived()) names.push_back(field.name);
  }
}

[[noreturn]] void refuse_name(const JsonReader& reader, Fields fields, Fields more) {
  std::vector<std::string_view> names;
  add_names(names, fields);
  add_names(names, more);
  reader.complain(fmt::format("unknown field, expected one of {}", fmt::join(names, ", ")));
}

std::uint64_t read_number(const JsonReader& reader) {
  if (reader.json().is_natural()) return reader.natural();
  if (!reader.json().is_object()) reader.refuse("a whole number or {\"number\": \"…\"}");
  JsonMembers members(reader);
  const std::uint64_t number = members["number"].natural_in_string();
  members.no_more();
  return number;
}

std::uint64_t read_status(const JsonReader& reader) {
  if (!reader.json().is_string()) return read_number(reader);
  for (const protocol::Choice& choice : Status::choices) {
    if (choice.name == reader.string()) return choice.code;
  }
  reader.refuse("success, failure or a whole number");
}

Record read_record_of_group(const JsonReader& reader, const Field& group);

Value read_value(const JsonReader& reader, const Field& field) {
  if (field.is<Status>()) return read_status(reader);
  if (field.numeric()) return read_number(reader);
  if (!field.is<Group>()) return read_value_bytes(reader);
  std::vector<Record> records;
  for (const JsonReader& item : reader.items())
    records.push_back(read_record_of_group(item, field));
  return records;
}

Record read_record_of_group(const JsonReader& reader, const Field& group) {
  Record record;
  for (const auto& [name, value] : reader.members()) {
    const Field* const field = find_field_of_record(group, name);
    if (field == nullptr) refuse_name(value, group.get<Group>().head, group.get<Group>().tail);
    record.set(field->name, read_value(value, *field));
  }
  return record;
}

/// The matches that say something of such a field; that it equals a value is said without.
std::vector<Match> matches_of(const Field& field) {
  if (field.is<Group>()) return {Match::set_of};
  if (!field.numeric()) return {Match::any, Match::capture, Match::captured, Match::captured_hex};
  return {Match::any,       Match::range,   Match::one_of,
          Match::remaining, Match::capture, Match::captured};
}

EntryPattern read_entry(const JsonReader& reader, const Field& group);

Lifetime lifetime_in(JsonMembers& members) {
  return {read_number(members["full"]), read_number(members["unit_ns"]),
          members["since"].natural()};
}

void read_details(FieldPattern& pattern, JsonMembers& members, const Field& field) {
  switch (pattern.match) {
    case Match::equals:
    case Match::any: break;
    case Match::range:
      pattern.min = read_number(members["min"]);
      pattern.max = read_number(members["max"]);
      break;
    case Match::one_of:
      for (const JsonReader& choice : members["choices"].items())
        pattern.choices.push_back(read_number(choice));
      break;
    case Match::remaining: pattern.lifetime = lifetime_in(members); break;
    case Match::capture:
    case Match::captured:
    case Match::captured_hex: pattern.capture = members["name"].printable_string(); break;
    case Match::set_of:
      pattern.exactly = members["exactly"].boolean();
      for (const JsonReader& one : members["records"].items())
        pattern.entries.push_back(read_entry(one, field));
      break;
  }
}

enum class Placed : bool { no, yes };

FieldPattern read_pattern(const JsonReader& reader, const Field& field, Placed placed) {
  FieldPattern pattern;
  pattern.field = field.name;
  if (!reader.json().contains("match")) {
    pattern.value = read_value(reader, field);
    return pattern;
  }
  JsonMembers members(reader);
  pattern.match = members["match"].one_of(matches_of(field));
  read_details(pattern, members, field);
  if (placed == Placed::yes) {
    const Place place = read_place(members["at"]);
    pattern.offset = place.offset;
    pattern.length = place.length;
  }
  members.no_more();
  return pattern;
}

EntryPattern read_entry(const JsonReader& reader, const Field& group) {
  EntryPattern entry;
  for (const auto& [name, value] : reader.members()) {
    const Field* const field = find_field_of_record(group, name);
    if (field == nullptr) refuse_name(value, group.get<Group>().head, group.get<Group>().tail);
    entry.fields.push_back(read_pattern(value, *field, Placed::no));
  }
  return entry;
}

}  // namespace

void check_field_name(const JsonReader& reader, std::string_view name, const Message& message) {
  if (find_field(message, name) == nullptr) refuse_name(reader, message.fields, message.on_success);
}

Record read_record(const JsonReader& reader, const Message& message) {
  Record record;
  for (const auto& [name, value] : reader.members()) {
    const Field* const field = find_field(message, name);
    if (field == nullptr) refuse_name(value, message.fields, message.on_success);
    record.set(field->name, read_value(value, *field));
  }
  return record;
}

std::vector<FieldPattern> read_patterns(const JsonReader& reader, const Message& message) {
  std::vector<FieldPattern> patterns;
  for (const auto& [name, value] : reader.members()) {
    const Field* field = find_group(message, name);
    if (field == nullptr) field = find_field(message, name);
    if (field == nullptr) refuse_name(value, message.fields, message.on_success);
    patterns.push_back(read_pattern(value, *field, Placed::yes));
  }
  return patterns;
}

void check_places(const JsonReader& reader, const std::vector<FieldPattern>& patterns,
                  const std::vector<FieldPattern>& located) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const FieldPattern& told = patterns[i];
    const FieldPattern& found = located[i];
    if (told.match == Match::equals) continue;
    if (told.offset == found.offset && told.length == found.length) continue;
    JsonMembers fields(reader);
    JsonMembers members(fields[told.field]);
    members["at"].refuse(
        fmt::format("[{}, {}], the place of {}", found.offset, found.length, told.field));
  }
}

Lifetime read_lifetime(const JsonReader& reader) {
  JsonMembers members(reader);
  const Lifetime lifetime = lifetime_in(members);
  members.no_more();
  return lifetime;
}

Place read_place(const JsonReader& reader) {
  const auto numbers = reader.items();
  if (numbers.size() != 2) reader.refuse("[offset, length]");
  return {numbers[0].natural(), numbers[1].natural()};
}

}  // namespace hallmark::vectors
