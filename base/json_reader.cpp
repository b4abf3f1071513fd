#include "base/json_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace hallmark::base {
namespace {

constexpr std::size_t longest_shown = 60;
/// More need not be made printable.
constexpr std::size_t most_looked_at = 400;

std::string shown(std::string_view text) {
  return excerpt(text.substr(0, most_looked_at), longest_shown);
}

std::string came(const Json& json) {
  if (json.is_object()) return "an object";
  if (json.is_array()) return "an array";
  if (json.is_string() && json.size() > most_looked_at)
    return shown(Json(json.string().substr(0, most_looked_at)).dump());
  return shown(json.dump());
}

/// Appends the way from `from` to `to` as a JSON pointer. False: `to` is not within `from`.
bool append_path(std::string& path, const Json& from, const Json& to) {
  if (&from == &to) return true;
  const auto leads_there = [&](std::string_view name, const Json& value) {
    const std::size_t length = path.size();
    path += '/';
    path += name;
    if (append_path(path, value, to)) return true;
    path.resize(length);
    return false;
  };
  for (const Json::Member& one : from.members()) {
    if (leads_there(shown(one.name), one.value)) return true;
  }
  for (std::size_t i = 0; i < from.items().size(); ++i) {
    if (leads_there(std::to_string(i), from.items()[i])) return true;
  }
  return false;
}

}  // namespace

std::string JsonReader::where() const {
  std::string path;
  append_path(path, *document_, *value_);
  if (value_->place().column == 0) return path.empty() ? "the document" : path;
  return fmt::format("{}{}{}", in_words(value_->place()), path.empty() ? "" : ": ", path);
}

void JsonReader::refuse(std::string_view expected) const {
  complain(fmt::format("expected {}, came {}", expected, came(json())));
}

void JsonReader::complain(std::string_view what) const {
  throw JsonMismatch{{fmt::format("{}: {}", where(), what)}};
}

const std::string& JsonReader::string() const {
  if (!json().is_string()) refuse("a string");
  return json().string();
}

const std::string& JsonReader::printable_string() const {
  if (printable(string()) != string()) refuse("a string without control characters");
  return string();
}

bool JsonReader::boolean() const {
  if (!json().is_boolean()) refuse("true or false");
  return json().boolean();
}

std::uint64_t JsonReader::natural(std::uint64_t least, std::uint64_t most) const {
  if (!json().is_natural() || json().natural() < least || json().natural() > most) {
    const bool bounded = most != std::numeric_limits<std::uint64_t>::max();
    refuse(
        fmt::format("a whole number from {}{}", least, bounded ? fmt::format(" to {}", most) : ""));
  }
  return json().natural();
}

std::uint64_t JsonReader::natural_in_string() const {
  const auto number = json().is_string() ? number_in<std::uint64_t>(json().string()) : std::nullopt;
  if (!number) refuse("a decimal number in a string");
  return *number;
}

double JsonReader::real() const {
  if (!json().is_number()) refuse("a number");
  if (json().real() < 0) refuse("a number from 0");
  return json().real();
}

std::vector<JsonReader> JsonReader::items() const {
  if (!json().is_array()) refuse("an array");
  std::vector<JsonReader> readers;
  readers.reserve(json().size());
  for (const Json& item : json().items()) readers.push_back(at(item));
  return readers;
}

std::vector<std::pair<std::string_view, JsonReader>> JsonReader::members() const {
  if (!json().is_object()) refuse("an object");
  std::vector<std::pair<std::string_view, JsonReader>> readers;
  readers.reserve(json().size());
  for (const auto& [name, value] : json().members()) readers.emplace_back(name, at(value));
  return readers;
}

std::vector<std::string> JsonReader::printable_strings() const {
  std::vector<std::string> all;
  for (const JsonReader& item : items()) all.push_back(item.printable_string());
  return all;
}

std::map<std::string, std::string> JsonReader::printable_map() const {
  std::map<std::string, std::string> all;
  for (const auto& [name, value] : members()) {
    if (printable(name) != name) value.complain("expected a name without control characters");
    all.emplace(name, value.printable_string());
  }
  return all;
}

JsonMembers::JsonMembers(JsonReader object) : object_(object) {
  if (!object.json().is_object()) object.refuse("an object");
}

JsonReader JsonMembers::operator[](std::string_view name) {
  const auto found = find(name);
  if (!found) object_.complain(fmt::format("'{}' is missing", name));
  return *found;
}

std::optional<JsonReader> JsonMembers::find(std::string_view name) {
  asked_.push_back(name);
  const Json* const found = object_.json().find(name);
  if (found == nullptr) return std::nullopt;
  return object_.at(*found);
}

void JsonMembers::no_more() const {
  for (const auto& [name, value] : object_.json().members()) {
    if (std::ranges::find(asked_, name) != asked_.end()) continue;
    object_.at(value).complain(fmt::format("unknown member, expected one of {}",
                                           fmt::join(asked_.begin(), asked_.end(), ", ")));
  }
}

}  // namespace hallmark::base
