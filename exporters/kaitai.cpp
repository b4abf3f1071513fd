#include "exporters/kaitai.hpp"

#include <fmt/format.h>

#include "exporters/identifier.hpp"
#include "exporters/kaitai_fields.hpp"
#include "exporters/written.hpp"

namespace hallmark::exporters {
namespace {

using base::Result;
using protocol::Dialect;
using protocol::Layout;
using protocol::Operation;
using protocol::Readings;
using protocol::Transport;
using protocol::Width;

std::string request_type(const Operation& operation) {
  return identifier(std::string_view(operation.name)) + "_request";
}

std::string reply_type(const Operation& operation) {
  return identifier(std::string_view(operation.name)) + "_reply";
}

/// The messages of an operation are laid out alike at all widths; only numbers differ.
Width any_width(const Dialect& dialect) { return dialect.widths.front(); }

/// Fields at the front of requests by which one tells which they are.
std::size_t dispatched(const Dialect& dialect) {
  return dialect.transport == Transport::stream ? 1 : 0;
}

Result<void> add_operations(KaitaiTypes& types, const Readings& readings) {
  const Dialect& dialect = readings.dialect();
  for (const Operation& operation : dialect.operations) {
    const std::string name(std::string_view(operation.name));
    const auto request = Layout::request(operation, any_width(dialect), readings);
    const auto reply = Layout::reply(operation, any_width(dialect), readings);
    const std::string behind = dispatched(dialect) > 0 ? ", behind its opcode" : "";
    auto added = types.add_message(request_type(operation), request, dispatched(dialect),
                                   fmt::format("A {} request{}.", name, behind));
    if (added && reply.sent()) {
      added =
          types.add_message(reply_type(operation), reply, 0, fmt::format("The reply to {}.", name));
    }
    if (!added) return added;
  }
  for (const protocol::Push& push : dialect.pushes) {
    const std::string name(std::string_view(push.name));
    const auto added = types.add_message(identifier(name) + "_push",
                                         Layout::push(push, any_width(dialect), readings), 0,
                                         fmt::format("{}: the server sends it unasked.", name));
    if (!added) return added;
  }
  for (const protocol::Format& format : dialect.formats) {
    const std::string name(std::string_view(format.name));
    const auto layout = Layout::format(format, readings);
    if (!layout.sent()) continue;
    const auto added = types.add_message(identifier(name), layout, 0,
                                         fmt::format("A state of {}.", format.strategy));
    if (!added) return added;
  }
  return {};
}

/// A request that starts with an opcode: which one says what follows.
std::string request_by_opcode(KaitaiTypes& types, const Dialect& dialect) {
  std::string codes, cases;
  for (const Operation& operation : dialect.operations) {
    const std::string name = identifier(std::string_view(operation.name));
    codes += fmt::format("            - operation::{}\n", name);
    cases += fmt::format("            operation::{}: {}{}\n", name, request_type(operation),
                         types.width_argument());
  }
  return fmt::format(
      "  request:\n    doc: \"A request, as a client sends it.\"\n{}    seq:\n"
      "      - id: opcode\n        type: u1\n        enum: operation\n        valid:\n"
      "          any-of:\n{}      - id: body\n        type:\n          switch-on: opcode\n"
      "          cases:\n{}",
      types.width_parameter("    "), codes, cases);
}

std::string operation_enum(const Dialect& dialect) {
  std::string text = "  operation:\n";
  for (const Operation& operation : dialect.operations) {
    text += fmt::format("    0x{:02x}: {}\n", operation.opcode,
                        identifier(std::string_view(operation.name)));
  }
  return text;
}

std::string head_of(const Readings& readings, std::string_view profile) {
  const Dialect& dialect = readings.dialect();
  return fmt::format(
      "# {}, under the readings of the profile {}.\n# Written by `hallmark export kaitai` from the "
      "tables of the dialect; do not edit.\nmeta:\n  id: {}\n  title: {}\n  endian: le\n",
      dialect.document, profile, identifier(dialect.name), quoted(dialect.document));
}

/// Returns the root type of a stream: the requests that a client sends over a connection.
std::string root_of_stream(const KaitaiTypes& types) {
  return fmt::format(
      "doc: \"What a client sends over one connection. Replies do not name what they answer: "
      "read each as the type of its operation.\"\n{}seq:\n  - id: requests\n    type: request{}\n"
      "    repeat: eos\n",
      types.width_parameter(""), types.width_argument());
}

}  // namespace

Result<std::string> kaitai_of(const Readings& readings, std::string_view profile) {
  const Dialect& dialect = readings.dialect();
  KaitaiTypes types(readings);
  if (const auto added = add_operations(types, readings); !added) return added.error();
  std::string text = head_of(readings, profile);
  std::string more_types, more_enums;
  if (dialect.transport == Transport::stream) {
    text += root_of_stream(types);
    more_types = request_by_opcode(types, dialect);
    more_enums = operation_enum(dialect);
  } else {
    text +=
        "doc: \"Each message is all of a datagram or string: read it as the type of its name.\"\n";
  }
  text += "types:\n" + more_types + types.types();
  const std::string enums = more_enums + types.enums();
  return Written(enums.empty() ? text : text + "enums:\n" + enums);
}

}  // namespace hallmark::exporters
