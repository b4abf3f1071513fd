#include "exporters/kaitai_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exporters/identifier.hpp"
#include "exporters/written.hpp"
#include "protocol/by_kind.hpp"

namespace hallmark::exporters {
namespace {

using base::Error;
using base::Result;
using protocol::Choice;
using protocol::Field;
using protocol::Layout;
namespace kinds = protocol::kinds;

/// Lines of a field behind its id, each indented by eight blanks.
std::string line(std::string_view text) { return fmt::format("        {}\n", text); }

std::string contents_of(std::string_view spelling) {
  std::string bytes;
  for (const char c : spelling)
    bytes += fmt::format("{}0x{:02x}", bytes.empty() ? "" : ", ", static_cast<unsigned char>(c));
  return fmt::format("contents: [{}]", bytes);
}

std::string doc_line(std::string_view doc) {
  return doc.empty() ? "" : line(fmt::format("doc: {}", quoted(doc)));
}

/// The field among `fields` that measures or counts `field`.
const Field* measure_of(std::span<const Field> fields, const Field& field) {
  const auto found =
      std::ranges::find_if(fields, [&](const Field& one) { return one.measured() == field.name; });
  return found == fields.end() ? nullptr : &*found;
}

/// Text up to that byte, which is not part of it; up to the end where there is none.
std::string text_until(std::string_view until, bool may_end) {
  std::string lines = line("type: str") + line("encoding: UTF-8");
  if (until.empty()) return lines + line("size-eos: true");
  lines += line(fmt::format("terminator: 0x{:02x}", static_cast<unsigned char>(until.front())));
  lines += line("consume: false");
  return may_end ? lines + line("eos-error: false") : lines;
}

/// Returns the literal with which the first field of a list starts, if it is one.
std::string spelling_at(const Layout& layout, std::span<const Field> list, std::size_t from) {
  for (std::size_t i = from; i < list.size(); ++i) {
    if (!layout.present(list[i])) continue;
    if (const auto* const literal = list[i].as<kinds::Literal>())
      return std::string(literal->spelling);
    if (const auto* const group = list[i].as<kinds::Group>())
      return spelling_at(layout, group->head, 0);
    return {};
  }
  return {};
}

}  // namespace

std::string kaitai_id(const Field& field, std::size_t position) {
  if (field.is<kinds::Literal>()) return fmt::format("literal_{}", position);
  return identifier(std::string_view(field.name));
}

KaitaiTypes::KaitaiTypes(const protocol::Readings& readings)
    : readings_(readings),
      has_width_(readings.dialect().widths.size() > 1),
      of_text_(readings.dialect().transport != protocol::Transport::stream) {}

std::string KaitaiTypes::width_parameter(std::string_view indent) const {
  if (!has_width_) return {};
  return fmt::format("{0}params:\n{0}  - id: width\n{0}    type: u1\n", indent);
}

std::string KaitaiTypes::enumeration(std::string_view name, std::span<const Choice> choices) {
  std::string text;
  for (const Choice& choice : choices)
    text += fmt::format("    0x{:02x}: {}\n", choice.code, identifier(choice.name));
  std::string id = identifier(name);
  // Fields of one name may list different values in different messages.
  while (enums_.contains(id) && enums_[id] != text) id += "_2";
  enums_[id] = text;
  return id;
}

std::string KaitaiTypes::enums() const {
  std::string text;
  for (const auto& [name, values] : enums_) text += fmt::format("  {}:\n{}", name, values);
  return text;
}

void KaitaiTypes::add_type(const std::string& name, std::string_view doc,
                           std::string_view parameters, const std::string& seq) {
  types_ += fmt::format("  {}:\n", name);
  if (!doc.empty()) types_ += fmt::format("    doc: {}\n", quoted(doc));
  types_ += parameters;
  types_ += seq.empty() ? "    seq: []\n" : "    seq:\n" + seq;
}

std::string KaitaiTypes::number(std::uint8_t width) const {
  if (width != kinds::value_width) return line(fmt::format("type: u{}", width));
  if (!has_width_) {
    return line(fmt::format("type: u{}", bytes_of(readings_.dialect().widths.front())));
  }
  std::string lines = line("type:") + line("  switch-on: width") + line("  cases:");
  for (const protocol::Width one : readings_.dialect().widths)
    lines += line(fmt::format("    {0}: u{0}", bytes_of(one)));
  return lines;
}

std::string KaitaiTypes::integer_of(const Field& /*field*/, std::uint8_t width,
                                    std::string_view doc) const {
  return number(width) + doc_line(doc);
}

/// A message that may start with digits and a blank. Kaitai Struct looks at one byte at a time: it
/// reads up to the first byte that is not a digit, and then says where the rest begins.
void KaitaiTypes::add_tagged(const std::string& name, std::string_view doc) {
  types_ += fmt::format("  {}:\n    doc: {}\n", name, quoted(doc));
  types_ += fmt::format(
      "    seq:\n      - id: head\n        type: u1\n        repeat: until\n"
      "        repeat-until: _ < 0x30 or _ > 0x39\n"
      "    instances:\n      tag_length:\n"
      "        value: \"(head.size > 1 and head.last == 0x20) ? head.size : 0\"\n"
      "      request_id:\n        if: tag_length > 0\n        pos: 0\n        size: tag_length - "
      "1\n"
      "        type: str\n        encoding: ASCII\n"
      "      body:\n        pos: tag_length\n        type: {}_body\n",
      name);
}

Result<void> KaitaiTypes::add_message(const std::string& name, const Layout& layout,
                                      std::size_t from, std::string_view doc) {
  if (from == 0 && layout.first() != nullptr && layout.first()->is<kinds::Tag>()) {
    add_tagged(name, doc);
    return add_message(name + "_body", layout, 1, "What follows the request id.");
  }
  const auto first = layout.message().fields.subspan(from);
  const auto rest = layout.message().on_success;
  Scope scope{.type = name, .fields = layout.message().fields};
  scope.after = spelling_at(layout, rest, 0);
  auto seq = fields(layout, first, scope, {});
  if (!seq) return seq.error();
  scope.fields = rest;
  scope.after.clear();
  const std::string condition = layout.status() == nullptr ? "" : "status == status::success";
  const auto behind = fields(layout, rest, scope, condition);
  if (!behind) return behind.error();
  add_type(name, doc, width_parameter("    "), *seq + *behind);
  return {};
}

Result<std::string> KaitaiTypes::fields(const Layout& layout, std::span<const Field> list,
                                        const Scope& scope, const std::string& condition) {
  std::string seq;
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (!layout.present(list[at])) continue;
    auto one = field(layout, list, at, scope, condition);
    if (!one) return one.error();
    seq += *one;
  }
  return Written(std::move(seq));
}

