#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "vectors/format/by_width.hpp"
#include "vectors/format/format_2.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/json_checks.hpp"
#include "vectors/format/json_fields.hpp"
#include "vectors/format/json_file.hpp"
#include "vectors/format/json_steps.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;
using base::JsonMembers;
using base::JsonReader;
using protocol::Dialect;
using protocol::Readings;
using protocol::Width;

std::vector<Width> read_widths(const JsonReader& reader) {
  std::vector<Width> widths;
  for (const JsonReader& item : reader.items()) {
    const Width width = item.one_of({Width::u8, Width::u16, Width::u32, Width::u64});
    if (std::ranges::find(widths, width) != widths.end()) item.complain("a width given twice");
    widths.push_back(width);
  }
  if (widths.empty()) reader.refuse("at least one width");
  return widths;
}

std::string id_at(std::string id, Width width) {
  if (const auto at = id.find(width_placeholder); at != std::string::npos)
    id.replace(at, width_placeholder.size(), name_of(width));
  return id;
}

std::vector<Record> read_keys(const JsonReader& reader, const Dialect& dialect) {
  const auto* const purge = protocol::find_operation(dialect, "PURGE");
  if (purge == nullptr) reader.complain(fmt::format("{} has no keys to purge", dialect.name));
  std::vector<Record> keys;
  for (const JsonReader& key : reader.items()) keys.push_back(read_record(key, purge->request));
  return keys;
}

/// Reads all but the steps of a vector.
Vector read_head(JsonMembers& members, const VectorFile& file, const Dialect& dialect) {
  Vector vector;
  vector.id = id_at(members["id"].printable_string(), file.width);
  vector.title = members["title"].printable_string();
  vector.operation = file.operation;
  vector.level = members["level"].one_of(
      {protocol::Level::must, protocol::Level::should, protocol::Level::may});
  vector.clauses = read_clauses(members["clauses"], dialect);
  if (const auto flags = members.find("flags")) vector.flags = read_flags(*flags, file.flags);
  if (const auto readings = members.find("readings"))
    vector.readings = read_answers(*readings, dialect);
  if (const auto preconditions = members.find("preconditions")) {
    for (const JsonReader& item : preconditions->items())
      vector.preconditions.push_back(item.one_of({Precondition::empty, Precondition::exclusive}));
  }
  if (const auto keys = members.find("keys")) vector.keys = read_keys(*keys, dialect);
  return vector;
}

/// Returns nothing if the vector is not of the file's width.
std::optional<Vector> read_vector(const JsonReader& reader, const VectorFile& file,
                                  const Dialect& dialect) {
  JsonMembers members(reader);
  if (const auto widths = members.find("widths")) {
    const auto own = read_widths(*widths);
    if (std::ranges::find(own, file.width) == own.end()) return std::nullopt;
  }
  Vector vector = read_head(members, file, dialect);
  const JsonReader steps = members["steps"];
  const Readings readings = readings_of(file, vector);
  for (const JsonReader& step : steps.items())
    vector.steps.push_back(read_step(step, file.width, readings));
  check_lifetimes(vector, steps);
  check_captures(vector, steps);
  members.no_more();
  return vector;
}

void check_format(const JsonReader& format) {
  if (format.natural() == 2) format.complain(is_of_format_2);
  if (format.natural() != file_format) format.refuse(std::to_string(file_format));
}

/// Flags that the vectors of one width carry.
void drop_idle_flags(VectorFile& file) {
  std::erase_if(file.flags, [&](const auto& flag) {
    return std::ranges::none_of(file.vectors, [&](const Vector& vector) {
      return std::ranges::find(vector.flags, flag.first) != vector.flags.end();
    });
  });
}

std::string wrong_width(const Dialect& dialect) {
  std::vector<std::string_view> names;
  for (const Width width : dialect.widths) names.push_back(name_of(width));
  if (dialect.widths.front() == Width::none) return fmt::format("{} has no widths", dialect.name);
  return fmt::format("vectors of {} have 'widths', of {}", dialect.name, fmt::join(names, ", "));
}

std::string read_operation(const JsonReader& reader, const Dialect& dialect) {
  if (protocol::find_operation_called(dialect, reader.string()) == nullptr)
    reader.refuse(fmt::format("an operation of {}", dialect.name));
  return reader.string();
}

VectorFile read_vector_file(const JsonReader& reader, Width width) {
  JsonMembers members(reader);
  static_cast<void>(members.find("$schema"));
  check_format(members["format"]);
  const Dialect& dialect = reading::read_dialect(members["dialect"]);
  VectorFile file;
  file.dialect = dialect.name;
  file.width = width;
  file.profile =
      members["profile"].one_of({protocol::Profile::deployed, protocol::Profile::literal});
  if (const auto answers = members.find("answers")) file.answers = read_answers(*answers, dialect);
  const auto widths = members.find("widths");
  if (std::ranges::find(dialect.widths, width) == dialect.widths.end())
    widths.value_or(reader).complain(wrong_width(dialect));
  file.operation = read_operation(members["operation"], dialect);
  if (const auto flags = members.find("flags")) file.flags = flags->printable_map();
  std::set<std::string> ids;
  for (const JsonReader& vector : members["vectors"].items()) {
    auto read = read_vector(vector, file, dialect);
    if (!read) continue;
    if (!ids.insert(read->id).second) JsonMembers(vector)["id"].complain("an id given twice");
    file.vectors.push_back(std::move(*read));
  }
  members.no_more();
  drop_idle_flags(file);
  return file;
}

/// The widths that a file has vectors of.
std::vector<Width> widths_of(const JsonReader& reader) {
  JsonMembers members(reader);
  check_format(members["format"]);
  const auto widths = members.find("widths");
  return widths ? read_widths(*widths) : std::vector{Width::none};
}

/// Refuses what is said of widths that the file does not have.
void check_widths(const JsonReader& reader, std::span<const Width> widths) {
  if (reader.json().is_array()) {
    for (const JsonReader& item : reader.items()) check_widths(item, widths);
  } else if (reader.json().is_object()) {
    const bool by_width = is_by_width(reader.json());
    for (const auto& [name, value] : reader.members()) {
      const auto is_name = [&](Width width) { return name_of(width) == name; };
      if (by_width && std::ranges::none_of(widths, is_name))
        value.complain("a width that the file does not have");
      check_widths(value, widths);
    }
  }
}

Result<void> check_widths(const Json& document, const std::vector<Width>& widths) {
  try {
    check_widths(JsonReader(document), widths);
    return {};
  } catch (const base::JsonMismatch& mismatch) {
    return base::Error(mismatch);
  }
}

Result<VectorFile> read_width(Json document, Width width) {
  keep_width(document, width);
  return base::read_document(
      document, [&](const JsonReader& reader) { return read_vector_file(reader, width); });
}

}  // namespace

Result<std::vector<VectorFile>> read_json(std::string_view text, std::optional<Width> only) {
  auto document = base::parse_json(text);
  if (document.has_error()) return document.error();
  const auto widths = base::read_document(*document, widths_of);
  if (widths.has_error()) return widths.error();
  if (auto checked = check_widths(*document, *widths); checked.has_error()) return checked.error();
  std::vector<VectorFile> files;
  for (const Width width : *widths) {
    if (only && width != *only) continue;
    const bool last = only || width == widths->back();
    auto file = read_width(last ? std::move(*document) : *document, width);
    if (file.has_error()) return file.error();
    files.push_back(std::move(*file));
  }
  return files;
}

}  // namespace hallmark::vectors
