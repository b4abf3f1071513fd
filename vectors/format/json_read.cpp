#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "protocol/dialects.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/json_file.hpp"

namespace hallmark::vectors {
namespace {

namespace fs = std::filesystem;
using base::JsonMembers;
using base::JsonReader;
using protocol::Dialect;
using reading::read_bytes;

Record read_record(const JsonReader& reader);

Value read_value(const JsonReader& reader) {
  if (reader.json().is_string()) return reader.natural_in_string();
  if (!reader.json().is_array()) {
    JsonMembers members(reader);
    Value bytes = read_bytes(members["hex"]);
    members.no_more();
    return bytes;
  }
  std::vector<Record> records;
  for (const JsonReader& item : reader.items()) records.push_back(read_record(item));
  return records;
}

Record read_record(const JsonReader& reader) {
  Record record;
  for (const auto& [name, value] : reader.members()) record.set(name, read_value(value));
  return record;
}

Lifetime read_lifetime(const JsonReader& reader) {
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
    case Match::remaining: pattern.lifetime = read_lifetime(members["lifetime"]); break;
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

std::string read_operation(const JsonReader& reader, const Dialect& dialect) {
  const auto* const operation =
      protocol::find_operation(dialect, std::string_view(reader.string()));
  if (operation == nullptr) reader.refuse(fmt::format("an operation of {}", dialect.name));
  return std::string(operation->name);
}

std::string read_push(const JsonReader& reader, const Dialect& dialect) {
  const auto* const push = protocol::find_push(dialect, reader.string());
  if (push == nullptr) reader.refuse(fmt::format("a push of {}", dialect.name));
  return std::string(push->name);
}

Expected read_expected(const JsonReader& reader, const Dialect& dialect) {
  JsonMembers members(reader);
  Expected expected;
  const auto push = members.find("push");
  expected.push = push && push->boolean();
  expected.message = expected.push ? read_push(members["message"], dialect)
                                   : read_operation(members["message"], dialect);
  expected.example = read_bytes(members["hex"]);
  for (const JsonReader& field : members["fields"].items())
    expected.fields.push_back(read_pattern(field));
  if (const auto lifetime = members.find("only_after"))
    expected.only_after = read_lifetime(*lifetime);
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

Send read_send(const JsonReader& reader, const Dialect& dialect) {
  JsonMembers members(reader);
  Send send;
  const JsonReader message = members["message"];
  if (!message.string().empty()) send.operation = read_operation(message, dialect);
  send.bytes = read_bytes(members["hex"]);
  send.fields = read_record(members["fields"]);
  if (const auto substitute = members.find("substitute")) {
    for (const JsonReader& item : substitute->items())
      send.substitutions.push_back(read_substitution(item, send.bytes.size()));
  }
  members.no_more();
  return send;
}

Expect read_expect(const JsonReader& reader, const Dialect& dialect) {
  Expect expect;
  for (const JsonReader& item : reader.items())
    expect.any_of.push_back(read_expected(item, dialect));
  if (expect.any_of.empty()) reader.refuse("at least one message");
  return expect;
}

Step read_step(const JsonReader& reader, const Dialect& dialect) {
  constexpr std::uint64_t longest_pause_ms = 600'000;
  JsonMembers members(reader);
  Step step;
  step.connection = members["connection"].printable_string();
  if (const auto send = members.find("send")) {
    step.action = read_send(*send, dialect);
  } else if (const auto expect = members.find("expect")) {
    step.action = read_expect(*expect, dialect);
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

/// A lifetime has to refer to a step before its own that sends.
void check_lifetimes(const Vector& vector, const JsonReader& steps) {
  const auto sends = [&](std::size_t since, std::size_t before) {
    return since < before && std::holds_alternative<Send>(vector.steps[since].action);
  };
  for (std::size_t i = 0; i < vector.steps.size(); ++i) {
    const auto* const expect = std::get_if<Expect>(&vector.steps[i].action);
    if (expect == nullptr) continue;
    for (const Expected& expected : expect->any_of) {
      if (expected.only_after && !sends(expected.only_after->since, i))
        steps.refuse("'since' to name an earlier step that sends");
      for (const FieldPattern& field : expected.fields) {
        if (field.match == Match::remaining && !sends(field.lifetime.since, i))
          steps.refuse("'since' to name an earlier step that sends");
      }
    }
  }
}

Vector read_vector(const JsonReader& reader, const std::string& operation, const Dialect& dialect) {
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
  for (const JsonReader& key : members["keys"].items()) vector.keys.push_back(read_record(key));
  const JsonReader steps = members["steps"];
  for (const JsonReader& step : steps.items()) vector.steps.push_back(read_step(step, dialect));
  check_lifetimes(vector, steps);
  members.no_more();
  return vector;
}

const Dialect& read_dialect(const JsonReader& reader) {
  std::vector<std::string_view> names;
  for (const Dialect* const dialect : protocol::all_dialects) {
    if (dialect->name == reader.string()) return *dialect;
    names.push_back(dialect->name);
  }
  reader.refuse(fmt::format("one of {}", fmt::join(names, ", ")));
}

VectorFile read_vector_file(const JsonReader& reader) {
  JsonMembers members(reader);
  static_cast<void>(members.find("$schema"));
  if (const JsonReader format = members["format"]; format.natural() != 2) format.refuse("2");
  const Dialect& dialect = read_dialect(members["dialect"]);
  VectorFile file;
  file.dialect = dialect.name;
  file.profile =
      members["profile"].one_of({protocol::Profile::deployed, protocol::Profile::literal});
  file.width =
      members["width"].one_of({protocol::Width::none, protocol::Width::u8, protocol::Width::u16,
                               protocol::Width::u32, protocol::Width::u64});
  file.operation = members["operation"].printable_string();
  file.flags = members["flags"].printable_map();
  for (const JsonReader& vector : members["vectors"].items())
    file.vectors.push_back(read_vector(vector, file.operation, dialect));
  members.no_more();
  return file;
}

}  // namespace

Result<VectorFile> read_json(std::string_view text) {
  return base::read_json(text, read_vector_file);
}

Result<VectorFile> load_file(const std::string& path) { return reading::load(path, read_json); }

std::string folder_of(std::string_view dialect, protocol::Profile profile, protocol::Width width) {
  fs::path folder(dialect);
  if (profile == protocol::Profile::literal) folder /= name_of(profile);
  if (width != protocol::Width::none) folder /= name_of(width);
  return folder.string();
}

Result<std::vector<VectorFile>> load_directory(const std::string& directory,
                                               std::string_view dialect, protocol::Width width) {
  const auto folder = [&](protocol::Profile profile) {
    return fs::path(directory) / folder_of(dialect, profile, width);
  };
  auto paths = reading::json_files(folder(protocol::Profile::deployed));
  if (paths.has_error()) return paths.error();
  const fs::path literal = folder(protocol::Profile::literal);
  std::error_code ignored;
  if (fs::exists(literal, ignored)) {
    const auto more = reading::json_files(literal);
    if (more.has_error()) return more.error();
    paths->insert(paths->end(), more->begin(), more->end());
  }
  std::vector<VectorFile> files;
  for (const std::string& path : *paths) {
    auto file = load_file(path);
    if (file.has_error()) return file.error();
    files.push_back(std::move(file.value()));
  }
  return files;
}

}  // namespace hallmark::vectors
