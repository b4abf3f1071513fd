#include "conformance/reduction/script_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "protocol/codec/encode.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using protocol::Record;
using vectors::Expected;
using vectors::FieldPattern;
using vectors::Match;

bool differs(const Record& reply, const Record& expected, const std::vector<std::string>& fields) {
  return std::ranges::any_of(fields, [&](const std::string& field) {
    const protocol::Value* const right = expected.find(protocol::FieldName::unchecked(field));
    if (right == nullptr) return false;
    const protocol::Value* const told = reply.find(protocol::FieldName::unchecked(field));
    return told == nullptr || !(*told == *right);
  });
}

std::vector<std::string> names_of(const Record& record) {
  std::vector<std::string> names;
  for (const auto& [name, value] : record.fields()) names.push_back(name);
  return names;
}

protocol::Value least_of(const protocol::Field& field) {
  using namespace protocol::kinds;
  if (field.is<protocol::kinds::Bytes>()) return base::Bytes{};
  if (field.is<Opaque, Text>()) return base::Bytes(*field.width(), 0);
  if (field.is<Group>()) return std::vector<Record>{};
  if (const auto* const choice = field.as<ChoiceOf>()) return choice->choices.front().code;
  return std::uint64_t{0};
}

/// A reply with those values, and in all other fields the least that there is.
std::optional<Bytes> example_of(const protocol::Layout& layout, Record values) {
  const auto fill_up = [&](std::span<const protocol::Field> fields) {
    for (const protocol::Field& field : fields) {
      if (!field.derived() && layout.present(field) && values.find(field.name) == nullptr)
        values.set(field.name, least_of(field));
    }
  };
  fill_up(layout.message().fields);
  if (layout.status() == nullptr || values.number("status") != 0)
    fill_up(layout.message().on_success);
  auto bytes = protocol::encode(layout, values);
  if (!bytes) return std::nullopt;
  return std::move(*bytes);
}

