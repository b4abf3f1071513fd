#include "vectors/format/plain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>

#include "base/hex.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/codec/refusal.hpp"
#include "vectors/format/layouts.hpp"
#include "vectors/format/match.hpp"
#include "vectors/format/plain_values.hpp"

namespace hallmark::vectors {
namespace {

using base::Error;
using base::Json;
using base::Result;
using protocol::Layout;
using protocol::Readings;
using protocol::Width;

constexpr std::size_t plain_file_format = 1;
/// The connection on which a runner removes the keys of a vector.
constexpr std::string_view cleaning = "cleaning";

Json lifetime_json(const Lifetime& lifetime) {
  return {{"full", std::to_string(lifetime.full)},
          {"unit_ns", std::to_string(lifetime.unit_ns)},
          {"since", lifetime.since}};
}

/// The names of the groups that lead to one, from the outermost on; empty: there is none of that
/// name.
std::vector<std::string> path_to(std::span<const protocol::Field> fields, std::string_view group) {
  for (const protocol::Field& field : fields) {
    const auto* const records = field.as<protocol::kinds::Group>();
    if (records == nullptr) continue;
    if (field.name == group) return {std::string(group)};
    for (const auto part : {records->head, records->tail}) {
      std::vector<std::string> path = path_to(part, group);
      if (path.empty()) continue;
      path.insert(path.begin(), std::string(std::string_view(field.name)));
      return path;
    }
  }
  return {};
}

/// Writes one file.
class PlainWriter {
 public:
  PlainWriter(const Readings& readings, Width width) : readings_(readings), width_(width) {
    layouts_ = layouts_json(readings, width);
  }

  void add(const VectorFile& file) {
    for (const Vector& vector : file.vectors) {
      if (applies(vector.readings)) {
        add(vector);
      } else {
        ++skipped_;
      }
    }
  }

  void add(const InvalidMessage& message) {
    const auto layout = layout_of(message, width_, readings_);
    if (!layout || !layout->sent()) return;
    for (const InvalidVector& one : message.invalid) {
      id_ = fmt::format("invalid/{}/{}/{}", message.message, name_of(message.kind), one.id);
      Json example = {{"id", id_}, {"layout", index_of(name_of(message.kind), message.message)}};
      if (one.change.fields().empty()) {
        example["hex"] = base::to_hex(one.bytes);
      } else {
        Json values = plain_values(message.fields);
        values.update(plain_values(one.change));
        example["fields"] = std::move(values);
      }
      example["refused"] = one.field;
      if (one.kind == Illegal::size) example["anywhere"] = true;
      examples_.push_back(std::move(example));
    }
  }

  void add(const StateVector& vector) {
    // A strategy decides more than the bytes say.
    if (vector.operation == "decide" || !applies(vector.readings)) {
      ++skipped_;
      return;
    }
    id_ = vector.id;
    for (const StateStep& step : vector.steps) {
      const bool writes = step.request["op"] == Json("encode");
      const Json& wanted = writes ? step.request : step.answer;
      const std::string& state = (writes ? step.answer : step.request)["state"].string();
      if (step.answer.contains("error")) {
        add_refused_state(step.request, state);
      } else {
        add_state(wanted, state);
      }
    }
  }

  Result<Json> finish(Json file) {
    if (!error_.empty()) return Error{error_};
    file["skipped"] = skipped_;
    file["layouts"] = std::move(layouts_);
    file["examples"] = std::move(examples_);
    file["vectors"] = std::move(vectors_);
    return file;
  }

 private:
  bool applies(const std::map<std::string, std::string>& depends_on) const {
    return std::ranges::all_of(depends_on, [&](const auto& one) {
      return readings_.answer_called(one.first) == one.second;
    });
  }

  void fail(std::string_view why) {
    if (error_.empty()) error_ = fmt::format("{}: {}", id_, why);
  }

