#include "vectors/format/state_json.hpp"

#include <filesystem>

#include "vectors/format/json_node.hpp"

namespace hallmark::vectors {
namespace {

namespace fs = std::filesystem;
using reading::Node;

constexpr std::size_t file_format = 1;

StateJson write_vector(const StateVector& v) {
  StateJson json = {{"id", v.id},
                    {"title", v.title},
                    {"operation", v.operation},
                    {"level", name_of(v.level)},
                    {"clauses", v.clauses},
                    {"flags", v.flags},
                    {"readings", v.readings},
                    {"formats", v.formats},
                    {"steps", StateJson::array()}};
  for (const StateStep& step : v.steps)
    json["steps"].push_back({{"request", step.request}, {"answer", step.answer}});
  return json;
}

/// An object that is kept as it stands.
StateJson read_object(const Node& node) {
  if (!node.json().is_object()) node.refuse("an object");
  return node.json();
}

StateVector read_vector(const Node& node) {
  StateVector vector;
  vector.id = node["id"].string();
  vector.title = node["title"].string();
  vector.operation = node["operation"].string();
  vector.level =
      node["level"].one_of({protocol::Level::must, protocol::Level::should, protocol::Level::may});
  vector.clauses = node["clauses"].strings();
  vector.flags = node["flags"].strings();
  vector.readings = node["readings"].map();
  vector.formats = node["formats"].strings();
  for (const Node& step : node["steps"].items())
    vector.steps.push_back({read_object(step["request"]), read_object(step["answer"])});
  return vector;
}

StateVectorFile read_file(const Node& node) {
  if (node["format"].index() != file_format) node["format"].refuse("1");
  StateVectorFile file;
  if (node["dialect"].string() != state_dialect) node["dialect"].refuse(state_dialect);
  file.strategy = node["strategy"].string();
  file.flags = node["flags"].map();
  for (const Node& vector : node["vectors"].items()) file.vectors.push_back(read_vector(vector));
  return file;
}

}  // namespace

std::string write_json(const StateVectorFile& file) {
  StateJson json = {{"$schema", "../schema/state_vectors.schema.json"},
                    {"format", file_format},
                    {"dialect", state_dialect},
                    {"strategy", file.strategy},
                    {"flags", file.flags},
                    {"vectors", StateJson::array()}};
  for (const StateVector& vector : file.vectors) json["vectors"].push_back(write_vector(vector));
  return json.dump(1) + "\n";
}

Result<StateVectorFile> read_state_json(std::string_view text) {
  return reading::parse(text, read_file);
}

std::string state_file_path(std::string_view strategy) {
  return (fs::path(state_dialect) / fs::path(strategy)).string() + ".json";
}

Result<StateVectorFile> load_state_file(const std::string& path) {
  return reading::load(path, read_state_json);
}

Result<std::vector<StateVectorFile>> load_state_directory(const std::string& directory) {
  const auto paths = reading::json_files(fs::path(directory) / state_dialect);
  if (paths.has_error()) return paths.error();
  std::vector<StateVectorFile> files;
  for (const std::string& path : *paths) {
    auto file = load_state_file(path);
    if (file.has_error()) return file.error();
    files.push_back(std::move(file.value()));
  }
  return files;
}

}  // namespace hallmark::vectors
