#include "vectors/format/layouts.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "protocol/by_kind.hpp"
#include "protocol/codec/layout.hpp"
#include "vectors/format/by_width.hpp"
#include "vectors/format/lines.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;
using protocol::Dialect;
using protocol::Field;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;

constexpr std::size_t layouts_file_format = 1;

Json condition_json(const protocol::When& when) { return {{when.reading, when.answer}}; }

/// A character in a class of a regular expression.
std::string in_class(char c) { return fmt::format("\\x{:02x}", static_cast<unsigned char>(c)); }

/// A field of text: `extent` is matched at the front, its first group is the field; all of that has
/// to match `pattern`.
Json textual(std::string_view extent, std::string_view pattern) {
  return {{"kind", "text"}, {"extent", extent}, {"pattern", pattern}};
}

/// A regular expression of the whole numbers from 0 to `most`, without superfluous zeros: those of
/// fewer digits, and those that have a smaller digit in one place and are equal before it.
std::string at_most(const std::string& most) {
  std::string pattern = "0";
  if (most.size() > 1) pattern += fmt::format("|[1-9][0-9]{{0,{}}}", most.size() - 2);
  for (std::size_t i = 0; i < most.size(); ++i) {
    const char least = i == 0 ? '1' : '0';
    if (most[i] <= least) continue;
    pattern += fmt::format("|{}[{}-{}][0-9]{{{}}}", most.substr(0, i), least,
                           static_cast<char>(most[i] - 1), most.size() - i - 1);
  }
  return most == "0" ? pattern : pattern + "|" + most;
}

/// The same from 1 on.
std::string positive(const std::string& most) {
  return at_most(most).substr(std::string_view("0|").size());
}

/// The same with digits behind a point; the number counts units of the last of them.
std::string at_most(const std::string& most, std::size_t decimals) {
  if (decimals == 0) return fmt::format("(?:{})", at_most(most));
  const std::string before = most.substr(0, most.size() - decimals);
  return fmt::format("(?:{})\\.[0-9]{{{}}}", at_most(before), decimals);
}

/// Writes everything about a field at one width, except its name and its condition.
class LayoutWriter {
 public:
  LayoutWriter(std::uint8_t opcode, Width width) : opcode_(opcode), width_(width) {}

  Json fields(const protocol::Message& message) const {
    Json all = fields(message.fields);
    Json more = fields(message.on_success);
    for (Json& field : more.mutable_items()) {
      field["on_success"] = true;
      all.push_back(std::move(field));
    }
    return all;
  }

  Json fields(std::span<const Field> list) const {
    Json all = Json::array();
    for (const Field& field : list) {
      Json json = {{"name", field.name}};
      json.update(by_kind(field.kind, [&](const auto& kind) { return of(kind); }));
      if (!field.when.reading.empty()) json["when"] = condition_json(field.when);
      all.push_back(std::move(json));
    }
    return all;
  }

 private:
  Json sized(std::string_view kind, std::uint8_t width) const {
    return {{"kind", kind}, {"size", protocol::kinds::width_in(width, width_)}};
  }

  /// The bytes that are listed, each with its name.
  static Json with_choices(Json json, std::span<const protocol::Choice> choices) {
    for (const auto& choice : choices) {
      const std::uint8_t code[] = {static_cast<std::uint8_t>(choice.code)};
      json["choices"][base::to_hex(code)] = choice.name;
    }
    return json;
  }

  static Json constant(base::ByteView bytes) {
    return {{"kind", "constant"}, {"size", bytes.size()}, {"hex", base::to_hex(bytes)}};
  }

  static Json measuring(Json json, std::string_view of) {
    json["of"] = of;
    return json;
  }