  std::size_t index_of(std::string_view kind, std::string_view message) {
    const auto& all = layouts_.items();
    const auto found = std::ranges::find_if(all, [&](const Json& one) {
      return one["kind"].string() == kind && one["message"].string() == message;
    });
    if (found == all.end()) fail(fmt::format("the dialect has no {} {}", kind, message));
    return static_cast<std::size_t>(found - all.begin());
  }

  /// Adds what a codec has to read, unless it is there already. A request may have a choice that
  /// the dialect does not list: a codec has to write it only. Returns the values.
  Json add_example(std::size_t index, const Layout& layout, base::ByteView bytes) {
    protocol::Decoder decoder(layout, {.refuse_unlisted = false});
    if (decoder.resume(bytes) != protocol::Decoder::State::complete ||
        decoder.size() != bytes.size()) {
      fail(fmt::format("{} is no {}", base::to_hex(bytes), std::string_view(layout.name())));
      return Json::object();
    }
    Json values = plain_values(decoder, bytes);
    Json example = {
        {"id", id_}, {"layout", index}, {"hex", base::to_hex(bytes)}, {"fields", values}};
    if (protocol::refusal(layout, bytes)) example["unlisted"] = true;
    if (known_.emplace(index, example["hex"].string()).second)
      examples_.push_back(std::move(example));
    return values;
  }

  void add(const Vector& vector) {
    id_ = vector.id;
    asked_.clear();
    Json steps = Json::array();
    for (std::size_t i = 0; i < vector.steps.size(); ++i) add_step(vector.steps[i], i, steps);
    Json cleanup = Json::array();
    for (const Record& key : vector.keys) add_exchange(cleaning, "PURGE", key, cleanup);
    vectors_.push_back({{"id", vector.id}, {"cleanup", cleanup}, {"steps", steps}});
  }

  void add_step(const Step& step, std::size_t place, Json& steps) {
    if (const auto* const send = std::get_if<Send>(&step.action)) {
      add_send(step.connection, *send, place, steps);
    } else if (const auto* const expect = std::get_if<Expect>(&step.action)) {
      add_expect(step.connection, *expect, steps);
    } else if (std::holds_alternative<Close>(step.action)) {
      steps.push_back({{"on", step.connection}, {"close", true}});
    } else if (std::holds_alternative<Silence>(step.action)) {
      // The reply to another request has to be what comes next.
      add_exchange(step.connection, "ping", {{"request_id", base::to_bytes("1234321")}}, steps);
    } else {
      fail("waits, which golden vectors do not");
    }
  }

  void add_send(const std::string& on, const Send& send, std::size_t place, Json& steps) {
    if (!send.operation.empty()) {
      asked_[{on, send.operation}].push_back(place);
      const auto* const operation =
          protocol::find_operation_called(readings_.dialect(), send.operation);
      if (operation == nullptr) return fail("the dialect has no " + send.operation);
      add_example(index_of("request", send.operation),
                  Layout::request(*operation, width_, readings_), send.bytes);
    }
    Json step = {{"on", on}, {"send", base::to_hex(send.bytes)}};
    for (const Substitution& one : send.substitutions)
      step["insert"].push_back({{"at", one.offset}, {"length", one.length}, {"name", one.capture}});
    steps.push_back(std::move(step));
  }

  void add_expect(const std::string& on, const Expect& expect, Json& steps) {
    const Expected& first = expect.any_of.front();
    const auto layout = layout_of(first, width_, readings_);
    if (!layout) return fail("the dialect has no " + first.message);
    const std::size_t index = index_of(first.push ? "push" : "reply", first.message);
    Json step = {{"on", on}, {"layout", index}};
    if (auto& asked = asked_[{on, first.message}]; !first.push && !asked.empty()) {
      step["answers"] = asked.front();
      asked.pop_front();
    }
    step["expect"] = Json::array();
    for (const Expected& one : expect.any_of) {
      const Json example = add_example(index, *layout, one.example);
      Json patterns = patterns_json(one.fields, example, layout->message());
      if (one.only_after) {
        Json over = {{"match", "over"}};
        over.update(lifetime_json(*one.only_after));
        patterns.push_back(std::move(over));
      }
      step["expect"].push_back(std::move(patterns));
    }
    steps.push_back(std::move(step));
  }

