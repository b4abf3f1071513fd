#include "clients/perturb/wrong.hpp"

#include <fmt/format.h>

#include "protocol/little_endian.hpp"

namespace hallmark::clients {

using protocol::Field;
using protocol::FieldValue;

Treatment WrongMessages::treat(const Message& message) {
  if (message.bytes.empty() || message.name() != name_) {
    if (message.push == nullptr && !message.bytes.empty()) other_ = message.bytes;
    return untouched(message.bytes);
  }
  auto made = make_(message, {format_, random_, other_});
  return made ? std::move(*made) : untouched(message.bytes);
}

const FieldValue* first_field(const std::vector<FieldValue>& fields, std::string_view name) {
  for (const FieldValue& value : fields) {
    if (value.field->name == name) return &value;
  }
  return nullptr;
}

std::optional<std::uint64_t> unlisted_code(std::span<const protocol::Choice> choices,
                                           std::size_t width, base::Random& random) {
  std::set<std::uint64_t> codes{protocol::max_of_width(width)};
  for (const protocol::Choice& choice : choices) {
    if (choice.code > 0) codes.insert(choice.code - 1);
    codes.insert(choice.code + 1);
  }
  std::vector<std::uint64_t> unlisted;
  for (const std::uint64_t code : codes) {
    if (protocol::find_choice(choices, code) == nullptr) unlisted.push_back(code);
  }
  if (unlisted.empty()) return std::nullopt;
  return random.one_of(unlisted);
}

std::optional<base::Bytes> cut_at(const Message& message, const Format& format,
                                  std::string_view field) {
  const auto fields = fields_of(message, format);
  const FieldValue* const found = first_field(fields, field);
  if (found == nullptr) return std::nullopt;
  // A group starts where its first record does.
  const bool is_group = found->field->is<protocol::kinds::Group>();
  const std::size_t inside = is_group ? 0 : found->length / 2;
  const std::size_t size = found->offset + inside;
  if (size >= message.bytes.size()) return std::nullopt;
  return base::Bytes(message.bytes.begin(),
                     message.bytes.begin() + static_cast<std::ptrdiff_t>(size));
}

std::vector<const Field*> some_of(const std::vector<const Field*>& fields) {
  constexpr std::size_t most = 4;
  if (fields.size() <= most) return fields;
  std::vector<const Field*> some;
  for (std::size_t i = 0; i < most; ++i)
    some.push_back(fields[i * (fields.size() - 1) / (most - 1)]);
  return some;
}

Perturbation wrong(std::string kind, std::string_view subject, std::string_view field,
                   std::string title, std::string clause, MakeWrong make) {
  Perturbation made;
  made.id = field.empty() ? fmt::format("{}/{}", kind, subject)
                          : fmt::format("{}/{}/{}", kind, subject, field);
  made.kind = std::move(kind);
  made.subject = std::string(subject);
  made.title = std::move(title);
  made.legal = false;
  made.demand = Demand::notices;
  made.clause = std::move(clause);
  made.make = [name = made.subject, make = std::move(make)](const Format& format,
                                                            std::uint64_t seed) {
    return std::make_unique<WrongMessages>(format, seed, name, make);
  };
  return made;
}

}  // namespace hallmark::clients
