#include "captures/datagram.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "captures/fit.hpp"
#include "protocol/annotate.hpp"
#include "protocol/rules/ratelimit_rules.hpp"
#include "protocol/text/text.hpp"

namespace hallmark::captures {
namespace {

using protocol::Decoder;
using protocol::Layout;
using protocol::Operation;

constexpr std::size_t longest_excerpt = 40;

/// The bytes that a message of that layout begins with, behind its request id.
std::string_view spelling_of(const Layout& layout) {
  for (const protocol::Field& field : layout.message().fields) {
    if (const auto* const literal = field.as<protocol::kinds::Literal>()) return literal->spelling;
  }
  return {};
}

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

std::string_view trimmed(std::string_view text) { return text.substr(0, text.find(' ')); }

/// A message without its request id.
std::string_view body_of(ByteView datagram) {
  const std::string_view text = base::as_text(datagram);
  const std::size_t digits = protocol::text::tag_at_front(text).size();
  return text.substr(digits == 0 ? 0 : digits + 1);
}

Decoder decoded(const Layout& layout, ByteView datagram) {
  Decoder decoder(layout, {.max_bytes = Format::largest_message});
  decoder.resume(datagram);
  return decoder;
}

bool is_whole(const Decoder& decoder) { return decoder.state() == Decoder::State::complete; }

std::string quoted(std::string_view text) {
  return protocol::printable(base::as_bytes(text), longest_excerpt);
}

/// "Y or N" for the field of that name; empty if it has no list.
std::string choices_of(const Layout& layout, std::string_view name) {
  std::vector<std::string> letters;
  for (const protocol::Field& field : layout.message().fields) {
    const auto* const choice = field.as<protocol::kinds::ChoiceOf>();
    if (choice == nullptr || field.name != name) continue;
    for (const protocol::Choice& one : choice->choices)
      letters.emplace_back(1, static_cast<char>(one.code));
  }
  return base::either_of(letters);
}

std::string why_not(const Decoder& decoder, ByteView datagram) {
  const protocol::Malformed& error = decoder.error();
  if (const std::string choices = choices_of(decoder.layout(), error.field); !choices.empty())
    return fmt::format("{} at byte {} is {}; expected {}", error.field, error.offset,
                       quoted(base::as_text(datagram).substr(error.offset, 1)), choices);
  if (!decoder.error().field.empty()) return why_malformed(decoder);
  const std::size_t left = datagram.size() - decoder.size();
  return fmt::format("{} left over behind {}, at byte {}",
                     left == 1 ? "1 byte is" : fmt::format("{} bytes are", left),
                     decoder.layout().name(), decoder.size());
}

/// The operation whose command is meant, spelled right or not; null if none is.
const Operation* nearest_command(const Format& format, std::string_view body) {
  const std::string_view words = without_blanks(body);
  const std::string_view word = words.substr(0, words.find_first_of(" \n"));
  for (const Operation& operation : format.dialect().operations) {
    const std::string_view command = trimmed(spelling_of(format.request(operation)));
    if (base::equal_ignoring_case(word, command)) return &operation;
  }
  return nullptr;
}

std::string commands_of(const protocol::Dialect& dialect) {
  std::vector<std::string> names;
  for (const Operation& operation : dialect.operations) names.emplace_back(operation.name);
  return base::either_of(names);
}

bool is_digits(std::string_view text) { return protocol::text::is_tag(text); }

std::string why_no_command(const Format& format, ByteView datagram) {
  const std::string_view body = body_of(datagram);
  const std::string commands = commands_of(format.dialect());
  if (datagram.empty()) return fmt::format("the datagram is empty; expected {}", commands);
  if (body.empty() || is_digits(body))
    return fmt::format("the request id has no command behind it; expected {}", commands);
  const std::string_view word = trimmed(without_blanks(body));
  if (word.starts_with('-') && is_digits(word.substr(1)))
    return fmt::format("{} is not a request id; expected digits and one blank", quoted(word));
  return fmt::format("{} is not a command; expected {}", quoted(word), commands);
}

/// Says why the command that is meant is not one.
std::string why_not_command(const Decoder& decoder, ByteView datagram) {
  const std::string_view body = body_of(datagram);
  const std::string_view spelling = spelling_of(decoder.layout());
  const std::string_view command = trimmed(spelling);
  if (body.starts_with(' '))
    return fmt::format("a blank stands before {}; expected it {}", command,
                       body.size() == datagram.size() ? "at the beginning"
                                                      : "behind one blank after the request id");
  if (!body.starts_with(command))
    return fmt::format("{} is not a command: letters are told apart by case; expected \"{}\"",
                       quoted(trimmed(body)), command);
  if (!body.starts_with(spelling))
    return fmt::format("{} has no key; expected a blank and a key behind it", command);
  return why_not(decoder, datagram);
}

std::string openings_of(const Format& format) {
  std::vector<std::string> all;
  for (const Operation& operation : format.dialect().operations)
    all.push_back(fmt::format("\"{}\"", spelling_of(format.reply(operation))));
  return base::either_of(all);
}

}  // namespace

Recognised as_request(const Format& format, ByteView datagram) {
  const Operation* const operation = nearest_command(format, body_of(datagram));
  if (operation == nullptr) {
    std::string why = why_no_command(format, datagram);
    const Recognised reply = as_reply(format, datagram);
    if (reply.is_message()) why += fmt::format(" (it is a reply to {})", reply.operation->name);
    return {nullptr, std::move(why)};
  }
  const Layout layout = format.request(*operation);
  const Decoder decoder = decoded(layout, datagram);
  if (is_whole(decoder)) return {operation, {}};
  return {operation, why_not_command(decoder, datagram)};
}

Recognised as_reply_to(const Format& format, const Operation& operation, ByteView datagram) {
  const Layout layout = format.reply(operation);
  const Decoder decoder = decoded(layout, datagram);
  if (is_whole(decoder)) return {&operation, {}};
  return {&operation, why_not(decoder, datagram) + hint_for_reply(format, operation, datagram)};
}

Recognised as_reply(const Format& format, ByteView datagram) {
  const std::string_view body = body_of(datagram);
  for (const Operation& operation : format.dialect().operations) {
    const Layout layout = format.reply(operation);
    const std::string_view opening = spelling_of(layout);
    if (body.starts_with(opening) || body == trimmed(opening))
      return as_reply_to(format, operation, datagram);
  }
  std::string why = datagram.empty() ? "the datagram is empty; expected a reply"
                                     : fmt::format("{} begins no reply; expected {}", quoted(body),
                                                   openings_of(format));
  const Operation* const command = nearest_command(format, body);
  if (command != nullptr && is_whole(decoded(format.request(*command), datagram)))
    why += fmt::format(" (it is a request, {})", command->name);
  return {nullptr, std::move(why)};
}

std::optional<Side> sender_of(const Format& format, ByteView datagram) {
  if (as_request(format, datagram).is_message()) return Side::client;
  if (as_reply(format, datagram).is_message()) return Side::server;
  return std::nullopt;
}

Side likely_sender_of(const Format& format, ByteView datagram) {
  if (const auto sender = sender_of(format, datagram)) return *sender;
  const bool near_reply = as_reply(format, datagram).operation != nullptr;
  const bool near_request = as_request(format, datagram).operation != nullptr;
  return near_reply && !near_request ? Side::server : Side::client;
}

std::optional<protocol::When> unanswered_by(const Format& format,
                                            const protocol::MessageView& request) {
  const protocol::Readings& readings = format.readings();
  const protocol::FieldValue* const key = request.find("key");
  if (key != nullptr && key->length == 0 && readings.holds({"empty-key", "silence"}))
    return protocol::When{"empty-key", "key"};
  if (request.bytes().size() > protocol::ratelimit::longest_request &&
      readings.holds({"long-request", "silence"}))
    return protocol::When{"long-request", "read"};
  return std::nullopt;
}

std::vector<std::string> contradictions_in(const protocol::MessageView& message) {
  std::vector<std::string> found;
  const auto has = [&](protocol::FieldName field) { return message.find(field) != nullptr; };
  const auto digits = [&](protocol::FieldName field) {
    return base::as_text(message.bytes_of(field));
  };
  if (has("over") && has("rate") && has("limit")) {
    // Both are printed in tenths: each may have been up to half a tenth more or less.
    const std::uint64_t rate = message.number("rate");
    const std::uint64_t limit = message.number("limit");
    const bool over = message.number("over") == 'Y';
    if (over && rate + 1 < limit)
      found.push_back(fmt::format("over is Y though the rate {} is below the limit {}",
                                  digits("rate"), digits("limit")));
    if (!over && rate > limit + 1)
      found.push_back(fmt::format("over is N though the rate {} is above the limit {}",
                                  digits("rate"), digits("limit")));
  }
  if (has("period") && message.number("period") == 0)
    found.emplace_back("the period is 0 seconds; expected at least 1");
  if (has("n_over") && has("n_req") && message.number("n_over") > message.number("n_req"))
    found.push_back(fmt::format("n_over is {}, more than the {} uses of n_req", digits("n_over"),
                                digits("n_req")));
  return found;
}

}  // namespace hallmark::captures
