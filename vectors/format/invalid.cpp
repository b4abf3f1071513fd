#include "vectors/format/invalid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "protocol/dialects.hpp"
#include "vectors/format/by_width.hpp"
#include "vectors/format/json_bytes.hpp"
#include "vectors/format/json_fields.hpp"
#include "vectors/format/json_file.hpp"
#include "vectors/format/lines.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;
using base::JsonMembers;
using base::JsonReader;
using protocol::Dialect;
using protocol::Layout;
using protocol::Width;

constexpr std::size_t invalid_file_format = 1;
constexpr std::array every_width{Width::u8, Width::u16, Width::u32, Width::u64};

/// `valid` is there to be cut: what only lacks its end says how many bytes are left.
bool is_front_of(base::ByteView bytes, base::ByteView valid) {
  return bytes.size() < valid.size() && std::ranges::equal(bytes, valid.first(bytes.size()));
}

Json invalid_json(const InvalidVector& of, const InvalidMessage& message) {
  Json json = {{"id", of.id}, {"kind", name_of(of.kind)}};
  if (!of.field.empty()) json["field"] = of.field;
  if (!of.change.fields().empty()) {
    json["change"] = record_json(of.change);
  } else if (is_front_of(of.bytes, message.valid)) {
    json["first"] = of.bytes.size();
  } else {
    json["hex"] = hex_json(of.bytes);
  }
  return json;
}

/// Everything that has one id, at all widths that have it.
struct ById {
  std::string id;
  std::vector<Width> widths;
  std::vector<Json> documents;
};

/// `next`: where the document stands if no width before has it; moves behind it.
void add_document(std::vector<ById>& all, std::size_t& next, const std::string& id, Width width,
                  Json document) {
  auto found = std::ranges::find(all, id, &ById::id);
  if (found == all.end())
    found = all.insert(all.begin() + static_cast<std::ptrdiff_t>(next), {id, {}, {}});
  found->widths.push_back(width);
  found->documents.push_back(std::move(document));
  next = static_cast<std::size_t>(found - all.begin()) + 1;
}

Json merged_items(const std::vector<ById>& all, std::size_t widths_of_file) {
  Json items = Json::array();
  for (const ById& one : all) {
    Json json = merged(one.widths, one.documents);
    if (one.widths.size() != widths_of_file) {
      Json names = Json::array();
      for (const Width width : one.widths) names.push_back(protocol::name_of(width));
      auto& members = json.mutable_members();
      members.insert(members.begin() + 1, {"widths", std::move(names)});
    }
    items.push_back(std::move(json));
  }
  return items;
}

/// One message at all widths: each has the same messages.
Json message_json(const std::vector<InvalidFile>& files, std::size_t place) {
  std::vector<Width> widths;
  std::vector<Json> heads;
  std::vector<ById> invalid;
  for (const InvalidFile& file : files) {
    const InvalidMessage& message = file.messages[place];
    widths.push_back(file.width);
    Json head = {{"message", message.message}, {"kind", name_of(message.kind)}};
    if (!message.fields.fields().empty()) head["fields"] = record_json(message.fields);
    head["valid"] = hex_json(message.valid);
    heads.push_back(std::move(head));
    std::size_t next = 0;
    for (const InvalidVector& one : message.invalid)
      add_document(invalid, next, one.id, file.width, invalid_json(one, message));
  }
  Json json = merged(widths, heads);
  json["invalid"] = merged_items(invalid, files.size());
  return json;
}

std::optional<Layout> layout_named(MessageKind kind, std::string_view name, Width width,
                                   const protocol::Readings& readings) {
  const Dialect& dialect = readings.dialect();
  if (kind == MessageKind::push) {
    const auto* const push = protocol::find_push_called(dialect, name);
    return push == nullptr ? std::nullopt : std::optional(Layout::push(*push, width, readings));
  }
  if (kind == MessageKind::format) {
    const auto* const format = protocol::find_format_called(dialect, name);
    return format == nullptr ? std::nullopt : std::optional(Layout::format(*format, readings));
  }
  const auto* const operation = protocol::find_operation_called(dialect, name);
  if (operation == nullptr) return std::nullopt;
  return kind == MessageKind::request ? Layout::request(*operation, width, readings)
                                      : Layout::reply(*operation, width, readings);
}

bool is_of_width(JsonMembers& members, Width width) {
  const auto widths = members.find("widths");
  if (!widths) return true;
  return std::ranges::any_of(
      widths->items(), [&](const JsonReader& item) { return item.one_of(every_width) == width; });
}

base::Bytes read_front(const JsonReader& reader, const base::Bytes& valid) {
  const std::uint64_t size = reader.natural();
  if (size >= valid.size())
    reader.refuse(fmt::format("a number below {}, the bytes of `valid`", valid.size()));
  return {valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(size)};
}

