#include "clients/judge/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/codec/decode.hpp"

namespace hallmark::clients {
namespace {

using protocol::Decoder;
using protocol::Field;
using protocol::FieldValue;
using protocol::Layout;
namespace kinds = protocol::kinds;

std::string choice_text(std::string_view side, const Field& field, std::string_view value) {
  return fmt::format("{} {} {}", side, std::string_view(field.name), value);
}

void note_choices(Met& met, std::string_view side, const Decoder& decoder) {
  for (const FieldValue& value : decoder.fields()) {
    const auto* const choice = value.field->as<kinds::ChoiceOf>();
    if (choice == nullptr) continue;
    const auto* const listed = protocol::find_choice(choice->choices, value.number);
    if (listed != nullptr) ++met.choices[choice_text(side, *value.field, listed->name)];
  }
}

/// The largest group stands for the listing: its records are fragments.
void note_listing(Met& met, const Decoder& decoder) {
  const auto group = std::ranges::find_if(
      decoder.fields(), [](const FieldValue& value) { return value.field->is<kinds::Group>(); });
  if (group == decoder.fields().end()) return;
  if (group->number == 0) ++met.empty;
  if (group->number == 1) ++met.one_fragment;
  if (group->number > 1) ++met.several_fragments;
}

const FieldValue* status_in(const Decoder& decoder) {
  const auto found = std::ranges::find_if(
      decoder.fields(), [](const FieldValue& value) { return value.field->is<kinds::Status>(); });
  return found == decoder.fields().end() ? nullptr : &*found;
}

void note_reply(Met& met, const Layout& layout, base::ByteView bytes) {
  if (bytes.empty()) {
    ++met.silent;
    return;
  }
  Decoder decoder(layout, {.refuse_unlisted = false});
  if (decoder.resume(bytes) != Decoder::State::complete) return;
  const FieldValue* const status = status_in(decoder);
  const bool failed = status != nullptr && status->number == kinds::Status::failure;
  ++(failed ? met.failed : met.succeeded);
  note_choices(met, "reply", decoder);
  note_listing(met, decoder);
}

void add_choices(std::vector<std::string>& all, std::string_view side, const Layout& layout,
                 std::span<const Field> fields) {
  for (const Field& field : fields) {
    if (!layout.present(field)) continue;
    if (const auto* const choice = field.as<kinds::ChoiceOf>()) {
      for (const protocol::Choice& one : choice->choices)
        all.push_back(choice_text(side, field, one.name));
    }
    if (const auto* const group = field.as<kinds::Group>()) {
      add_choices(all, side, layout, group->head);
      add_choices(all, side, layout, group->tail);
    }
  }
}

}  // namespace

void note(Coverage& coverage, const Format& format, const Message& message) {
  if (message.name().empty()) return;
  Met& met = coverage[std::string(message.name())];
  ++met.requests;
  if (message.push != nullptr) return;
  Decoder request(Layout::request(*message.operation, format.width, format.readings),
                  {.refuse_unlisted = false});
  if (request.resume(message.request) == Decoder::State::complete)
    note_choices(met, "request", request);
  note_reply(met, Layout::reply(*message.operation, format.width, format.readings), message.bytes);
}

std::vector<std::string> possible_choices(const Format& format, std::string_view name) {
  std::vector<std::string> all;
  const auto* const operation = protocol::find_operation_called(format.dialect(), name);
  if (operation == nullptr) return all;
  const Layout request = Layout::request(*operation, format.width, format.readings);
  const Layout reply = Layout::reply(*operation, format.width, format.readings);
  add_choices(all, "request", request, request.message().fields);
  add_choices(all, "reply", reply, reply.message().fields);
  add_choices(all, "reply", reply, reply.message().on_success);
  std::ranges::sort(all);
  const auto twice = std::ranges::unique(all);
  all.erase(twice.begin(), twice.end());
  return all;
}

}  // namespace hallmark::clients