  /// A request, and its reply, whatever that says.
  void add_exchange(std::string_view on, std::string_view name, const Record& values, Json& steps) {
    const auto* const operation = protocol::find_operation_called(readings_.dialect(), name);
    if (operation == nullptr) return fail(fmt::format("the dialect has no {}", name));
    const Layout layout = Layout::request(*operation, width_, readings_);
    Record request = values;
    for (const protocol::Field& field : layout.message().fields) {
      if (layout.present(field) && field.is<protocol::kinds::Integer>() && !values.find(field.name))
        request.set(field.name, std::uint64_t{0});
    }
    const auto bytes = protocol::encode(layout, request);
    if (!bytes)
      return fail(fmt::format("{}: {} {}", name, bytes.error().field, bytes.error().reason));
    steps.push_back({{"on", on}, {"send", base::to_hex(*bytes)}});
    const Json anything = Json::array();
    steps.push_back(
        {{"on", on}, {"layout", index_of("reply", name)}, {"expect", Json::array({anything})}});
  }

  /// The values of fields outside of groups are those of the example, where no match says
  /// otherwise.
  static Json patterns_json(const std::vector<FieldPattern>& patterns, const Json& example,
                            const protocol::Message& message) {
    Json all = Json::array();
    std::set<std::string> matched;
    for (const FieldPattern& one : patterns) {
      if (one.match == Match::equals) continue;
      matched.insert(one.field);
      if (one.match == Match::any) continue;
      Json pattern = pattern_json(one);
      if (one.match == Match::set_of) {
        std::vector<std::string> path = path_to(message.fields, one.field);
        pattern["path"] = path.empty() ? path_to(message.on_success, one.field) : std::move(path);
      }
      all.push_back(std::move(pattern));
    }
    for (const auto& [name, value] : example.members()) {
      if (value.is_array() || matched.contains(name)) continue;
      all.push_back({{"field", name}, {"match", "equals"}, {"value", value}});
    }
    return all;
  }

  static Json pattern_json(const FieldPattern& of) {
    Json json = {{"field", of.field}, {"match", name_of(of.match)}};
    switch (of.match) {
      case Match::equals: json["value"] = plain_value(of.value); break;
      case Match::any: break;
      case Match::range:
        json["min"] = std::to_string(of.min);
        json["max"] = std::to_string(of.max);
        break;
      case Match::one_of:
        json["choices"] = Json::array();
        for (const std::uint64_t one : of.choices) json["choices"].push_back(std::to_string(one));
        break;
      case Match::remaining: json.update(lifetime_json(of.lifetime)); break;
      case Match::capture:
      case Match::captured:
      case Match::captured_hex: json["name"] = of.capture; break;
      case Match::set_of:
        json["exactly"] = of.exactly;
        json["records"] = Json::array();
        for (const EntryPattern& entry : of.entries) json["records"].push_back(entry_json(entry));
        break;
    }
    return json;
  }

  static Json entry_json(const EntryPattern& entry) {
    Json all = Json::array();
    for (const FieldPattern& one : entry.fields) {
      if (one.match != Match::any) all.push_back(pattern_json(one));
    }
    return all;
  }

  /// The format of that name, or the one that a strategy writes; null when there is none.
  const protocol::Format* format_of(const Json& named) const {
    const Json& format = named["format"];
    const bool is_named = format.is_string();
    const std::string& name = (is_named ? format : named["strategy"]).string();
    const auto& all = readings_.dialect().formats;
    const auto found = std::ranges::find_if(all, [&](const protocol::Format& one) {
      return is_named ? std::string_view(one.name) == name : one.strategy == name;
    });
    return found == all.end() ? nullptr : &*found;
  }