InvalidVector read_invalid_vector(JsonMembers& members, const InvalidMessage& message,
                                  const protocol::Message& fields) {
  using enum Illegal;
  InvalidVector vector;
  vector.id = members["id"].printable_string();
  vector.kind =
      members["kind"].one_of({truncated, surplus, unlisted, size, constant, number, beyond_width});
  if (const auto field = members.find("field")) vector.field = field->printable_string();
  if (const auto first = members.find("first")) {
    vector.bytes = read_front(*first, message.valid);
  } else if (const auto change = members.find("change")) {
    vector.change = read_record(*change, fields);
  } else {
    vector.bytes = read_hex(members["hex"]);
  }
  members.no_more();
  return vector;
}

InvalidMessage read_message(const JsonReader& reader, Width width, const Dialect& dialect) {
  using enum MessageKind;
  JsonMembers members(reader);
  InvalidMessage message;
  message.message = members["message"].printable_string();
  message.kind = members["kind"].one_of({request, reply, push, format});
  const protocol::Readings readings(dialect, protocol::Profile::deployed);
  const auto layout = layout_of(message, width, readings);
  if (!layout) {
    members["message"].refuse(
        fmt::format("the name of a {} of {}", name_of(message.kind), dialect.name));
  }
  if (const auto fields = members.find("fields"))
    message.fields = read_record(*fields, layout->message());
  message.valid = read_hex(members["valid"]);
  std::set<std::string> ids;
  for (const JsonReader& item : members["invalid"].items()) {
    JsonMembers parts(item);
    if (!is_of_width(parts, width)) continue;
    message.invalid.push_back(read_invalid_vector(parts, message, layout->message()));
    if (!ids.insert(message.invalid.back().id).second) parts["id"].complain("an id given twice");
  }
  members.no_more();
  return message;
}

InvalidFile read_invalid_at(const JsonReader& reader, Width width) {
  JsonMembers members(reader);
  static_cast<void>(members.find("$schema"));
  static_cast<void>(members.find("widths"));
  if (const JsonReader format = members["format"]; format.natural() != invalid_file_format)
    format.refuse(std::to_string(invalid_file_format));
  const Dialect& dialect = reading::read_dialect(members["dialect"]);
  InvalidFile file{.dialect = std::string(dialect.name), .width = width, .messages = {}};
  for (const JsonReader& message : members["messages"].items())
    file.messages.push_back(read_message(message, width, dialect));
  members.no_more();
  return file;
}

std::vector<Width> widths_named(const JsonReader& reader) {
  std::vector<Width> widths;
  if (const Json* const names = reader.json().find("widths")) {
    for (const JsonReader& item : JsonReader(*names).items()) {
      const Width width = item.one_of(every_width);
      if (std::ranges::find(widths, width) != widths.end()) item.complain("a width given twice");
      widths.push_back(width);
    }
  }
  if (widths.empty()) widths.push_back(Width::none);
  return widths;
}

std::vector<InvalidFile> read_all_widths(const JsonReader& reader) {
  std::vector<InvalidFile> files;
  for (const Width width : widths_named(reader)) {
    Json own = reader.json();
    keep_width(own, width);
    files.push_back(read_invalid_at(JsonReader(own), width));
  }
  return files;
}

}  // namespace

std::string_view name_of(Illegal kind) {
  switch (kind) {
    case Illegal::truncated: return "truncated";
    case Illegal::surplus: return "surplus";
    case Illegal::unlisted: return "unlisted";
    case Illegal::size: return "size";
    case Illegal::constant: return "constant";
    case Illegal::number: return "number";
    case Illegal::beyond_width: return "beyond-width";
  }
  return "";
}

std::string_view name_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::request: return "request";
    case MessageKind::reply: return "reply";
    case MessageKind::push: return "push";
    case MessageKind::format: return "format";
  }
  return "";
}

std::optional<Layout> layout_of(const InvalidMessage& message, Width width,
                                const protocol::Readings& readings) {
  return layout_named(message.kind, message.message, width, readings);
}

std::string invalid_path_of(std::string_view dialect) {
  return "invalid/" + std::string(dialect) + ".json";
}

std::string write_json(const std::vector<InvalidFile>& widths) {
  Json json = {{"$schema", "../schema/invalid.schema.json"},
               {"format", invalid_file_format},
               {"dialect", widths.front().dialect}};
  for (const InvalidFile& file : widths) {
    if (file.width != Width::none) json["widths"].push_back(protocol::name_of(file.width));
  }
  json["messages"] = Json::array();
  for (std::size_t i = 0; i < widths.front().messages.size(); ++i)
    json["messages"].push_back(message_json(widths, i));
  return in_lines(json);
}

base::Result<std::vector<InvalidFile>> read_invalid_json(std::string_view text) {
  return base::read_json(text, read_all_widths);
}

base::Result<std::vector<InvalidFile>> load_invalid_file(const std::string& path) {
  return reading::load(path, read_invalid_json);
}

}  // namespace hallmark::vectors