  Json of(const protocol::kinds::Opcode&) const {
    const std::uint8_t code[] = {opcode_};
    return constant(code);
  }
  Json of(const protocol::kinds::Literal& kind) const {
    return constant(base::as_bytes(kind.spelling));
  }
  Json of(const protocol::kinds::Status& kind) const {
    return with_choices(sized("number", kind.width), kind.choices);
  }
  Json of(const protocol::kinds::Integer& kind) const { return sized("number", kind.width); }
  Json of(const protocol::kinds::ChoiceOf& kind) const {
    return with_choices(sized("number", kind.width), kind.choices);
  }
  Json of(const protocol::kinds::Size& kind) const {
    return measuring(sized("size", kind.width), kind.of);
  }
  Json of(const protocol::kinds::Count& kind) const {
    return measuring(sized("count", kind.width), kind.of);
  }
  Json of(const protocol::kinds::Bytes&) const { return {{"kind", "bytes"}}; }
  Json of(const protocol::kinds::Opaque& kind) const { return sized("fixed", kind.width); }
  Json of(const protocol::kinds::Text& kind) const {
    Json json = sized("fixed", kind.width);
    json["padded"] = true;
    return json;
  }
  Json of(const protocol::kinds::Group& kind) const {
    Json json = {{"kind", "group"}, {"head", fields(kind.head)}};
    if (!kind.tail.empty()) json["tail"] = fields(kind.tail);
    return json;
  }
  Json of(const protocol::kinds::Tag&) const {
    Json json = textual("((?:[0-9]+ )?)", "(?:[0-9]+ )?");
    json["optional"] = true;
    json["suffix"] = " ";
    return json;
  }
  Json of(const protocol::kinds::Decimal& kind) const {
    const auto most = std::to_string(std::numeric_limits<std::uint64_t>::max());
    Json json = textual(kind.decimals == 0 ? "([0-9]*)" : R"(([0-9]*(?:\.[0-9]*)?))",
                        at_most(most, kind.decimals));
    json["decimals"] = kind.decimals;
    return json;
  }
  Json of(const protocol::kinds::DecimalCount& kind) const {
    const std::string most = std::to_string(kind.most);
    return measuring(textual("([0-9]*)", kind.least == 0 ? at_most(most) : positive(most)),
                     kind.of);
  }
  Json of(const protocol::kinds::Word& kind) const {
    const std::string one = fmt::format("[^{}]", in_class(kind.until));
    return textual(fmt::format("({}*)", one), one + "+");
  }
  Json of(const protocol::kinds::Line&) const { return textual(R"(([\s\S]*))", R"([^\n]*)"); }
  Json of(const protocol::kinds::SignedDecimal&) const {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    const auto most = std::to_string(std::numeric_limits<std::int64_t>::max());
    return textual("(-?[0-9]*)", fmt::format("(?:{})|-(?:{}|{})", at_most(most), positive(most),
                                             std::to_string(least).substr(1)));
  }
  Json of(const protocol::kinds::Real&) const {
    // Exponents from 309 on are beyond a float64; a large mantissa before 308 is left to the
    // reader.
    Json json = textual(
        R"((-?[0-9]*(?:\.[0-9]*)?(?:e[-+]?[0-9]*)?))",
        R"(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e(?:-[0-9]+|\+?(?:[0-9]{1,2}|[12][0-9]{2}|30[0-8])))?)");
    json["real"] = true;
    return json;
  }
  Json of(const protocol::kinds::State& kind) const {
    Json json = textual(extent_of(kind), R"([\s\S]+)");
    json["state"] = true;
    return json;
  }

  static std::string extent_of(const protocol::kinds::State& kind) {
    if (kind.until == protocol::kinds::State::no_end) return R"(([\s\S]*))";
    const std::string end = in_class(kind.until);
    return kind.until_last ? fmt::format(R"(([\s\S]*){})", end)
                           : fmt::format("([^{}]*){}", end, end);
  }

  std::uint8_t opcode_;
  Width width_;
};

Json message_layout(std::string_view name, std::string_view kind, std::uint8_t opcode,
                    const protocol::Message& message, Width width) {
  const LayoutWriter writer(opcode, width);
  Json json = {{"message", name}, {"kind", kind}};
  if (!message.when.reading.empty()) json["when"] = condition_json(message.when);
  json["fields"] = writer.fields(message);
  return json;
}

Json messages_of(const Dialect& dialect, Width width) {
  Json all = Json::array();
  for (const auto& one : dialect.operations) {
    all.push_back(message_layout(one.name, "request", one.opcode, one.request, width));
    all.push_back(message_layout(one.name, "reply", one.opcode, one.reply, width));
  }
  for (const auto& one : dialect.pushes)
    all.push_back(message_layout(one.name, "push", one.opcode, one.message, width));
  for (const auto& one : dialect.formats) {
    Json json = message_layout(one.name, "format", 0, one.message, width);
    json["strategy"] = one.strategy;
    all.push_back(std::move(json));
  }
  return all;
}

/// Leaves out what these answers leave out, and the conditions.
Json applicable(const Json& part, const Readings& readings) {
  if (part.is_array()) {
    Json kept = Json::array();
    for (const Json& one : part.items()) {
      const Json* const when = one.is_object() ? one.find("when") : nullptr;
      const bool applies =
          when == nullptr || readings.answer_called(when->members().front().name) ==
                                 when->members().front().value.string();
      if (applies) kept.push_back(applicable(one, readings));
    }
    return kept;
  }
  if (!part.is_object()) return part;
  Json kept = Json::object();
  for (const auto& [name, value] : part.members()) {
    if (name != "when") kept[name] = applicable(value, readings);
  }
  return kept;
}

std::string_view name_of_transport(protocol::Transport transport) {
  switch (transport) {
    case protocol::Transport::stream: return "stream";
    case protocol::Transport::datagram: return "datagram";
    case protocol::Transport::at_rest: return "at-rest";
  }
  return "";
}

}  // namespace

Json layouts_json(const Readings& readings, Width width) {
  return applicable(messages_of(readings.dialect(), width), readings);
}

Json answers_json(const Readings& readings) {
  Json answers = Json::object();
  for (const auto& reading : readings.dialect().readings)
    answers[reading.id] = readings.answer(reading);
  return answers;
}

std::string layouts_path_of(std::string_view dialect) {
  return "layouts/" + std::string(dialect) + ".json";
}

std::string write_layouts(const Dialect& dialect) {
  Json json = {{"$schema", "../schema/layouts.schema.json"},
               {"format", layouts_file_format},
               {"dialect", dialect.name},
               {"transport", name_of_transport(dialect.transport)}};
  std::vector<Json> by_width;
  for (const Width width : dialect.widths) {
    if (width != Width::none) json["widths"].push_back(protocol::name_of(width));
    by_width.push_back(messages_of(dialect, width));
  }
  json["answers"] = {{"deployed", answers_json(Readings(dialect, Profile::deployed))},
                     {"literal", answers_json(Readings(dialect, Profile::literal))}};
  json["messages"] = merged(dialect.widths, by_width);
  return in_lines(json);
}

}  // namespace hallmark::vectors
