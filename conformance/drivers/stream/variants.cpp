#include "conformance/drivers/stream/variants.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/codec/encode.hpp"
#include "vectors/format/match.hpp"
#include "vectors/format/places.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Field;
using protocol::Layout;
using protocol::Readings;
using vectors::Expect;
using vectors::Expected;
using vectors::FieldPattern;
using vectors::Match;
using vectors::Send;
using vectors::Vector;

std::vector<std::string_view> other_answers(const Vector& vector, const WireFormat& format) {
  std::vector<std::string_view> readings;
  for (const auto& [reading, answer] : vector.readings) {
    if (format.readings().answer_called(reading) != answer) readings.emplace_back(reading);
  }
  return readings;
}

bool lays_out(std::span<const Field> fields, std::string_view reading) {
  return std::ranges::any_of(fields, [&](const Field& field) {
    const auto* const group = field.as<protocol::kinds::Group>();
    return field.when.reading == reading ||
           (group != nullptr && (lays_out(group->head, reading) || lays_out(group->tail, reading)));
  });
}

/// Returns true if the answer decides which fields messages have, rather than what they say or
/// whether they are sent at all.
bool is_of_layout(const protocol::Dialect& dialect, std::string_view reading) {
  const auto in = [&](const protocol::Message& message) {
    return lays_out(message.fields, reading) || lays_out(message.on_success, reading);
  };
  return std::ranges::any_of(dialect.operations,
                             [&](const auto& one) { return in(one.request) || in(one.reply); });
}

constexpr std::uint64_t status_success = protocol::kinds::Status::success;

/// Gives the messages of one vector the layouts of a format.
class Adaptation {
 public:
  Adaptation(const Vector& vector, const WireFormat& format)
      : vector_(vector), format_(format), own_(format.readings()) {
    for (const auto& [reading, answer] : vector.readings) (void)own_.set(reading, answer);
  }

  std::optional<Vector> run() {
    for (vectors::Step& step : vector_.steps) {
      if (auto* const send = std::get_if<Send>(&step.action)) adapt(*send);
      if (auto* const expect = std::get_if<Expect>(&step.action)) {
        for (Expected& expected : expect->any_of) adapt(expected);
      }
    }
    if (!possible_) return std::nullopt;
    for (auto& [reading, answer] : vector_.readings)
      answer = format_.readings().answer_called(reading);
    return std::move(vector_);
  }

 private:
  void adapt(Send& send) {
    const Layout layout =
        format_.request(format_.operation(protocol::MessageName::unchecked(send.operation)));
    auto bytes = protocol::encode(layout, send.fields);
    if (!bytes) {
      possible_ = false;
      return;
    }
    send.bytes = std::move(*bytes);
    protocol::Decoder decoder(layout, {.refuse_unlisted = false});
    decoder.resume(send.bytes);
    for (vectors::Substitution& substitution : send.substitutions) {
      const auto* const place = protocol::MessageView(decoder, send.bytes)
                                    .find(protocol::FieldName::unchecked(substitution.field));
      possible_ = possible_ && place != nullptr;
      if (place == nullptr) return;
      substitution.offset = place->offset;
      substitution.length = place->length;
    }
  }

  void adapt(Expected& expected) {
    const auto layout = vectors::layout_of(expected, format_.width(), format_.readings());
    const auto own = vectors::layout_of(expected, format_.width(), own_);
    const bool gains_status = layout->status() != nullptr && own->status() == nullptr;
    const bool loses_status = own->status() != nullptr && layout->status() == nullptr;
    if (loses_status) std::erase_if(expected.fields, is_status);
    for (FieldPattern& pattern : expected.fields) adapt(*layout, pattern);
    if (gains_status) expected.fields.insert(expected.fields.begin(), succeeded());
    adapt_example(*own, *layout, expected);
    vectors::locate_fields(expected, *layout);
  }

  static bool is_status(const FieldPattern& pattern) {
    return pattern.field == protocol::FieldName("status");
  }

  static FieldPattern succeeded() {
    FieldPattern pattern;
    pattern.field = "status";
    pattern.value = status_success;
    return pattern;
  }