  /// A state, and those within.
  void add_state(const Json& wanted, const std::string& state) {
    const auto* const format = format_of(wanted);
    if (format == nullptr) return fail("no format is named");
    const Json values = add_example(index_of("format", format->name),
                                    Layout::format(*format, readings_), base::as_bytes(state));
    for (const auto& [name, value] : wanted["fields"].members()) {
      if (!value.is_object() || !value.contains("fields")) continue;
      const auto inner = base::from_hex(values[name].is_string() ? values[name].string() : "");
      add_state(value, std::string(base::as_text(*inner)));
    }
  }

  /// A state that is none of its strategy, or has one within that is none of its own.
  void add_refused_state(const Json& request, const std::string& state) {
    const auto* const format = format_of(request);
    if (format == nullptr) return fail("no format is named");
    if (add_refusal(*format, state)) return;
    const Layout layout = Layout::format(*format, readings_);
    protocol::Decoder decoder(layout);
    decoder.resume(base::as_bytes(state));
    const Json values = plain_values(decoder, base::as_bytes(state));
    constexpr std::array<std::string_view, 2> parts = {"primary", "secondary"};
    const Json* const of = request.find("of");
    for (std::size_t i = 0; of != nullptr && i < parts.size(); ++i) {
      const Json named = {{"strategy", (*of)[i]}, {"format", nullptr}};
      const auto* const inner = format_of(named);
      const auto text = base::from_hex(values[parts[i]].string());
      if (inner != nullptr && add_refusal(*inner, std::string(base::as_text(*text)))) return;
    }
    fail("nothing is wrong with " + state);
  }

  bool add_refusal(const protocol::Format& format, const std::string& state) {
    const auto why = protocol::refusal(Layout::format(format, readings_), base::as_bytes(state));
    if (!why) return false;
    examples_.push_back({{"id", id_},
                         {"layout", index_of("format", format.name)},
                         {"hex", base::to_hex(base::as_bytes(state))},
                         {"refused", why->field},
                         {"anywhere", true}});
    return true;
  }

  const Readings& readings_;
  Width width_;
  std::string id_;  ///< of the vector that is being written
  std::string error_;
  std::size_t skipped_ = 0;
  Json layouts_;
  Json examples_ = Json::array();
  Json vectors_ = Json::array();
  std::set<std::pair<std::size_t, std::string>> known_;
  /// The steps whose requests wait for a reply, by connection and operation.
  std::map<std::pair<std::string, std::string>, std::deque<std::size_t>> asked_;
};

bool are_released(const Readings& readings) {
  const Readings released(readings.dialect(), protocol::Profile::deployed);
  return std::ranges::all_of(readings.dialect().readings, [&](const protocol::Reading& one) {
    return readings.answer(one) == released.answer(one);
  });
}

}  // namespace

Result<Json> plain_vectors(const Readings& readings, Width width, const PlainSource& source) {
  PlainWriter writer(readings, width);
  for (const VectorFile& file : source.files) writer.add(file);
  if (are_released(readings)) {
    for (const InvalidMessage& message : source.invalid) writer.add(message);
  }
  for (const StateVectorFile& file : source.states) {
    for (const StateVector& vector : file.vectors) writer.add(vector);
  }
  Json file = {{"$schema", "../schema/plain.schema.json"},
               {"format", plain_file_format},
               {"dialect", readings.dialect().name}};
  if (width != Width::none) file["width"] = protocol::name_of(width);
  file["answers"] = answers_json(readings);
  return writer.finish(std::move(file));
}

std::string plain_path_of(std::string_view dialect, Width width, protocol::Profile profile) {
  return fmt::format("plain/{}{}{}.json", dialect,
                     width == Width::none ? "" : fmt::format("-{}", protocol::name_of(width)),
                     profile == protocol::Profile::literal ? "-literal" : "");
}

}  // namespace hallmark::vectors