/// Every field of the example, as known or anything.
std::vector<FieldPattern> patterns_of(const protocol::Layout& layout, const Bytes& example,
                                      const Record& known) {
  std::vector<FieldPattern> patterns;
  protocol::Decoder decoder(layout, {.refuse_unlisted = false});
  decoder.resume(example);
  for (const protocol::FieldValue& value : decoder.fields()) {
    if (value.field->derived() || value.field->is<protocol::kinds::Group>()) continue;
    FieldPattern pattern;
    pattern.field = value.field->name;
    pattern.offset = value.offset;
    pattern.length = value.length;
    const protocol::Value* const right = known.find(protocol::FieldName::unchecked(pattern.field));
    pattern.match = right == nullptr ? Match::any : Match::equals;
    if (right != nullptr) pattern.value = *right;
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

/// The reply to a step. Where nothing is known of it, whatever keeps to its layout.
vectors::Expect expectation(const WireFormat& format, const ScriptStep& step, const Record& known) {
  const protocol::Layout layout = format.reply(*step.operation);
  vectors::Expect expect;
  const auto add = [&](std::uint64_t status) {
    Record values = known;
    if (layout.status() != nullptr && values.find("status") == nullptr)
      values.set("status", status);
    const auto* const id = step.request.find("request_id");
    if (id != nullptr && layout.find(layout.message().fields, "request_id") != nullptr)
      values.set("request_id", *id);
    const auto example = example_of(layout, std::move(values));
    if (!example) return;
    Expected one;
    one.message = step.operation->name;
    one.example = *example;
    one.fields = patterns_of(layout, *example, known);
    if (std::ranges::find(expect.any_of, one) == expect.any_of.end())
      expect.any_of.push_back(std::move(one));
  };
  add(1);
  if (known.fields().empty()) add(0);
  return expect;
}

/// The last reply finds a record, which a slow connection may outlive.
void expect_lifetime(vectors::Vector& vector, const PlayedScript& played_script,
                     const std::vector<std::size_t>& sends, vectors::Expect over) {
  vectors::Lifetime lifetime = *played_script.lifetime;
  lifetime.since = sends[lifetime.since];
  auto& any_of = std::get<vectors::Expect>(vector.steps.back().action).any_of;
  const auto ttl = std::ranges::find(any_of.front().fields, "ttl", &FieldPattern::field);
  if (played_script.tells_rest && ttl != any_of.front().fields.end()) {
    ttl->match = Match::remaining;
    ttl->lifetime = lifetime;
  }
  for (Expected& one : over.any_of) {
    one.only_after = lifetime;
    any_of.push_back(std::move(one));
  }
}

bool names_ttl(const Script& script) {
  return std::ranges::any_of(script.wrong, [](const std::string& field) {
    const auto name = protocol::FieldName::unchecked(field);
    return name == "ttl" || name == "ttl_type";
  });
}

bool is_left(const vectors::Lifetime& lifetime, const std::vector<PlayedStep>& steps) {
  const auto elapsed = elapsed_between(steps[lifetime.since].window, steps.back().window);
  const auto left = vectors::remaining_of(lifetime, elapsed);
  const std::uint64_t told = steps.back().reply->number("ttl");
  return left && told >= left->least && told <= left->most;
}

/// Judges the last reply by the specification. If it has to tell what is left of a TTL, that is
/// judged as well.
void judge_by_specification(const WireFormat& format, const Script& script,
                            const std::vector<PlayedStep>& steps, PlayedScript& played_script) {
  auto expected = specified_reply(format, steps);
  if (!expected) return;
  const protocol::Record& reply = *steps.back().reply;
  const bool succeeds = expected->number("status") == 1;
  const auto told = told_lifetime(format, steps);
  if (told && succeeds) played_script.lifetime = told->lifetime;
  if (names_ttl(script) && succeeds) {
    if (!told) return;
    expected->set("ttl_type", told->code);
    played_script.tells_rest = true;
  }
  const bool ttl_wrong = played_script.tells_rest && reply.number_or("status", 0) == 1 &&
                         !is_left(*played_script.lifetime, steps);
  played_script.fails = ttl_wrong || differs(reply, *expected, names_of(*expected));
  played_script.expected = std::move(*expected);
}

}  // namespace

Bytes bytes_of(const WireFormat& format, const ScriptStep& step) {
  auto bytes = protocol::encode(format.request(*step.operation), step.request);
  return bytes ? std::move(*bytes) : Bytes{};
}

std::uint64_t milliseconds_of(Time ns) {
  constexpr Time millisecond = 1'000'000;
  return (ns + millisecond - 1) / millisecond;
}

void ScriptPlayer::purge(const Script& script) {
  std::vector<Record> names;
  for (const ScriptStep& step : script.steps) {
    Record name = record_named(context_.format, step);
    if (!name.fields().empty() && std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  }
  housekeeper_.purge(names);
}

/// Ends as soon as a reply does not come; that step is then the last.
std::vector<PlayedStep> ScriptPlayer::played(const Script& script) {
  std::map<std::string, Conversation> connections;
  std::vector<PlayedStep> played;
  for (const ScriptStep& step : script.steps) {
    if (step.pause > 0) context_.network.wait_until(context_.network.now() + step.pause);
    const auto found = connections.find(step.connection);
    Conversation& connection = found != connections.end()
                                   ? found->second
                                   : connections
                                         .try_emplace(step.connection, context_, nullptr,
                                                      step.connection, open_link(context_))
                                         .first->second;
    played.push_back({&step, std::nullopt, {}});
    try {
      const Outgoing request{step.operation, bytes_of(context_.format, step)};
      connection.send_together({&request, 1});
      if (!context_.format.reply(*step.operation).sent()) continue;
      const Message reply = connection.reply();
      played.back().reply = reply.view().record();
      played.back().window = reply.window();
    } catch (const CaseEnded&) {
      return played;
    }
  }
  return played;
}

PlayedScript ScriptPlayer::play(const Script& script) {
  PlayedScript played_script;
  try {
    purge(script);
    const auto steps = played(script);
    purge(script);
    if (steps.size() != script.steps.size()) return played_script;
    const auto& reply = steps.back().reply;
    if (script.wrong.empty() || !reply) {
      played_script.fails = script.wrong.empty() && !reply;
    } else if (is_specified(context_.format, script.steps.back(), script.wrong)) {
      judge_by_specification(context_.format, script, steps, played_script);
    } else if (!names_ttl(script)) {
      played_script.fails = differs(*reply, script.expected, script.wrong);
      for (const std::string& field : script.wrong) {
        if (const auto* const right = script.expected.find(protocol::FieldName::unchecked(field)))
          played_script.expected.set(protocol::FieldName::unchecked(field), *right);
      }
    }
  } catch (const CaseEnded&) {
    // The step needs a connection to speak on.
  }
  return played_script;
}

vectors::Vector vector_of(const WireFormat& format, const Script& script,
                          const PlayedScript& played_script) {
  vectors::Vector vector;
  vector.id = script.case_id.substr(0, script.case_id.find('#'));
  vector.operation = script.steps.back().operation->name;
  std::vector<std::size_t> sends;  ///< places of the steps in the vector
  for (const ScriptStep& step : script.steps) {
    Record name = record_named(format, step);
    if (!name.fields().empty() && std::ranges::find(vector.keys, name) == vector.keys.end())
      vector.keys.push_back(std::move(name));
    if (step.pause > 0)
      vector.steps.push_back({step.connection, vectors::Pause{milliseconds_of(step.pause)}});
    sends.push_back(vector.steps.size());
    vector.steps.push_back(
        {step.connection,
         vectors::Send{
             std::string(step.operation->name), step.request, bytes_of(format, step), {}}});
    if (!format.reply(*step.operation).sent()) continue;
    const bool last = &step == &script.steps.back();
    vector.steps.push_back(
        {step.connection, expectation(format, step, last ? played_script.expected : Record{})});
  }
  if (played_script.lifetime) {
    const Record failure{{"status", std::uint64_t{0}}};
    expect_lifetime(vector, played_script, sends,
                    expectation(format, script.steps.back(), failure));
  }
  return vector;
}

}  // namespace hallmark::conformance