Result<std::string> KaitaiTypes::field(const Layout& layout, std::span<const Field> list,
                                       std::size_t at, const Scope& scope,
                                       const std::string& condition) {
  const Field& field = list[at];
  if (field.is<kinds::Group>()) return group(layout, field, scope, condition);
  std::string text = fmt::format("      - id: {}\n", kaitai_id(field, at));
  if (!condition.empty()) text += line(fmt::format("if: {}", condition));
  std::string next = spelling_at(layout, list, at + 1);
  const bool is_last = at + 1 == list.size();
  if (next.empty() && is_last) next = scope.after;
  const bool may_end = is_last ? scope.repeats : next.empty();
  if (const auto* const state = field.as<kinds::State>(); state != nullptr && state->until_last) {
    return Error{
        fmt::format("{}: Kaitai Struct cannot say that the last {} ends it; choose another "
                    "answer to its reading",
                    std::string_view(field.name), state->until)};
  }
  const auto until = [&](char end) { return end == '\0' ? next : std::string(1, end); };
  using namespace kinds;
  using protocol::among;
  return Written(
      text +
      protocol::by_kind(
          field.kind,
          protocol::Overloaded{
              [&](const Opcode&) {
                return line("type: u1") + line(fmt::format("valid: 0x{:02x}", layout.opcode()));
              },
              [&](const Status&) {
                return line("type: u1") +
                       line(fmt::format("enum: {}", enumeration("status", Status::choices))) +
                       line("valid:") + line("  any-of:") + line("    - status::failure") +
                       line("    - status::success");
              },
              [&](const Integer& kind) { return integer_of(field, kind.width, kind.unit); },
              [&](const ChoiceOf& kind) {
                return number(kind.width) +
                       line("enum: " + enumeration(std::string_view(field.name), kind.choices));
              },
              [&](const Size& kind) {
                return integer_of(field, kind.width,
                                  fmt::format("length of {} in bytes", std::string_view(kind.of)));
              },
              [&](const Count& kind) {
                return integer_of(field, kind.width,
                                  fmt::format("number of {}", std::string_view(kind.of)));
              },
              [&](const kinds::Bytes&) {
                const Field* const size = measure_of(scope.fields, field);
                return line(fmt::format(
                    "size: {}", size == nullptr ? "0" : identifier(std::string_view(size->name))));
              },
              [&](const Opaque& kind) { return line(fmt::format("size: {}", kind.width)); },
              [&](const Text& kind) {
                return line(fmt::format("size: {}", kind.width)) + line("type: str") +
                       line("encoding: UTF-8") + line("pad-right: 0");
              },
              [&](const Group&) { return std::string(); },
              [&](const Literal& kind) { return line(contents_of(kind.spelling)); },
              [&](const Word& kind) { return text_until(until(kind.until), may_end); },
              [&](const State& kind) { return text_until(until(kind.until), false); },
              [&](const among<Tag, Decimal, DecimalCount, Line, SignedDecimal, Real> auto&) {
                return text_until(next, may_end);
              },
          }));
}

