#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reference/protocol/bytes.hpp"
#include "reference/protocol/error.hpp"

/// What the readers of all vector files share: JSON whose every complaint names the place.
namespace hallmark::vectors::reading {

using Json = nlohmann::ordered_json;
using protocol::Bytes;
using protocol::Error;
using protocol::Result;

/// Thrown where a file is not as it should be; never leaves `parse`.
struct Invalid : Error {};

/// A value in the file together with its place, so that every complaint can name it.
class Node {
 public:
  Node(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[noreturn]] void refuse(std::string_view expected) const;

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  Node operator[](const char* key) const;
  std::vector<Node> items() const;
  std::vector<std::pair<std::string, Node>> members() const;
  std::string string() const;
  bool boolean() const;
  std::size_t index() const;
  /// A 64-bit integer, written as a string.
  std::uint64_t number() const;
  /// Hexadecimal text, or a list of texts and of runs that repeat.
  Bytes bytes() const;
  std::vector<std::string> strings() const;
  std::map<std::string, std::string> map() const;

  /// One of the values, by its name.
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

  bool is_string() const { return json_.is_string(); }
  bool is_array() const { return json_.is_array(); }
  const Json& json() const { return json_; }

 private:
  Bytes plain_bytes() const;

  const Json& json_;
  std::string place_;
};

/// What `read` makes of the text. Errors: the text is not JSON, or `read` threw Invalid.
template <class File>
Result<File> parse(std::string_view text, File (*read)(const Node&)) {
  try {
    const Json json = Json::parse(text);
    return read(Node(json, ""));
  } catch (const Invalid& invalid) {
    return Error(invalid);
  } catch (const Json::parse_error& error) {
    return Error{fmt::format("at byte {}: not JSON, expected a vector file", error.byte)};
  }
}

/// A whole file that `read` reads. Errors: it cannot be read, or those of `read`, with the path in
/// front.
Result<std::string> read_text(const std::string& path);
template <class File>
Result<File> load(const std::string& path, Result<File> (*read)(std::string_view)) {
  const auto text = read_text(path);
  if (text.has_error()) return text.error();
  auto file = read(*text);
  if (file.has_error()) return Error{fmt::format("{}: {}", path, file.error().message)};
  return file;
}

/// Paths of the .json files in a folder, in order; there has to be one.
Result<std::vector<std::string>> json_files(const std::filesystem::path& folder);

}  // namespace hallmark::vectors::reading
