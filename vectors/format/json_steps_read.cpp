#include "vectors/format/json_steps.hpp"

#include <fmt/format.h>

#include "vectors/format/field_table.hpp"
#include "vectors/format/json_bytes.hpp"
#include "vectors/format/json_checks.hpp"
#include "vectors/format/json_fields.hpp"
#include "vectors/format/match.hpp"
#include "vectors/format/places.hpp"

namespace hallmark::vectors {
namespace {

using base::JsonMembers;
using base::JsonReader;
using protocol::Dialect;
using protocol::Readings;
using protocol::Width;

const protocol::Operation& operation_named(const JsonReader& reader, const Dialect& dialect) {
  const auto* const found = protocol::find_operation_called(dialect, reader.string());
  if (found == nullptr) reader.refuse(fmt::format("an operation of {}", dialect.name));
  return *found;
}

const protocol::Push& push_named(const JsonReader& reader, const Dialect& dialect) {
  const auto* const found = protocol::find_push_called(dialect, reader.string());
  if (found == nullptr) reader.refuse(fmt::format("a push of {}", dialect.name));
  return *found;
}

void refuse_outside(const JsonReader& reader, const Place& place, std::size_t bytes) {
  if (place.offset > bytes || place.length > bytes - place.offset)
    reader.refuse(fmt::format("a place inside the {} bytes", bytes));
}

/// Reads the steps of one vector.
class StepReader {
 public:
  StepReader(Width width, const Readings& readings)
      : dialect_(readings.dialect()), width_(width), readings_(readings) {}

  Step step(const JsonReader& reader) const {
    constexpr std::uint64_t longest_pause_ms = 600'000;
    JsonMembers members(reader);
    Step step;
    step.connection = members["on"].printable_string();
    if (const auto message = members.find("send")) {
      step.action = send(*message, members);
    } else if (members.find("expect")) {
      step.action = Expect{{expected(members)}};
    } else if (const auto any_of = members.find("any_of")) {
      step.action = alternatives(*any_of);
    } else if (const auto pause = members.find("pause_ms")) {
      step.action = Pause{pause->natural(0, longest_pause_ms)};
    } else if (is_true(members, "close")) {
      step.action = Close{};
    } else if (is_true(members, "silence")) {
      step.action = Silence{};
    } else {
      reader.refuse("a step with send, expect, any_of, close, silence or pause_ms");
    }
    members.no_more();
    return step;
  }

 private:
  static bool is_true(JsonMembers& members, std::string_view name) {
    const auto found = members.find(name);
    if (found && !found->boolean()) found->refuse("true");
    return found.has_value();
  }

  Send send(const JsonReader& message, JsonMembers& members) const {
    Send send;
    send.bytes = read_hex(members["hex"]);
    if (message.json().is_null()) return send;
    const protocol::Operation& operation = operation_named(message, dialect_);
    send.operation = operation.name;
    const auto layout = protocol::Layout::request(operation, width_, readings_);
    if (const auto substitute = members.find("substitute")) {
      for (const auto& [field, one] : substitute->members())
        send.substitutions.push_back(substitution(field, one, send.bytes, layout));
    }
    if (const auto fields = members.find("fields")) {
      send.fields = read_record(*fields, operation.request);
      check_values(*fields, send, layout);
    }
    return send;
  }

  static Substitution substitution(std::string_view field, const JsonReader& reader,
                                   base::ByteView request, const protocol::Layout& layout) {
    check_field_name(reader, field, layout.message());
    JsonMembers members(reader);
    const JsonReader at = members["at"];
    const Place place = read_place(at);
    refuse_outside(at, place, request.size());
    Substitution read{std::string(field), place.offset, place.length,
                      members["name"].printable_string()};
    members.no_more();
    check_substitution(at, read, request, layout);
    return read;
  }

  Expect alternatives(const JsonReader& reader) const {
    Expect expect;
    for (const JsonReader& item : reader.items()) {
      JsonMembers members(item);
      expect.any_of.push_back(expected(members));
      members.no_more();
    }
    if (expect.any_of.empty()) reader.refuse("at least one message");
    return expect;
  }

  Expected expected(JsonMembers& members) const {
    const JsonReader message = members["expect"];
    Expected expected;
    expected.push = is_true(members, "push");
    expected.message = expected.push ? push_named(message, dialect_).name
                                     : operation_named(message, dialect_).name;
    expected.example = read_hex(members["hex"]);
    if (const auto fields = members.find("fields")) {
      expected.fields = read_patterns(*fields, *message_of(dialect_, expected));
      locate(*fields, expected);
    }
    if (const auto lifetime = members.find("only_after"))
      expected.only_after = read_lifetime(*lifetime);
    return expected;
  }

  /// A reproduction may show a message that is not whole: then its places stand as they are.
  void locate(const JsonReader& fields, Expected& expected) const {
    const std::vector<FieldPattern> told = expected.fields;
    const auto layout = layout_of(expected, width_, readings_);
    if (!layout) return;
    if (locate_fields(expected, *layout)) check_places(fields, told, expected.fields);
    check_example(fields, expected, *layout);
  }

  const Dialect& dialect_;
  Width width_;
  const Readings& readings_;
};

}  // namespace

Step read_step(const JsonReader& reader, Width width, const Readings& readings) {
  return StepReader(width, readings).step(reader);
}

}  // namespace hallmark::vectors
