#include "clients/judge/request_judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "protocol/annotate.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::clients {
namespace {

using protocol::Decoder;
using protocol::FieldValue;
using protocol::Layout;
namespace kinds = protocol::kinds;

/// The number of whole requests that bytes consist of, one after the other; `clean` if they hold
/// nothing else.
struct ReadRequests {
  std::size_t requests = 0;
  bool clean = true;
};

ReadRequests read_as(const protocol::Dialect& dialect, protocol::Width width,
                     const protocol::Readings& readings, base::ByteView bytes) {
  ReadRequests read;
  while (!bytes.empty()) {
    const auto* const operation = protocol::operation_of(dialect, bytes);
    if (operation == nullptr) return {read.requests, false};
    Decoder decoder(Layout::request(*operation, width, readings));
    const auto state = decoder.resume(bytes);
    if (state == Decoder::State::malformed) return {read.requests, false};
    if (state == Decoder::State::need_more) return {read.requests, false};
    ++read.requests;
    bytes = bytes.subspan(decoder.size());
  }
  return read;
}

/// The bytes of the field that says which request this is; empty where there is none.
base::ByteView id_of(const Decoder& decoder, base::ByteView bytes) {
  for (const FieldValue& value : decoder.fields()) {
    if (std::string_view(value.field->name) == "request_id" && !value.absent())
      return bytes.subspan(value.offset, value.length);
  }
  return {};
}

}  // namespace

const std::vector<std::string_view>& RequestJudge::clauses() {
  static const std::vector<std::string_view> all = {"client.operations",
                                                    "client.width",
                                                    "client.whole-requests",
                                                    "client.listed-values",
                                                    "client.request-ids",
                                                    "client.takes-replies",
                                                    "client.id",
                                                    "client.id-unused",
                                                    "client.commands"};
  return all;
}

OtherFormat other_format_of(const Format& format, base::ByteView bytes) {
  std::vector<const protocol::Dialect*> dialects = {&format.dialect()};
  for (const protocol::Dialect* const dialect : protocol::throttr_dialects) {
    if (dialect != &format.dialect()) dialects.push_back(dialect);
  }
  for (const protocol::Dialect* const dialect : dialects) {
    const bool same = dialect == &format.dialect();
    const protocol::Readings readings =
        same ? format.readings : protocol::Readings(*dialect, protocol::Profile::deployed);
    for (const protocol::Width width : dialect->widths) {
      if (same && width == format.width) continue;
      const ReadRequests read = read_as(*dialect, width, readings, bytes);
      if (!read.clean || read.requests == 0) continue;
      return {fmt::format("{} at {}", dialect->name, protocol::name_of(width)), !same,
              read.requests};
    }
  }
  return {};
}

RequestJudge::History* RequestJudge::history_of(std::uint64_t connection) {
  if (histories_.size() >= most_connections && !histories_.contains(connection)) return nullptr;
  return &histories_[connection];
}

void RequestJudge::breach(std::string_view clause, std::uint64_t connection, std::string what,
                          base::ByteView bytes) {
  if (protocol::find_clause(format_.dialect(), clause) == nullptr) return;
  if (std::ranges::find(breaches_, clause, &Breach::clause) != breaches_.end()) return;
  const History* const history = history_of(connection);
  const base::ByteView kept = bytes.first(std::min(bytes.size(), Breach::most_bytes));
  breaches_.push_back({std::string(clause), connection, history == nullptr ? 0 : history->requests,
                       std::move(what), base::Bytes(kept.begin(), kept.end())});
}

void RequestJudge::received(std::uint64_t connection, base::ByteView bytes) {
  History* const history = history_of(connection);
  if (history == nullptr) return;
  const std::size_t room = most_history - std::min(most_history, history->bytes.size());
  base::append(history->bytes, bytes.first(std::min(room, bytes.size())));
}

void RequestJudge::request(std::uint64_t connection, const protocol::Operation& operation,
                           base::ByteView bytes) {
  if (History* const history = history_of(connection)) ++history->requests;
  check_choices(connection, operation, bytes);
  check_id(connection, operation, bytes);
}

