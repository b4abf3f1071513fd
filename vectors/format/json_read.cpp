#include <fmt/format.h>

#include <filesystem>

#include "vectors/format/json.hpp"
#include "vectors/format/json_node.hpp"

namespace hallmark::vectors {
namespace {

namespace fs = std::filesystem;
using reading::Node;

Record read_record(const Node& node);

Value read_value(const Node& node) {
  if (node.is_string()) return node.number();
  if (!node.is_array()) return node["hex"].bytes();
  std::vector<Record> records;
  for (const Node& item : node.items()) records.push_back(read_record(item));
  return records;
}

Record read_record(const Node& node) {
  Record record;
  for (const auto& [name, value] : node.members()) record.set(name, read_value(value));
  return record;
}

Lifetime read_lifetime(const Node& node) {
  return {node["full"].number(), node["unit_ns"].number(), node["since"].index()};
}

FieldPattern read_placeless(const Node& node);

EntryPattern read_entry(const Node& node) {
  EntryPattern entry;
  for (const Node& field : node.items()) entry.fields.push_back(read_placeless(field));
  return entry;
}

FieldPattern read_placeless(const Node& node) {
  FieldPattern pattern;
  pattern.field = node["field"].string();
  pattern.match = node["match"].one_of({Match::equals, Match::any, Match::range, Match::one_of,
                                        Match::remaining, Match::capture, Match::captured,
                                        Match::captured_hex, Match::set_of});
  switch (pattern.match) {
    case Match::equals: pattern.value = read_value(node["value"]); break;
    case Match::any: break;
    case Match::range:
      pattern.min = node["min"].number();
      pattern.max = node["max"].number();
      break;
    case Match::one_of:
      for (const Node& choice : node["choices"].items()) pattern.choices.push_back(choice.number());
      break;
    case Match::remaining: pattern.lifetime = read_lifetime(node["lifetime"]); break;
    case Match::capture:
    case Match::captured:
    case Match::captured_hex: pattern.capture = node["name"].string(); break;
    case Match::set_of:
      pattern.exactly = node["exactly"].boolean();
      for (const Node& record : node["records"].items())
        pattern.entries.push_back(read_entry(record));
      break;
  }
  return pattern;
}

FieldPattern read_pattern(const Node& node) {
  FieldPattern pattern = read_placeless(node);
  pattern.offset = node["offset"].index();
  pattern.length = node["length"].index();
  return pattern;
}

Expected read_expected(const Node& node) {
  Expected expected;
  expected.message = node["message"].string();
  expected.push = node.has("push") && node["push"].boolean();
  expected.example = node["hex"].bytes();
  for (const Node& field : node["fields"].items()) expected.fields.push_back(read_pattern(field));
  if (node.has("only_after")) expected.only_after = read_lifetime(node["only_after"]);
  return expected;
}

Send read_send(const Node& node) {
  Send send;
  send.operation = node["message"].string();
  send.bytes = node["hex"].bytes();
  send.fields = read_record(node["fields"]);
  if (!node.has("substitute")) return send;
  for (const Node& item : node["substitute"].items()) {
    send.substitutions.push_back({item["field"].string(), item["offset"].index(),
                                  item["length"].index(), item["name"].string()});
    const Substitution& added = send.substitutions.back();
    if (added.offset > send.bytes.size() || added.length > send.bytes.size() - added.offset) {
      item.refuse("a place inside the bytes to send");
    }
  }
  return send;
}

Step read_step(const Node& node) {
  Step step;
  step.connection = node["connection"].string();
  if (node.has("send")) {
    step.action = read_send(node["send"]);
  } else if (node.has("expect")) {
    Expect expect;
    for (const Node& item : node["expect"].items()) expect.any_of.push_back(read_expected(item));
    if (expect.any_of.empty()) node["expect"].refuse("at least one message");
    step.action = std::move(expect);
  } else if (node.has("close")) {
    step.action = Close{};
  } else if (node.has("silence")) {
    step.action = Silence{};
  } else if (node.has("pause_ms")) {
    constexpr std::size_t longest_ms = 600'000;
    const std::size_t pause = node["pause_ms"].index();
    if (pause > longest_ms) node["pause_ms"].refuse("at most 600000");
    step.action = Pause{pause};
  } else {
    node.refuse("a step with 'send', 'expect', 'close', 'silence' or 'pause_ms'");
  }
  return step;
}

/// A lifetime has to refer to a step before its own that sends.
void check_lifetimes(const Vector& vector, const Node& node) {
  const auto sends = [&](std::size_t since, std::size_t before) {
    return since < before && std::holds_alternative<Send>(vector.steps[since].action);
  };
  for (std::size_t i = 0; i < vector.steps.size(); ++i) {
    const auto* const expect = std::get_if<Expect>(&vector.steps[i].action);
    if (expect == nullptr) continue;
    for (const Expected& expected : expect->any_of) {
      if (expected.only_after && !sends(expected.only_after->since, i))
        node.refuse("'since' to name an earlier step that sends");
      for (const FieldPattern& field : expected.fields) {
        if (field.match == Match::remaining && !sends(field.lifetime.since, i))
          node.refuse("'since' to name an earlier step that sends");
      }
    }
  }
}

Vector read_vector(const Node& node, const std::string& operation) {
  Vector vector;
  vector.id = node["id"].string();
  vector.title = node["title"].string();
  vector.operation = operation;
  vector.level =
      node["level"].one_of({protocol::Level::must, protocol::Level::should, protocol::Level::may});
  vector.clauses = node["clauses"].strings();
  vector.flags = node["flags"].strings();
  for (const Node& item : node["preconditions"].items()) {
    vector.preconditions.push_back(item.one_of({Precondition::empty, Precondition::exclusive}));
  }
  vector.readings = node["readings"].map();
  for (const Node& key : node["keys"].items()) vector.keys.push_back(read_record(key));
  for (const Node& step : node["steps"].items()) vector.steps.push_back(read_step(step));
  check_lifetimes(vector, node["steps"]);
  return vector;
}

VectorFile read_vector_file(const Node& node) {
  if (node["format"].index() != 2) node["format"].refuse("2");
  VectorFile file;
  file.dialect = node["dialect"].string();
  file.profile = node["profile"].one_of({protocol::Profile::deployed, protocol::Profile::literal});
  file.width =
      node["width"].one_of({protocol::Width::none, protocol::Width::u8, protocol::Width::u16,
                            protocol::Width::u32, protocol::Width::u64});
  file.operation = node["operation"].string();
  file.flags = node["flags"].map();
  for (const Node& vector : node["vectors"].items())
    file.vectors.push_back(read_vector(vector, file.operation));
  return file;
}

}  // namespace

Result<VectorFile> read_json(std::string_view text) {
  return reading::parse(text, read_vector_file);
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
  const auto shelf = [&](protocol::Profile profile) {
    return fs::path(directory) / folder_of(dialect, profile, width);
  };
  auto paths = reading::json_files(shelf(protocol::Profile::deployed));
  if (paths.has_error()) return paths.error();
  const fs::path literal = shelf(protocol::Profile::literal);
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