Result<std::string> KaitaiTypes::group(const Layout& layout, const Field& field, const Scope& scope,
                                       const std::string& condition) {
  const auto& kind = field.get<kinds::Group>();
  const std::string id = identifier(std::string_view(field.name));
  const std::string type = scope.type + "_" + id;
  const Scope inner{.type = type,
                    .fields = kind.head,
                    .after = spelling_at(layout, kind.head, 0),
                    .repeats = true};
  const auto head = fields(layout, kind.head, inner, {});
  if (!head) return head.error();
  add_type(type, {}, width_parameter("    "), *head);
  const Field* const count = measure_of(scope.fields, field);
  std::string records = count == nullptr ? "0" : identifier(std::string_view(count->name));
  if (count != nullptr && count->is<kinds::DecimalCount>()) records += ".to_i";
  const std::string repeated = (condition.empty() ? "" : line(fmt::format("if: {}", condition))) +
                               line("repeat: expr") + line(fmt::format("repeat-expr: {}", records));
  std::string text = fmt::format("      - id: {}\n", id) +
                     line(fmt::format("type: {}{}", type, width_argument())) + repeated;
  if (kind.tail.empty()) return Written(std::move(text));
  text += fmt::format("      - id: {}_tail\n", id);
  return Written(text + line(fmt::format("type: {}", tail(layout, field, type))) + repeated);
}

/// Defines the type of the part that each record has behind all the heads. Returns the type with
/// its arguments: the sizes in the head.
std::string KaitaiTypes::tail(const Layout& layout, const Field& field, const std::string& type) {
  const auto& kind = field.get<kinds::Group>();
  const std::string id = identifier(std::string_view(field.name));
  std::string parameters = "    params:\n";
  std::string arguments;
  std::string seq;
  for (const Field& one : kind.tail) {
    if (!layout.present(one)) continue;
    const Field* const size = measure_of(kind.head, one);
    if (size == nullptr) continue;
    const std::string of = identifier(std::string_view(size->name));
    parameters += fmt::format("      - id: {}\n        type: u8\n", of);
    arguments += fmt::format("{}{}[_index].{}", arguments.empty() ? "" : ", ", id, of);
    seq += fmt::format("      - id: {}\n", identifier(std::string_view(one.name))) +
           line(fmt::format("size: {}", of));
  }
  add_type(type + "_tail", {}, parameters, seq);
  return fmt::format("{}_tail({})", type, arguments);
}

}  // namespace hallmark::exporters