void RequestJudge::check_choices(std::uint64_t connection, const protocol::Operation& operation,
                                 base::ByteView bytes) {
  Decoder decoder(Layout::request(operation, format_.width, format_.readings),
                  {.refuse_unlisted = false});
  decoder.resume(bytes);
  for (const FieldValue& value : decoder.fields()) {
    const auto* const choice = value.field->as<kinds::ChoiceOf>();
    if (choice == nullptr || protocol::find_choice(choice->choices, value.number) != nullptr)
      continue;
    breach("client.listed-values", connection,
           fmt::format("{} of {} is {:02x}; expected a listed value",
                       std::string_view(value.field->name), std::string_view(operation.name),
                       value.number),
           bytes);
  }
}

void RequestJudge::check_id(std::uint64_t connection, const protocol::Operation& operation,
                            base::ByteView bytes) {
  Decoder decoder(Layout::request(operation, format_.width, format_.readings),
                  {.refuse_unlisted = false});
  decoder.resume(bytes);
  const base::ByteView id = id_of(decoder, bytes);
  const bool text = format_.dialect().transport == protocol::Transport::datagram;
  if (id.empty()) {
    if (text)
      breach("client.id", connection,
             fmt::format("{} without a request id; expected a number and a space before it",
                         std::string_view(operation.name)),
             bytes);
    return;
  }
  History* const history = history_of(connection);
  if (history == nullptr || history->waiting.insert(std::string(base::as_text(id))).second) return;
  breach(text ? "client.id-unused" : "client.request-ids", connection,
         fmt::format("request id {} is used again while the request with it waits for its reply",
                     text ? base::printable(base::as_text(id)) : base::to_hex(id)),
         bytes);
}

void RequestJudge::answered(std::uint64_t connection, base::ByteView request) {
  const auto* const operation = requested_by(format_, request);
  History* const history = history_of(connection);
  if (operation == nullptr || history == nullptr) return;
  Decoder decoder(Layout::request(*operation, format_.width, format_.readings),
                  {.refuse_unlisted = false});
  decoder.resume(request);
  history->waiting.erase(std::string(base::as_text(id_of(decoder, request))));
}

void RequestJudge::not_a_request(std::uint64_t connection, base::ByteView rest) {
  if (format_.dialect().transport == protocol::Transport::datagram) {
    return breach("client.commands", connection,
                  fmt::format("{} is not a request; expected one of the listed commands, and a key "
                              "where it needs one",
                              protocol::printable(rest)),
                  rest);
  }
  const History* const history = history_of(connection);
  const OtherFormat other =
      history == nullptr ? OtherFormat{} : other_format_of(format_, history->bytes);
  const std::string first =
      fmt::format("no request of {} at {} begins with {:02x}", format_.dialect().name,
                  protocol::name_of(format_.width), rest.front());
  if (other.name.empty()) {
    return breach("client.operations", connection,
                  first + "; or a size before it is not that of its bytes", rest);
  }
  breach(other.other_dialect ? "client.operations" : "client.width", connection,
         fmt::format("{}; as {} the bytes so far are {}", first, other.name,
                     base::counted(other.requests, "request", "requests")),
         rest);
}

void RequestJudge::ended(std::uint64_t connection, base::ByteView left) {
  if (left.empty()) return;
  const History* const history = history_of(connection);
  const OtherFormat other =
      history == nullptr ? OtherFormat{} : other_format_of(format_, history->bytes);
  const std::string text = fmt::format("{} sent and no whole request made of them",
                                       base::counted(left.size(), "byte was", "bytes were"));
  if (other.name.empty())
    return breach("client.whole-requests", connection, "at the end of the connection " + text,
                  left);
  breach(other.other_dialect ? "client.operations" : "client.width", connection,
         fmt::format("{}; as {} all bytes are {}", text, other.name,
                     base::counted(other.requests, "request", "requests")),
         left);
}

void RequestJudge::left_replies(std::uint64_t connection) {
  breach("client.takes-replies", connection,
         "the connection was ended before every reply had been taken", {});
}

}  // namespace hallmark::clients
