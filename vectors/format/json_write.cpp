#include <algorithm>

#include "base/json.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/by_width.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/json_fields.hpp"
#include "vectors/format/json_steps.hpp"
#include "vectors/format/lines.hpp"

namespace hallmark::vectors {
namespace {

using base::ByteView;
using base::Json;
using protocol::Dialect;
using protocol::Width;

Json names_of(const std::vector<Width>& widths) {
  Json names = Json::array();
  for (const Width width : widths) names.push_back(name_of(width));
  return names;
}

/// The id without its width.
std::string neutral_id(std::string id, Width width) {
  const std::string part = "/" + std::string(name_of(width)) + "/";
  if (const auto at = id.find(part); width != Width::none && at != std::string::npos)
    id.replace(at + 1, part.size() - 2, width_placeholder);
  return id;
}

Json vector_json(const Vector& of, const Dialect& dialect, Width width) {
  Json json = {{"id", neutral_id(of.id, width)},
               {"title", of.title},
               {"level", name_of(of.level)},
               {"clauses", of.clauses}};
  if (!of.flags.empty()) json["flags"] = of.flags;
  json["readings"] = of.readings;  // also if empty: at other widths there may be some
  for (const Precondition one : of.preconditions) json["preconditions"].push_back(name_of(one));
  for (const Record& key : of.keys) json["keys"].push_back(record_json(key));
  json["steps"] = Json::array();
  for (const Step& one : of.steps) json["steps"].push_back(step_json(one, dialect));
  return json;
}

/// A vector at all widths that have it.
struct Body {
  std::string id;
  std::vector<Width> widths;
  std::vector<Json> documents;
};

/// Groups vectors by their id, in the order in which the files have them.
std::vector<Body> bodies_of(const std::vector<VectorFile>& files, const Dialect& dialect) {
  std::vector<Body> bodies;
  for (const VectorFile& file : files) {
    auto after = bodies.begin();
    for (const Vector& vector : file.vectors) {
      const std::string id = neutral_id(vector.id, file.width);
      auto found = std::ranges::find(bodies, id, &Body::id);
      if (found == bodies.end()) found = bodies.insert(after, {id, {}, {}});
      found->widths.push_back(file.width);
      found->documents.push_back(vector_json(vector, dialect, file.width));
      after = found + 1;
    }
  }
  return bodies;
}

Json body_json(const Body& body, std::size_t widths_of_file) {
  Json json = merged(body.widths, body.documents);
  if (json["readings"].empty()) json.erase("readings");
  if (body.widths.size() == widths_of_file) return json;
  auto& members = json.mutable_members();
  members.insert(members.begin() + 1, {"widths", names_of(body.widths)});
  return json;
}

Json head_of(const std::vector<VectorFile>& files) {
  const VectorFile& first = files.front();
  std::vector<Width> widths;
  std::map<std::string, std::string> flags;
  for (const VectorFile& file : files) {
    if (file.width != Width::none) widths.push_back(file.width);
    flags.insert(file.flags.begin(), file.flags.end());
  }
  const bool literal = first.profile == protocol::Profile::literal;
  Json head = {
      {"$schema", literal ? "../../schema/vectors.schema.json" : "../schema/vectors.schema.json"},
      {"format", file_format},
      {"dialect", first.dialect},
      {"profile", name_of(first.profile)}};
  if (!first.answers.empty()) head["answers"] = first.answers;
  if (!widths.empty()) head["widths"] = names_of(widths);
  head["operation"] = first.operation;
  if (!flags.empty()) head["flags"] = flags;
  return head;
}

}  // namespace

std::string write_json(const std::vector<VectorFile>& files) {
  const Dialect& dialect = dialect_of(files.front());
  Json json = head_of(files);
  json["vectors"] = Json::array();
  for (const Body& body : bodies_of(files, dialect))
    json["vectors"].push_back(body_json(body, files.size()));
  return in_lines(json);
}

std::string write_json(const VectorFile& file) { return write_json(std::vector{file}); }

}  // namespace hallmark::vectors
