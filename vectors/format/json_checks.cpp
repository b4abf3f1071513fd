#include "vectors/format/json_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "protocol/annotate.hpp"
#include "protocol/codec/decode.hpp"

namespace hallmark::vectors {
namespace {

using base::ByteView;
using base::JsonMembers;
using base::JsonReader;
using protocol::Decoder;
using protocol::Dialect;
using protocol::FieldName;
using protocol::FieldValue;
using protocol::Layout;
using protocol::MessageView;

bool is_whole(Decoder& decoder, ByteView bytes) {
  return decoder.resume(bytes) == Decoder::State::complete && decoder.size() == bytes.size();
}

std::string in_words(const Value& value) {
  constexpr std::size_t longest = 24;
  if (const auto* const number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  if (const auto* const bytes = std::get_if<Bytes>(&value))
    return protocol::printable(*bytes, longest);
  return "those records";
}

void refuse_value(const JsonReader& fields, std::string_view name, const Value* held) {
  JsonMembers members(fields);
  const JsonReader field = members[name];
  if (held == nullptr) field.complain("'hex' has no such field");
  field.refuse(in_words(*held) + ", as 'hex' has it");
}

/// True if the value that the bytes have is one that the pattern names outright.
bool can_be(const FieldPattern& pattern, const Value* held) {
  const auto* const number = held == nullptr ? nullptr : std::get_if<std::uint64_t>(held);
  switch (pattern.match) {
    case Match::equals: return held != nullptr && *held == pattern.value;
    case Match::range: return number != nullptr && *number >= pattern.min && *number <= pattern.max;
    case Match::one_of:
      return number != nullptr &&
             std::ranges::find(pattern.choices, *number) != pattern.choices.end();
    default: return held != nullptr || pattern.match == Match::set_of;
  }
}

void check_within(const JsonReader& fields, const FieldPattern& pattern, std::size_t bytes) {
  if (pattern.match == Match::equals) return;
  if (pattern.offset <= bytes && pattern.length <= bytes - pattern.offset) return;
  JsonMembers all(fields);
  JsonMembers members(all[pattern.field]);
  members["at"].refuse(fmt::format("a place inside the {} bytes of 'hex'", bytes));
}

/// The names that are known behind a step.
class Captures {
 public:
  void need(const JsonReader& step, const std::string& name) const {
    if (names_.contains(name)) return;
    step.complain(
        fmt::format("nothing was captured as '{}' in a step before; known: {}", name,
                    names_.empty() ? "nothing" : fmt::format("{}", fmt::join(names_, ", "))));
  }
  void add(const std::string& name) { names_.insert(name); }

 private:
  std::set<std::string> names_;
};

void check_patterns(Captures& captures, const JsonReader& step,
                    const std::vector<FieldPattern>& patterns) {
  for (const FieldPattern& pattern : patterns) {
    if (pattern.match == Match::captured || pattern.match == Match::captured_hex)
      captures.need(step, pattern.capture);
    for (const EntryPattern& entry : pattern.entries) check_patterns(captures, step, entry.fields);
  }
  for (const FieldPattern& pattern : patterns) {
    if (pattern.match == Match::capture) captures.add(pattern.capture);
  }
}

}  // namespace

std::map<std::string, std::string> read_answers(const JsonReader& reader, const Dialect& dialect) {
  protocol::Readings readings(dialect, protocol::Profile::deployed);
  std::map<std::string, std::string> answers = reader.printable_map();
  for (const auto& [name, answer] : reader.members()) {
    const auto known = readings.set(name, answer.string());
    if (!known) answer.complain(known.error().message);
  }
  return answers;
}

std::vector<std::string> read_clauses(const JsonReader& reader, const Dialect& dialect) {
  std::vector<std::string> clauses = reader.printable_strings();
  for (const JsonReader& item : reader.items()) {
    if (protocol::find_clause(dialect, item.string()) == nullptr)
      item.refuse(fmt::format("a clause of {}, as `hallmark clauses` lists them", dialect.name));
  }
  return clauses;
}

std::vector<std::string> read_flags(const JsonReader& reader,
                                    const std::map<std::string, std::string>& explained) {
  std::vector<std::string> flags = reader.printable_strings();
  for (const JsonReader& item : reader.items()) {
    if (explained.contains(item.string())) continue;
    std::vector<std::string_view> names;
    for (const auto& [name, meaning] : explained) names.push_back(name);
    if (names.empty()) item.complain("the file explains no flags");
    item.refuse(fmt::format("one of the flags that the file explains: {}", fmt::join(names, ", ")));
  }
  return flags;
}

void check_values(const JsonReader& fields, const Send& send, const Layout& layout) {
  Decoder decoder(layout, {.refuse_unlisted = false});
  if (!is_whole(decoder, send.bytes)) return;
  const Record held = MessageView(decoder, send.bytes).record();
  for (const auto& [name, value] : send.fields.fields()) {
    const Value* const found = held.find(FieldName::unchecked(name));
    if (found == nullptr || *found != value) refuse_value(fields, name, found);
  }
}

void check_example(const JsonReader& fields, const Expected& expected, const Layout& layout) {
  for (const FieldPattern& pattern : expected.fields)
    check_within(fields, pattern, expected.example.size());
  Decoder decoder(layout, {.refuse_unlisted = false});
  if (!is_whole(decoder, expected.example)) return;
  const Record held = MessageView(decoder, expected.example).record();
  for (const FieldPattern& pattern : expected.fields) {
    const Value* const found = held.find(FieldName::unchecked(pattern.field));
    if (!can_be(pattern, found)) refuse_value(fields, pattern.field, found);
  }
}

void check_substitution(const JsonReader& at, const Substitution& substitution, ByteView request,
                        const Layout& layout) {
  Decoder decoder(layout, {.refuse_unlisted = false});
  if (!is_whole(decoder, request)) return;
  const FieldValue* const place =
      MessageView(decoder, request).find(FieldName::unchecked(substitution.field));
  if (place == nullptr ||
      (place->offset == substitution.offset && place->length == substitution.length))
    return;
  at.refuse(
      fmt::format("[{}, {}], the place of {}", place->offset, place->length, substitution.field));
}

void check_captures(const Vector& vector, const JsonReader& steps) {
  const auto all = steps.items();
  Captures captures;
  for (std::size_t i = 0; i < vector.steps.size(); ++i) {
    if (const auto* const send = std::get_if<Send>(&vector.steps[i].action)) {
      for (const Substitution& one : send->substitutions) captures.need(all[i], one.capture);
    }
    const auto* const expect = std::get_if<Expect>(&vector.steps[i].action);
    if (expect == nullptr) continue;
    for (const Expected& one : expect->any_of) check_patterns(captures, all[i], one.fields);
  }
}

void check_lifetimes(const Vector& vector, const JsonReader& steps) {
  const auto sends = [&](std::size_t since, std::size_t before) {
    return since < before && std::holds_alternative<Send>(vector.steps[since].action);
  };
  const auto all = steps.items();
  for (std::size_t i = 0; i < vector.steps.size(); ++i) {
    const auto* const expect = std::get_if<Expect>(&vector.steps[i].action);
    if (expect == nullptr) continue;
    for (const Expected& expected : expect->any_of) {
      const bool wrong =
          (expected.only_after && !sends(expected.only_after->since, i)) ||
          std::ranges::any_of(expected.fields, [&](const FieldPattern& field) {
            return field.match == Match::remaining && !sends(field.lifetime.since, i);
          });
      if (wrong) all[i].refuse("'since' to name an earlier step that sends");
    }
  }
}

}  // namespace hallmark::vectors
