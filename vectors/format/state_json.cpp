#include "vectors/format/state_json.hpp"

#include <filesystem>

#include "protocol/dialects.hpp"
#include "vectors/format/json_checks.hpp"
#include "vectors/format/json_file.hpp"
#include "vectors/format/lines.hpp"
#include "vectors/format/state_checks.hpp"

namespace hallmark::vectors {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::JsonMembers;
using base::JsonReader;

constexpr std::size_t state_file_format = 1;

Json write_vector(const StateVector& v) {
  Json json = {{"id", v.id},
               {"title", v.title},
               {"operation", v.operation},
               {"level", name_of(v.level)},
               {"clauses", v.clauses}};
  if (!v.flags.empty()) json["flags"] = v.flags;
  if (!v.readings.empty()) json["readings"] = v.readings;
  if (!v.formats.empty()) json["formats"] = v.formats;
  json["steps"] = Json::array();
  for (const StateStep& step : v.steps)
    json["steps"].push_back({{"request", step.request}, {"answer", step.answer}});
  return json;
}

StateStep read_state_step(const JsonReader& reader) {
  JsonMembers members(reader);
  const JsonReader request = members["request"];
  check_state_request(request);
  const JsonReader answer = members["answer"];
  check_state_answer(answer);
  members.no_more();
  return {request.json(), answer.json()};
}

std::string read_operation_of_states(const JsonReader& reader) {
  for (const std::string_view name : {"decode", "encode", "decide"}) {
    if (reader.string() == name) return reader.string();
  }
  reader.refuse("one of decode, encode, decide");
}

StateVector read_vector(const JsonReader& reader, const StateVectorFile& file) {
  const protocol::Dialect& dialect = protocol::ratelimit_state;
  JsonMembers members(reader);
  StateVector vector;
  vector.id = members["id"].printable_string();
  vector.title = members["title"].printable_string();
  vector.operation = read_operation_of_states(members["operation"]);
  vector.level = members["level"].one_of(
      {protocol::Level::must, protocol::Level::should, protocol::Level::may});
  vector.clauses = read_clauses(members["clauses"], dialect);
  if (const auto flags = members.find("flags")) vector.flags = read_flags(*flags, file.flags);
  if (const auto readings = members.find("readings"))
    vector.readings = read_answers(*readings, dialect);
  if (const auto formats = members.find("formats")) vector.formats = formats->printable_strings();
  for (const JsonReader& step : members["steps"].items())
    vector.steps.push_back(read_state_step(step));
  members.no_more();
  return vector;
}

StateVectorFile read_file(const JsonReader& reader) {
  JsonMembers members(reader);
  static_cast<void>(members.find("$schema"));
  if (const JsonReader format = members["format"]; format.natural() != state_file_format)
    format.refuse(std::to_string(state_file_format));
  if (const JsonReader dialect = members["dialect"]; dialect.string() != state_dialect)
    dialect.refuse(state_dialect);
  StateVectorFile file;
  file.strategy = read_strategy(members["strategy"]);
  if (const auto flags = members.find("flags")) file.flags = flags->printable_map();
  for (const JsonReader& vector : members["vectors"].items())
    file.vectors.push_back(read_vector(vector, file));
  members.no_more();
  return file;
}

}  // namespace

std::string write_json(const StateVectorFile& file) {
  Json json = {{"$schema", "../schema/state_vectors.schema.json"},
               {"format", state_file_format},
               {"dialect", state_dialect},
               {"strategy", file.strategy}};
  if (!file.flags.empty()) json["flags"] = file.flags;
  json["vectors"] = Json::array();
  for (const StateVector& vector : file.vectors) json["vectors"].push_back(write_vector(vector));
  return in_lines(json);
}

Result<StateVectorFile> read_state_json(std::string_view text) {
  return base::read_json(text, read_file);
}

std::string state_file_path(std::string_view strategy) {
  return (fs::path(state_dialect) / fs::path(strategy)).string() + ".json";
}

Result<StateVectorFile> load_state_file(const std::string& path) {
  return reading::load(path, read_state_json);
}

Result<std::vector<StateVectorFile>> load_state_directory(const std::string& directory) {
  const VectorRoot root(directory);
  const auto paths = root.files_in(std::string(state_dialect));
  if (paths.has_error()) return paths.error();
  std::vector<StateVectorFile> files;
  for (const std::string& path : *paths) {
    auto file = reading::load(root, path, read_state_json);
    if (file.has_error()) return file.error();
    files.push_back(std::move(file.value()));
  }
  return files;
}

}  // namespace hallmark::vectors
