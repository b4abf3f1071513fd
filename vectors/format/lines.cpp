#include "vectors/format/lines.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;

/// A member that is longer gets a line an item.
constexpr std::size_t longest_member = 100;

/// Levels of a file, from the outside.
constexpr std::size_t level_of_vector = 2;
constexpr std::size_t level_of_step = 4;

/// Calls `visit` with each item and the name before it; of an array, with no name.
template <class Visit>
void for_each_part(const Json& container, const Visit& visit) {
  for (const Json::Member& member : container.members())
    visit(Json(member.name).dump() + ": ", member.name, member.value);
  for (const Json& item : container.items()) visit(std::string(), std::string_view(), item);
}

void append_line(std::string& text, const Json& json) {
  if (!json.is_object() && !json.is_array()) {
    text += json.dump();
    return;
  }
  text += json.is_object() ? '{' : '[';
  bool first = true;
  for_each_part(json, [&](const std::string& head, std::string_view, const Json& value) {
    if (!first) text += ", ";
    first = false;
    text += head;
    append_line(text, value);
  });
  text += json.is_object() ? '}' : ']';
}

/// `name`: of the member that this is the value of.
bool has_lines(const Json& json, std::string_view name, std::size_t level) {
  if (json.empty() || (!json.is_object() && !json.is_array()) || level >= level_of_step)
    return false;
  if (level == 0 || level == level_of_vector || name == "vectors" || name == "steps") return true;
  std::string line;
  append_line(line, json);
  return line.size() > longest_member;
}

void append_lines(std::string& text, const Json& json, std::string_view name, std::size_t level) {
  if (!has_lines(json, name, level)) return append_line(text, json);
  text += json.is_object() ? '{' : '[';
  bool first = true;
  for_each_part(json, [&](const std::string& head, std::string_view member, const Json& value) {
    text += first ? "\n" : ",\n";
    first = false;
    text.append(level + 1, ' ');
    text += head;
    append_lines(text, value, member, level + 1);
  });
  text += '\n';
  text.append(level, ' ');
  text += json.is_object() ? '}' : ']';
}

}  // namespace

std::string in_lines(const Json& file) {
  std::string text;
  append_lines(text, file, {}, 0);
  return text + "\n";
}

}  // namespace hallmark::vectors
