#include "vectors/format/plain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "base/hex.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/codec/refusal.hpp"
#include "vectors/format/layouts.hpp"
#include "vectors/format/match.hpp"
#include "vectors/format/plain_patterns.hpp"
#include "vectors/format/plain_values.hpp"

namespace hallmark::vectors {
namespace {

using base::Error;
using base::Json;
using base::Result;
using protocol::Layout;
using protocol::Readings;
using protocol::Width;

constexpr std::size_t plain_file_format = 2;
/// The connection on which a runner removes the keys of a vector.
constexpr std::string_view cleaning = "cleaning";
/// The field at which bytes are refused that follow a message.
constexpr std::string_view end_of_message = "end";

/// Says the same of all fields, those in groups included, and of the end of the message.
void add_names(const Layout& layout, std::span<const protocol::Field> fields, const Json& reason,
               Json& to) {
  for (const protocol::Field& field : fields) {
    if (!layout.present(field)) continue;
    to[field.name] = reason;
    if (const auto* const records = field.as<protocol::kinds::Group>()) {
      add_names(layout, records->head, reason, to);
      add_names(layout, records->tail, reason, to);
    }
  }
}

/// The bytes that are sent, with the names of captured values in the place of their bytes.
std::string with_names(const Send& send) {
  std::string digits = base::to_hex(send.bytes);
  std::vector<Substitution> from_the_back = send.substitutions;
  std::ranges::sort(from_the_back, std::greater{}, &Substitution::offset);
  for (const Substitution& one : from_the_back)
    digits.replace(2 * one.offset, 2 * one.length, fmt::format("{{{}}}", one.capture));
  return digits;
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
      Json step = {{"layout", index_of(name_of(message.kind), message.message)}};
      if (one.change.fields().empty()) {
        step["decode"] = base::to_hex(one.bytes);
      } else {
        Json values = plain_values(*layout, message.fields);
        values.update(plain_values(*layout, one.change));
        step["encode"] = std::move(values);
      }
      const Json fields = one.kind == Illegal::size ? anywhere(*layout, name_of(one.kind))
                                                    : refused_at(one.field, name_of(one.kind));
      add_refused(std::move(step), fields);
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

  /// The one field at which a message is refused, with the reason.
  static Json refused_at(std::string_view field, std::string_view reason) {
    return {{field.empty() ? end_of_message : field, reason}};
  }

  /// The fields of a message that is refused, where codecs may notice it at any of them.
  static Json anywhere(const Layout& layout, std::string_view reason) {
    Json fields = refused_at(end_of_message, reason);
    add_names(layout, layout.message().fields, reason, fields);
    add_names(layout, layout.message().on_success, reason, fields);
    return fields;
  }

  void add_refused(Json step, const Json& fields) {
    examples_.push_back(
        {{"id", id_}, {"refused", fields}, {"steps", Json::array({std::move(step)})}});
  }

  /// Adds what a codec has to write and to read, unless it is there already. A request may have a
  /// choice that the dialect does not list: a codec has to write it only. Returns the values.
  Json add_example(std::size_t index, const Layout& layout, base::ByteView bytes) {
    protocol::Decoder decoder(layout, {.refuse_unlisted = false});
    if (decoder.resume(bytes) != protocol::Decoder::State::complete ||
        decoder.size() != bytes.size()) {
      fail(fmt::format("{} is no {}", base::to_hex(bytes), std::string_view(layout.name())));
      return Json::object();
    }
    Json values = plain_values(decoder, bytes);
    const std::string digits = base::to_hex(bytes);
    if (!known_.emplace(index, digits).second) return values;
    Json steps = Json::array({{{"layout", index}, {"encode", values}, {"result", digits}}});
    if (!protocol::refusal(layout, bytes))
      steps.push_back({{"layout", index}, {"decode", digits}, {"result", values}});
    examples_.push_back({{"id", id_}, {"steps", std::move(steps)}});
    return values;
  }

  void add(const Vector& vector) {
    id_ = vector.id;
    asked_.clear();
    exchanges_ = {};
    Json steps = Json::array();
    for (const Step& step : vector.steps) add_step(step, steps);
    Json cleanup = Json::array();
    for (const Record& key : vector.keys) add_exchange(cleaning, "PURGE", key, cleanup);
    vectors_.push_back({{"id", vector.id}, {"cleanup", cleanup}, {"steps", steps}});
  }

  void add_step(const Step& step, Json& steps) {
    exchanges_.places.push_back(steps.size());
    if (const auto* const send = std::get_if<Send>(&step.action)) {
      add_send(step.connection, *send, steps);
    } else if (const auto* const expect = std::get_if<Expect>(&step.action)) {
      add_expect(step.connection, *expect, steps);
    } else if (std::holds_alternative<Silence>(step.action)) {
      // The reply to another request has to be what comes next.
      add_exchange(step.connection, "ping", {{"request_id", base::to_bytes("1234321")}}, steps);
    } else {
      fail("waits or closes a connection, which golden vectors do not");
    }
  }

  void add_send(const std::string& on, const Send& send, Json& steps) {
    if (!send.operation.empty()) {
      asked_[{on, send.operation}].push_back(steps.size());
      const auto* const operation =
          protocol::find_operation_called(readings_.dialect(), send.operation);
      if (operation == nullptr) return fail("the dialect has no " + send.operation);
      add_example(index_of("request", send.operation),
                  Layout::request(*operation, width_, readings_), send.bytes);
    }
    steps.push_back({{"on", on}, {"send", with_names(send)}});
  }

  void add_expect(const std::string& on, const Expect& expect, Json& steps) {
    const Expected& first = expect.any_of.front();
    const auto layout = layout_of(first, width_, readings_);
    if (!layout) return fail("the dialect has no " + first.message);
    const std::size_t index = index_of(first.push ? "push" : "reply", first.message);
    exchanges_.request.reset();
    if (auto& asked = asked_[{on, first.message}]; !first.push && !asked.empty()) {
      exchanges_.request = asked.front();
      asked.pop_front();
      exchanges_.replies[*exchanges_.request] = steps.size();
    }
    std::vector<Json> lists;
    for (const Expected& one : expect.any_of) {
      if (!exchanges_.request && judges_lifetime(one))
        return fail("judges a lifetime by a message that answers no request");
      const Json example = add_example(index, *layout, one.example);
      lists.push_back(patterns_json(one, example, layout->message(), exchanges_));
    }
    steps.push_back({{"on", on}, {"layout", index}, {"expect", either_json(std::move(lists))}});
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
    steps.push_back({{"on", on}, {"layout", index_of("reply", name)}, {"expect", Json::array()}});
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
    const Layout layout = Layout::format(format, readings_);
    const auto why = protocol::refusal(layout, base::as_bytes(state));
    if (!why) return false;
    add_refused({{"layout", index_of("format", format.name)},
                 {"decode", base::to_hex(base::as_bytes(state))}},
                anywhere(layout, why->reason));
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
  Exchanges exchanges_;
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
