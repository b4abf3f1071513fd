#include "vectors/format/json_node.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace hallmark::vectors::reading {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{16} << 20;

}  // namespace

void Node::refuse(std::string_view expected) const {
  std::string got = json_.dump();
  if (got.size() > 40) got = got.substr(0, 40) + "…";
  throw Invalid{
      {fmt::format("at {}: found {}, expected {}", place_.empty() ? "/" : place_, got, expected)}};
}

Node Node::operator[](const char* key) const {
  if (!has(key))
    throw Invalid{{fmt::format("at {}: '{}' is missing", place_.empty() ? "/" : place_, key)}};
  return {json_[key], fmt::format("{}/{}", place_, key)};
}

std::vector<Node> Node::items() const {
  if (!json_.is_array()) refuse("a list");
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < json_.size(); ++i)
    nodes.emplace_back(json_[i], fmt::format("{}/{}", place_, i));
  return nodes;
}

std::vector<std::pair<std::string, Node>> Node::members() const {
  if (!json_.is_object()) refuse("an object");
  std::vector<std::pair<std::string, Node>> nodes;
  for (const auto& [key, value] : json_.items())
    nodes.emplace_back(key, Node(value, fmt::format("{}/{}", place_, key)));
  return nodes;
}

std::string Node::string() const {
  if (!json_.is_string()) refuse("a string");
  return json_.get<std::string>();
}

bool Node::boolean() const {
  if (!json_.is_boolean()) refuse("true or false");
  return json_.get<bool>();
}

std::size_t Node::index() const {
  if (!json_.is_number_unsigned()) refuse("a number of 0 or more");
  return json_.get<std::size_t>();
}

std::uint64_t Node::number() const {
  std::uint64_t value = 0;
  const std::string text = json_.is_string() ? json_.get<std::string>() : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    refuse("a decimal number in a string");
  return value;
}

Bytes Node::bytes() const {
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

Bytes Node::plain_bytes() const {
  const auto bytes = protocol::from_hex(string());
  if (!bytes) refuse("pairs of hexadecimal digits");
  return *bytes;
}

std::vector<std::string> Node::strings() const {
  std::vector<std::string> strings;
  for (const Node& item : items()) strings.push_back(item.string());
  return strings;
}

std::map<std::string, std::string> Node::map() const {
  std::map<std::string, std::string> map;
  for (const auto& [key, value] : members()) map[key] = value.string();
  return map;
}

Result<std::string> read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{fmt::format("{}: cannot be read", path)};
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad() || text.str().empty())
    return Error{fmt::format("{}: empty or unreadable, expected a vector file", path)};
  return Result<std::string>(boost::system::in_place_value, text.str());
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

}  // namespace hallmark::vectors::reading
