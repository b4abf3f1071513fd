#include "exporters/wireshark.hpp"

#include <fmt/format.h>

#include "exporters/identifier.hpp"
#include "exporters/wireshark_engine.hpp"
#include "exporters/written.hpp"
#include "protocol/by_kind.hpp"
#include "protocol/codec/layout.hpp"

namespace hallmark::exporters {
namespace {

using base::Error;
using base::Result;
using protocol::Choice;
using protocol::Dialect;
using protocol::Field;
using protocol::Layout;
using protocol::Operation;
using protocol::Readings;
using protocol::Transport;
namespace kinds = protocol::kinds;

std::string choices_of(std::span<const Choice> choices) {
  std::string text;
  for (const Choice& choice : choices)
    text += fmt::format("{}[{}] = {}", text.empty() ? "" : ", ", choice.code, quoted(choice.name));
  return fmt::format("choices = {{{}}}", text);
}

std::string lua_list(const Layout& layout, std::span<const Field> fields,
                     const std::string& indent);

/// Returns a kind as the engine needs it: its name, and its members.
std::string lua_kind(const Layout& layout, const Field& field, const std::string& indent) {
  using namespace kinds;
  using protocol::among;
  const auto unit = [](std::string_view text) {
    return text.empty() ? std::string() : fmt::format(", unit = {}", quoted(text));
  };
  const auto measured = [&] { return quoted(std::string_view(field.measured())); };
  return protocol::by_kind(
      field.kind,
      protocol::Overloaded{
          [&](const Opcode&) {
            return fmt::format("kind = \"opcode\", code = {}", layout.opcode());
          },
          [&](const Status&) {
            return "kind = \"status\", width = 1, " + choices_of(Status::choices);
          },
          [&](const Integer& kind) {
            return fmt::format("kind = \"integer\", width = {}", kind.width) + unit(kind.unit);
          },
          [&](const ChoiceOf& kind) {
            return fmt::format("kind = \"choice\", width = {}, ", kind.width) +
                   choices_of(kind.choices);
          },
          [&](const Size& kind) {
            return fmt::format("kind = \"size\", width = {}, of = {}", kind.width, measured());
          },
          [&](const Count& kind) {
            return fmt::format("kind = \"count\", width = {}, of = {}", kind.width, measured());
          },
          [&](const kinds::Bytes&) { return std::string("kind = \"bytes\""); },
          [&](const Opaque& kind) {
            return fmt::format("kind = \"opaque\", width = {}", kind.width);
          },
          [&](const Text& kind) { return fmt::format("kind = \"text\", width = {}", kind.width); },
          [&](const Group& kind) {
            std::string text = "kind = \"group\", head = " + lua_list(layout, kind.head, indent);
            if (!kind.tail.empty()) text += ", tail = " + lua_list(layout, kind.tail, indent);
            return text;
          },
          [&](const Literal& kind) {
            return fmt::format("kind = \"literal\", spelling = {}", quoted(kind.spelling));
          },
          [&](const Tag&) { return std::string("kind = \"tag\""); },
          [&](const Decimal& kind) {
            return fmt::format("kind = \"decimal\", decimals = {}", kind.decimals) +
                   unit(kind.unit);
          },
          [&](const Word& kind) {
            return fmt::format("kind = \"word\", ends = {}", quoted(std::string(1, kind.until)));
          },
          [&](const Line&) { return std::string("kind = \"line\""); },
          // Only states have these, and states are not sent over a network.
          [&](const among<DecimalCount, SignedDecimal, Real, State> auto&) {
            return std::string("kind = \"line\"");
          },
      });
}

std::string lua_list(const Layout& layout, std::span<const Field> fields,
                     const std::string& indent) {
  const std::string inner = indent + "  ";
  std::string text = "{\n";
  for (const Field& field : fields) {
    if (!layout.present(field)) continue;
    text += fmt::format("{}{{name = {}, {}}},\n", inner, quoted(std::string_view(field.name)),
                        lua_kind(layout, field, inner));
  }
  return text + indent + "}";
}

std::string lua_message(const Layout& layout) {
  return fmt::format("{{fields = {}, on_success = {}}}",
                     lua_list(layout, layout.message().fields, "    "),
                     lua_list(layout, layout.message().on_success, "    "));
}

std::string lua_operations(const Readings& readings) {
  const Dialect& dialect = readings.dialect();
  const auto width = dialect.widths.front();
  std::string text = "  operations = {\n";
  for (const Operation& operation : dialect.operations) {
    const auto reply = Layout::reply(operation, width, readings);
    text += fmt::format("  {{name = {}, opcode = {},\n    request = {},\n    reply = {}}},\n",
                        quoted(std::string_view(operation.name)), operation.opcode,
                        lua_message(Layout::request(operation, width, readings)),
                        reply.sent() ? lua_message(reply) : "nil");
  }
  text += "  },\n  pushes = {\n";
  for (const protocol::Push& push : dialect.pushes) {
    text += fmt::format("  {{name = {}, opcode = {},\n    message = {}}},\n",
                        quoted(std::string_view(push.name)), push.opcode,
                        lua_message(Layout::push(push, width, readings)));
  }
  return text + "  },\n";
}

std::string lua_widths(const Dialect& dialect) {
  std::string widths;
  for (const protocol::Width one : dialect.widths)
    widths += fmt::format("{}{}", widths.empty() ? "" : ", ", bytes_of(one));
  return fmt::format("  widths = {{{}}},\n", widths);
}

}  // namespace

Result<std::string> wireshark_of(const Readings& readings, std::string_view profile) {
  const Dialect& dialect = readings.dialect();
  if (dialect.transport == Transport::at_rest) {
    return Error{
        fmt::format("{} is not sent over a network: there is nothing to dissect; allowed: "
                    "another --dialect",
                    dialect.name)};
  }
  return Written(fmt::format(
      "-- {}, under the readings of the profile {}.\n"
      "-- Written by `hallmark export wireshark` from the tables of the dialect; do not edit.\n"
      "-- wireshark -X lua_script:FILE; the port and the value width are its preferences.\n\n"
      "local dialect = {{\n  id = {},\n  title = {},\n  transport = {},\n{}{}}}\n\n{}",
      dialect.document, profile, quoted(identifier(dialect.name)), quoted(dialect.document),
      dialect.transport == Transport::stream ? "\"tcp\"" : "\"udp\"", lua_widths(dialect),
      lua_operations(readings), wireshark_engine));
}

}  // namespace hallmark::exporters
