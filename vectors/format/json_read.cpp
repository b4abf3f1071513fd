#include <fmt/format.h>

#include <algorithm>

#include "vectors/format/by_width.hpp"
#include "vectors/format/format_2.hpp"
#include "vectors/format/json.hpp"
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

/// A lifetime has to refer to a step before its own that sends.
void check_lifetimes(const Vector& vector, const JsonReader& steps) {
  const auto sends = [&](std::size_t since, std::size_t before) {
    return since < before && std::holds_alternative<Send>(vector.steps[since].action);
  };
  const auto all = steps.items();
  for (std::size_t i = 0; i < vector.steps.size(); ++i) {
    const auto* const expect = std::get_if<Expect>(&vector.steps[i].action);
    if (expect == nullptr) continue;
    for (const Expected& expected : expect->any_of) {
      const bool wrong =
          (expected.only_after && !sends(expected.only_after->since, i)) ||
          std::ranges::any_of(expected.fields, [&](const FieldPattern& field) {
            return field.match == Match::remaining && !sends(field.lifetime.since, i);
          });
      if (wrong) all[i].refuse("'since' to name an earlier step that sends");
    }
  }
}

std::vector<Width> read_widths(const JsonReader& reader) {
  std::vector<Width> widths;
  for (const JsonReader& item : reader.items())
    widths.push_back(item.one_of({Width::u8, Width::u16, Width::u32, Width::u64}));
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
  vector.clauses = members["clauses"].printable_strings();
  if (const auto flags = members.find("flags")) vector.flags = flags->printable_strings();
  if (const auto readings = members.find("readings")) vector.readings = readings->printable_map();
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
  if (const auto answers = members.find("answers")) file.answers = answers->printable_map();
  static_cast<void>(members.find("widths"));
  file.operation = members["operation"].printable_string();
  if (const auto flags = members.find("flags")) file.flags = flags->printable_map();
  for (const JsonReader& vector : members["vectors"].items()) {
    if (auto read = read_vector(vector, file, dialect)) file.vectors.push_back(std::move(*read));
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
