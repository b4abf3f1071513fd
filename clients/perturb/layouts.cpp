#include "clients/perturb/layouts.hpp"

#include <algorithm>

namespace hallmark::clients {
namespace {

using protocol::Field;
using protocol::FieldValue;
using protocol::Layout;
namespace kinds = protocol::kinds;

void collect(std::vector<const Field*>& all, const Layout& layout, std::span<const Field> fields) {
  for (const Field& field : fields) {
    if (!layout.present(field)) continue;
    if (const auto* const group = field.as<kinds::Group>()) {
      all.push_back(&field);
      collect(all, layout, group->head);
      collect(all, layout, group->tail);
      continue;
    }
    const auto same = [&](const Field* other) { return other->name == field.name; };
    if (std::ranges::none_of(all, same)) all.push_back(&field);
  }
}

std::vector<const Field*> fields_in(const Layout& layout) {
  std::vector<const Field*> all;
  collect(all, layout, layout.message().fields);
  collect(all, layout, layout.message().on_success);
  return all;
}

}  // namespace

std::optional<Layout> layout_of(const Message& message, const Format& format) {
  if (message.push != nullptr) return Layout::push(*message.push, format.width, format.readings);
  if (message.operation != nullptr)
    return Layout::reply(*message.operation, format.width, format.readings);
  return std::nullopt;
}

std::vector<FieldValue> fields_of(const Message& message, const Format& format) {
  const auto layout = layout_of(message, format);
  if (!layout || message.bytes.empty()) return {};
  protocol::Decoder decoder(*layout, {.refuse_unlisted = false});
  decoder.resume(message.bytes);
  return decoder.fields();
}

std::vector<const Field*> reply_fields(const protocol::Operation& operation, const Format& format) {
  return fields_in(Layout::reply(operation, format.width, format.readings));
}

std::vector<const Field*> push_fields(const protocol::Push& push, const Format& format) {
  return fields_in(Layout::push(push, format.width, format.readings));
}

bool is_short(const protocol::Operation& operation, const Format& format) {
  return std::ranges::all_of(reply_fields(operation, format), [](const Field* field) {
    return field->is<kinds::Status>() || field->name == "request_id";
  });
}

bool has_group(const protocol::Operation& operation, const Format& format) {
  return std::ranges::any_of(reply_fields(operation, format),
                             [](const Field* field) { return field->is<kinds::Group>(); });
}

}  // namespace hallmark::clients
