#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "vectors/format/json.hpp"

namespace hallmark::vectors {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Thrown where the file is not as it should be; never leaves this file.
struct Invalid : Error {};

/// A value in the file together with its place, so that every complaint can name it.
class Node {
 public:
  Node(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[noreturn]] void refuse(std::string_view expected) const {
    std::string got = json_.dump();
    if (got.size() > 40) got = got.substr(0, 40) + "…";
    throw Invalid{{fmt::format("at {}: found {}, expected {}", place_.empty() ? "/" : place_, got,
                               expected)}};
  }

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

  Node operator[](const char* key) const {
    if (!has(key))
      throw Invalid{{fmt::format("at {}: '{}' is missing", place_.empty() ? "/" : place_, key)}};
    return {json_[key], fmt::format("{}/{}", place_, key)};
  }

  std::vector<Node> items() const {
    if (!json_.is_array()) refuse("a list");
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < json_.size(); ++i)
      nodes.emplace_back(json_[i], fmt::format("{}/{}", place_, i));
    return nodes;
  }

  std::vector<std::pair<std::string, Node>> members() const {
    if (!json_.is_object()) refuse("an object");
    std::vector<std::pair<std::string, Node>> nodes;
    for (const auto& [key, value] : json_.items())
      nodes.emplace_back(key, Node(value, fmt::format("{}/{}", place_, key)));
    return nodes;
  }

  std::string string() const {
    if (!json_.is_string()) refuse("a string");
    return json_.get<std::string>();
  }

  bool boolean() const {
    if (!json_.is_boolean()) refuse("true or false");
    return json_.get<bool>();
  }

  std::size_t index() const {
    if (!json_.is_number_unsigned()) refuse("a number of 0 or more");
    return json_.get<std::size_t>();
  }

  /// A 64-bit integer, written as a string.
  std::uint64_t number() const {
    std::uint64_t value = 0;
    const std::string text = json_.is_string() ? json_.get<std::string>() : "";
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
      refuse("a decimal number in a string");
    return value;
  }

  template <class Enum>
  Enum one_of(std::initializer_list<Enum> values) const {
    const std::string text = string();
    std::string names;
    for (const Enum value : values) {
      if (name_of(value) == text) return value;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(value));
    }
    refuse("one of " + names);
  }

  Bytes bytes() const {
    if (!json_.is_array()) return plain_bytes();
    Bytes all;
    for (const Node& part : items()) {
      const bool run = part.json_.is_object();
      const Bytes once = run ? part["hex"].plain_bytes() : part.plain_bytes();
      const std::size_t times = run ? part["times"].index() : 1;
      if (once.size() * times > most_bytes) part.refuse("less than 16 MiB");
      for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), once.begin(), once.end());
    }
    return all;
  }

  bool is_string() const { return json_.is_string(); }
  bool is_array() const { return json_.is_array(); }

 private:
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;

  Bytes plain_bytes() const {
    const auto bytes = protocol::from_hex(string());
    if (!bytes) refuse("pairs of hexadecimal digits");
    return *bytes;
  }

  const Json& json_;
  std::string place_;
};

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
  } else {
    node.refuse("a step with 'send', 'expect', 'close' or 'silence'");
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

std::vector<std::string> read_strings(const Node& node) {
  std::vector<std::string> strings;
  for (const Node& item : node.items()) strings.push_back(item.string());
  return strings;
}

std::map<std::string, std::string> read_map(const Node& node) {
  std::map<std::string, std::string> map;
  for (const auto& [key, value] : node.members()) map[key] = value.string();
  return map;
}

Vector read_vector(const Node& node, const std::string& operation) {
  Vector vector;
  vector.id = node["id"].string();
  vector.title = node["title"].string();
  vector.operation = operation;
  vector.level =
      node["level"].one_of({protocol::Level::must, protocol::Level::should, protocol::Level::may});
  vector.clauses = read_strings(node["clauses"]);
  vector.flags = read_strings(node["flags"]);
  for (const Node& item : node["preconditions"].items()) {
    vector.preconditions.push_back(item.one_of({Precondition::empty, Precondition::exclusive}));
  }
  vector.readings = read_map(node["readings"]);
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
  file.flags = read_map(node["flags"]);
  for (const Node& vector : node["vectors"].items())
    file.vectors.push_back(read_vector(vector, file.operation));
  return file;
}

/// Paths of the .json files in a folder, in order; there has to be one.
Result<std::vector<std::string>> json_files(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  }
  if (error)
    return Error{fmt::format("{}: {}, expected a directory of vector files", folder.string(),
                             error.message())};
  if (paths.empty())
    return Error{fmt::format("{}: holds no .json file, expected vector files", folder.string())};
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

Result<VectorFile> read_json(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    return read_vector_file(Node(json, ""));
  } catch (const Invalid& invalid) {
    return Error(invalid);
  } catch (const Json::parse_error& error) {
    return Error{fmt::format("at byte {}: not JSON, expected a vector file", error.byte)};
  }
}

Result<VectorFile> load_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{fmt::format("{}: cannot be read", path)};
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad() || text.str().empty())
    return Error{fmt::format("{}: empty or unreadable, expected a vector file", path)};
  auto file = read_json(text.str());
  if (file.has_error()) return Error{fmt::format("{}: {}", path, file.error().message)};
  return file;
}

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
  auto paths = json_files(shelf(protocol::Profile::deployed));
  if (paths.has_error()) return paths.error();
  const fs::path literal = shelf(protocol::Profile::literal);
  std::error_code ignored;
  if (fs::exists(literal, ignored)) {
    const auto more = json_files(literal);
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