  void adapt(const Layout& layout, FieldPattern& pattern) {
    if (pattern.match == Match::set_of) {
      for (vectors::EntryPattern& entry : pattern.entries) {
        std::erase_if(entry.fields, [&](const FieldPattern& field) {
          return !has(layout, layout.message().on_success, field.field);
        });
      }
      return;
    }
    possible_ = possible_ && (has(layout, layout.message().fields, pattern.field) ||
                              has(layout, layout.message().on_success, pattern.field));
  }

  /// At any depth.
  static bool has(const Layout& layout, std::span<const Field> fields, std::string_view name) {
    return std::ranges::any_of(fields, [&](const Field& field) {
      const auto* const group = field.as<protocol::kinds::Group>();
      return (field.name == name && layout.present(field)) ||
             (group != nullptr &&
              (has(layout, group->head, name) || has(layout, group->tail, name)));
    });
  }

  static void adapt_example(const Layout& own, const Layout& layout, Expected& expected) {
    const auto values = protocol::decode(own, expected.example, {.refuse_unlisted = false});
    if (!values) return;
    protocol::Record record;
    if (layout.status() != nullptr)
      record.set("status", own.status() != nullptr ? values->number("status") : status_success);
    for (const auto& [name, value] : values->fields()) {
      if (name != "status") record.set(protocol::FieldName::unchecked(name), value);
    }
    if (auto bytes = protocol::encode(layout, record)) expected.example = std::move(*bytes);
  }

  Vector vector_;
  const WireFormat& format_;
  Readings own_;  ///< under which the vector was written, as far as it depends on them
  bool possible_ = true;
};

/// The part of an id that is the same for both profiles.
std::string scenario_of(const Vector& vector) {
  const std::string literal = fmt::format("{}/", protocol::name_of(protocol::Profile::literal));
  std::string id = vector.id;
  if (const auto at = id.find(literal); at != std::string::npos) id.erase(at, literal.size());
  return id;
}

/// The versions of each scenario, in the order in which they first appear.
std::vector<std::vector<const Vector*>> by_scenario(const std::vector<vectors::VectorFile>& files) {
  std::vector<std::vector<const Vector*>> scenarios;
  std::map<std::string, std::size_t> places;
  for (const vectors::VectorFile& file : files) {
    for (const Vector& vector : file.vectors) {
      const auto [place, is_new] = places.emplace(scenario_of(vector), scenarios.size());
      if (is_new) scenarios.emplace_back();
      scenarios[place->second].push_back(&vector);
    }
  }
  return scenarios;
}

/// Null where no version can be played.
std::shared_ptr<const Vector> playable(const std::vector<const Vector*>& versions,
                                       const WireFormat& format) {
  for (const Vector* const one : versions) {
    if (other_answers(*one, format).empty()) return std::make_shared<Vector>(*one);
  }
  for (const Vector* const one : versions) {
    if (auto other = adapted(*one, format)) return std::make_shared<Vector>(std::move(*other));
  }
  return nullptr;
}

/// The first answer that the vector needs and the format does not have.
std::string needed_by(const Vector& vector, const WireFormat& format) {
  const std::string reading(other_answers(vector, format).front());
  return fmt::format("{}={}", reading, vector.readings.at(reading));
}

}  // namespace

std::optional<Vector> adapted(const Vector& vector, const WireFormat& format) {
  const auto others = other_answers(vector, format);
  const auto is_layout = [&](std::string_view one) { return is_of_layout(format.dialect(), one); };
  if (!std::ranges::all_of(others, is_layout)) return std::nullopt;
  return Adaptation(vector, format).run();
}

Variants variants_for(const std::vector<vectors::VectorFile>& files, const WireFormat& format) {
  Variants made;
  for (const auto& versions : by_scenario(files)) {
    if (auto one = playable(versions, format)) {
      made.playable.push_back(std::move(one));
    } else {
      ++made.left_out[needed_by(*versions.front(), format)];
    }
  }
  return made;
}

}  // namespace hallmark::conformance
