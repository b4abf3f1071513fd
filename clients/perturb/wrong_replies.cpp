#include <fmt/format.h>

#include <algorithm>

#include "base/hex.hpp"
#include "clients/perturb/wrong.hpp"
#include "protocol/little_endian.hpp"

namespace hallmark::clients {
namespace {

using protocol::Field;
using protocol::FieldValue;
using protocol::Operation;
namespace kinds = protocol::kinds;

using Kind = Step::Kind;

const std::string sizes = "client.reply-sizes";
const std::string unlisted = "client.unlisted";

Treatment sent(base::Bytes bytes, Reach reach, std::string what) {
  return {{send(std::move(bytes))}, reach, std::move(what)};
}

base::Bytes with_number(const Message& message, const FieldValue& field, std::uint64_t number) {
  base::Bytes bytes = message.bytes;
  protocol::store_little_endian(bytes.data() + field.offset, number, field.length);
  return bytes;
}

std::span<const protocol::Choice> choices_of(const Field& field) {
  if (field.is<kinds::Status>()) return kinds::Status::choices;
  return field.get<kinds::ChoiceOf>().choices;
}

/// A status or another choice that is not listed.
MakeWrong with_unlisted(const std::string& name) {
  return [name](const Message& message, const Wrong& with) -> std::optional<Treatment> {
    const auto fields = fields_of(message, with.format);
    const FieldValue* const field = first_field(fields, name);
    if (field == nullptr) return std::nullopt;
    const auto code = unlisted_code(choices_of(*field->field), field->length, with.random);
    if (!code) return std::nullopt;
    return sent(with_number(message, *field, *code), Reach::performed,
                fmt::format("{} is {:02x}, which is not listed, in place of {:02x}", name, *code,
                            field->number));
  };
}

enum class Size { one_less, one_more, largest };

/// A size or a count that is not that of what follows.
MakeWrong with_size(const std::string& name, Size how) {
  return [name, how](const Message& message, const Wrong& with) -> std::optional<Treatment> {
    const auto fields = fields_of(message, with.format);
    const FieldValue* const field = first_field(fields, name);
    if (field == nullptr) return std::nullopt;
    const std::uint64_t most = protocol::max_of_width(field->length);
    if (how == Size::one_less && field->number == 0) return std::nullopt;
    if (how != Size::one_less && field->number == most) return std::nullopt;
    const std::uint64_t number = how == Size::one_less   ? field->number - 1
                                 : how == Size::one_more ? field->number + 1
                                                         : most;
    // The client meets the surplus only when it reads its next reply.
    return sent(with_number(message, *field, number),
                how == Size::one_less ? Reach::asked_again : Reach::performed,
                fmt::format("{} is {} in place of {}", name, number, field->number));
  };
}

/// The reply ends at a field, and the connection with it.
MakeWrong truncated_at(const std::string& name) {
  return [name](const Message& message, const Wrong& with) -> std::optional<Treatment> {
    auto bytes = cut_at(message, with.format, name);
    if (!bytes) return std::nullopt;
    Treatment treatment;
    treatment.what = fmt::format("it ended at {}, after {} of its {} bytes, and the connection too",
                                 name, bytes->size(), message.bytes.size());
    if (!bytes->empty()) treatment.steps.push_back(send(std::move(*bytes)));
    treatment.steps.push_back(ended_by(Kind::close));
    treatment.reach = Reach::performed;
    return treatment;
  };
}

/// Half of the reply comes, and then nothing.
std::optional<Treatment> stalled(const Message& message, const Wrong& /*with*/) {
  const std::size_t size = message.bytes.size() / 2;
  if (size == 0) return std::nullopt;
  constexpr std::chrono::hours forever{1};
  return Treatment{
      {send({message.bytes.begin(), message.bytes.begin() + static_cast<std::ptrdiff_t>(size)}),
       pause(forever)},
      Reach::performed,
      fmt::format("{} of its {} bytes came, and nothing more", size, message.bytes.size())};
}

std::optional<Treatment> silent(const Message& /*message*/, const Wrong& /*with*/) {
  constexpr std::chrono::hours forever{1};
  return Treatment{{pause(forever)}, Reach::performed, "nothing came any more"};
}

std::optional<Treatment> repeated(const Message& message, const Wrong& /*with*/) {
  base::Bytes twice = message.bytes;
  base::append(twice, message.bytes);
  return sent(std::move(twice), Reach::asked_again, "it came twice");
}

std::optional<Treatment> missing(const Message& /*message*/, const Wrong& /*with*/) {
  return Treatment{{}, Reach::performed, "it did not come; later ones do"};
}

/// True if bytes are a whole reply to the operation: it could not be told from a right one.
bool is_whole_reply(const Message& message, const Format& format, base::ByteView bytes) {
  protocol::Decoder decoder(*layout_of(message, format));
  return decoder.resume(bytes) == protocol::Decoder::State::complete &&
         decoder.size() == bytes.size();
}

std::optional<Treatment> of_another(const Message& message, const Wrong& with) {
  if (with.other.empty() || is_whole_reply(message, with.format, with.other)) return std::nullopt;
  const bool is_longer = with.other.size() > message.bytes.size();
  return sent(with.other, is_longer ? Reach::asked_again : Reach::performed,
              "the reply to another request came in its place");
}

/// Another id than that of the request, as 2.0 has them.
std::optional<Treatment> with_other_id(const Message& message, const Wrong& with) {
  const auto fields = fields_of(message, with.format);
  const FieldValue* const id = first_field(fields, "request_id");
  if (id == nullptr) return std::nullopt;
  constexpr std::uint64_t far = 0x10000;
  const std::uint64_t other = (id->number + far) & protocol::max_of_width(id->length);
  return sent(with_number(message, *id, other), Reach::performed,
              fmt::format("its request id is {} in place of {}", other, id->number));
}

std::optional<Treatment> endless(const Message& message, const Wrong& with) {
  constexpr std::size_t at_once = 4'096;
  constexpr std::uint64_t times = 2'048;
  base::Bytes noise(at_once);
  for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(with.random.below(256));
  return Treatment{{send(message.bytes), flood(std::move(noise), times)},
                   Reach::asked_again,
                   "8 MiB of random bytes came behind it"};
}

/// A listing that says that it goes on, and does.
std::optional<Treatment> endless_listing(const Message& message, const Wrong& with) {
  const auto fields = fields_of(message, with.format);
  const auto count = std::ranges::find_if(
      fields, [](const FieldValue& value) { return value.field->is<kinds::Count>(); });
  if (count == fields.end() || count->number == 0) return std::nullopt;
  base::Bytes bytes = with_number(message, *count, protocol::max_of_width(count->length));
  const std::size_t entries = count->offset + count->length;
  base::Bytes entry(bytes.begin() + static_cast<std::ptrdiff_t>(entries), bytes.end());
  if (entry.empty()) return std::nullopt;
  constexpr std::size_t most_bytes = std::size_t{8} << 20;
  const std::uint64_t times = most_bytes / entry.size();
  return Treatment{
      {send(std::move(bytes)), flood(std::move(entry), times), pause(std::chrono::hours(1))},
      Reach::performed,
      "it says that it has 2^64-1 parts, and went on for 8 MiB"};
}

std::string title(std::string_view what, const Operation& operation) {
  return fmt::format("replies to {}: {}", std::string_view(operation.name), what);
}

void add_field_perturbations(std::vector<Perturbation>& all, const Operation& operation,
                             const Format& format) {
  const std::string_view name = operation.name;
  for (const Field* const field : reply_fields(operation, format)) {
    const std::string called(field->name);
    if (field->is<kinds::Status>()) {
      all.push_back(wrong("status", name, {}, title("the status is not listed", operation),
                          unlisted, with_unlisted(called)));
    }
    if (field->is<kinds::ChoiceOf>()) {
      all.push_back(wrong("choice", name, called, title(called + " is not listed", operation),
                          unlisted, with_unlisted(called)));
    }
    if (!field->is<kinds::Size, kinds::Count>()) continue;
    all.push_back(wrong("too-large", name, called, title(called + " is one too large", operation),
                        sizes, with_size(called, Size::one_more)));
    all.push_back(wrong("too-small", name, called, title(called + " is one too small", operation),
                        sizes, with_size(called, Size::one_less)));
    all.push_back(wrong("huge", name, called,
                        title(called + " is the largest number of its width", operation), sizes,
                        with_size(called, Size::largest)));
  }
}

void add_whole_perturbations(std::vector<Perturbation>& all, const Operation& operation,
                             const Format& format) {
  const std::string_view name = operation.name;
  for (const Field* const field : some_of(reply_fields(operation, format))) {
    all.push_back(wrong(
        "truncated", name, std::string_view(field->name),
        title(fmt::format("cut at {}, and the connection closed", std::string_view(field->name)),
              operation),
        sizes, truncated_at(std::string(field->name))));
  }
  if (!is_short(operation, format)) {
    all.push_back(wrong("stalled", name, {}, title("half of it, and then nothing", operation),
                        "client.silence", stalled));
  }
  all.push_back(wrong("silent", name, {}, title("nothing comes any more", operation),
                      "client.silence", silent));
  all.push_back(
      wrong("missing", name, {}, title("this one does not come", operation), sizes, missing));
  all.push_back(wrong("repeated", name, {}, title("each comes twice", operation), sizes, repeated));
  all.push_back(wrong("foreign", name, {}, title("that to another request comes", operation), sizes,
                      of_another));
  all.push_back(wrong("endless", name, {}, title("it does not end", operation), sizes,
                      has_group(operation, format) ? endless_listing : endless));
  const auto fields = reply_fields(operation, format);
  if (std::ranges::any_of(fields, [](const Field* one) { return one->name == "request_id"; })) {
    all.push_back(wrong("other-id", name, {}, title("it has the id of no request", operation),
                        "client.matches-ids", with_other_id));
  }
}

/// The first byte of a message that nobody knows.
std::optional<Treatment> unknown_delivery(const Message& message, const Wrong& with) {
  base::Bytes bytes = message.bytes;
  std::uint8_t code = 0xff;
  const auto& dialect = with.format.dialect();
  while (protocol::find_operation(dialect, code) != nullptr) --code;
  bytes.front() = code;
  return sent(std::move(bytes), Reach::performed,
              fmt::format("its first byte is {:02x}, which nothing begins with", code));
}

}  // namespace

std::vector<Perturbation> wrong_reply_perturbations(const Format& format) {
  if (format.over_datagrams()) return {};
  std::vector<Perturbation> all;
  for (const Operation& operation : format.dialect().operations) {
    if (!protocol::Layout::reply(operation, format.width, format.readings).sent()) continue;
    add_field_perturbations(all, operation, format);
    add_whole_perturbations(all, operation, format);
  }
  return all;
}

std::vector<Perturbation> wrong_delivery_perturbations(const Format& format) {
  std::vector<Perturbation> all;
  for (const protocol::Push& push : format.dialect().pushes) {
    const std::string_view name = push.name;
    const auto add = [&](std::string kind, std::string_view field, std::string_view what,
                         std::string clause, MakeWrong make) {
      all.push_back(wrong(std::move(kind), name, field, fmt::format("deliveries: {}", what),
                          std::move(clause), std::move(make)));
    };
    add("choice", "opcode", "the first byte is not listed", unlisted, unknown_delivery);
    for (const Field* const field : push_fields(push, format)) {
      const std::string called(field->name);
      if (!field->is<kinds::Size>()) continue;
      add("too-large", called, called + " is one too large", sizes,
          with_size(called, Size::one_more));
      add("huge", called, called + " is the largest number of its width", sizes,
          with_size(called, Size::largest));
    }
    for (const Field* const field : some_of(push_fields(push, format))) {
      if (field->is<kinds::Opcode>()) continue;
      add("truncated", field->name, fmt::format("cut at {}", std::string_view(field->name)), sizes,
          truncated_at(std::string(field->name)));
    }
    add("stalled", {}, "half of it, and then nothing", "client.silence", stalled);
  }
  return all;
}

}  // namespace hallmark::clients
