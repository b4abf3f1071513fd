#include "conformance/drivers/datagram/attempt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/isolation/waiting.hpp"
#include "conformance/judgement/field_code.hpp"
#include "protocol/annotate.hpp"
#include "protocol/codec/encode.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using protocol::Layout;
using protocol::Record;
using reports::Verdict;

/// The most pings that are sent before the fence counts as lost.
constexpr unsigned most_fences = 4;
/// The most times that a request is sent if it changes nothing.
constexpr unsigned most_askings = 4;
/// The most times that bytes are sent if silence is the expected reply: they may get lost on the
/// way. On a path that disturbed some, they are sent more often.
constexpr unsigned copies = 3;
constexpr unsigned copies_on_a_bad_path = 8;
/// The wait for a reply, in longest round trips seen so far. A reply that comes later is not
/// judged; the request is sent again.
constexpr Time round_trips_waited = 4;

std::unique_ptr<DatagramLink> open_link(DatagramContext& context) {
  auto link = context.network.open();
  if (!link) end_unreachable(link.error());
  return std::move(*link);
}

/// Asked twice, it counts twice.
bool counts_uses(const protocol::Operation& operation) { return operation.name == "over_limit"; }

Bytes encoded(const Layout& layout, const Record& fields) {
  auto bytes = protocol::encode(layout, fields);
  if (!bytes) {
    end_case(Verdict::error, fmt::format("a request of the case cannot be made: {} {}",
                                         bytes.error().field, bytes.error().reason));
  }
  return std::move(*bytes);
}

}  // namespace

Attempt::Attempt(DatagramContext& context, std::string name, unsigned number, bool last)
    : context_(context),
      name_(std::move(name)),
      number_(number),
      last_(last),
      evidence_(std::make_unique<Evidence>()),
      mail_(context, *evidence_, "c1", open_link(context)) {
  evidence_->start(now());
}

void Attempt::wait_until(Time until) {
  constexpr Time step = 50'000'000;  // a run that is stopped ends soon
  while (now() < until) {
    if (context_.stopped()) skip("the run was stopped");
    context_.network.wait_until(std::min(until, now() + step));
  }
}

std::string Attempt::own_key(std::string_view part) const {
  return fmt::format("hallmark:{}:{}:{}{}{}", context_.nonce, name_, number_,
                     part.empty() ? "" : ":", part);
}

Time Attempt::pause() const {
  const Time most = context_.patience.allowance();
  const Time paced = (context_.round_trip * round_trips_waited + 1'000'000) << number_;
  return last_ ? most : std::min(most, paced);
}

Letter Attempt::letter_of(const protocol::Operation& operation, Record fields, std::string id) {
  if (!id.empty()) fields.set("request_id", base::to_bytes(id));
  const Layout layout = format().request(operation);
  return {encoded(layout, fields), std::move(id), layout, format().reply(operation)};
}

/// The reply; null where a ping that was sent after the request is answered and the request is not.
const Received* Attempt::reply_or_fence(Ticket ticket, std::string_view what) {
  const Time begun = now();
  if (const Received* const reply = mail_.wait_for_reply(ticket, begun + pause())) return reply;
  if (last_) context_.patience.spend(now() - begun);
  fence(what, ticket);
  return mail_.reply_to(ticket);
}

/// Sends pings until one is answered, or `stop_at` is, or it is in vain. Each is waited for twice
/// as long as the one before, and no longer than a deadline.
void Attempt::fence(std::string_view what, std::optional<Ticket> stop_at) {
  const protocol::Operation& ping = format().operation("ping");
  const InVain in_vain = while_stuck(context_.network.supervisor());
  unsigned lost = 0;
  for (unsigned i = 0; i < most_fences && (i == 0 || !in_vain()); ++i) {
    const Ticket ticket = mail_.send(letter_of(ping, {}, mail_.new_id()));
    const Time begun = now();
    const Time wait = std::min(pause() << i, context_.patience.deadline());
    if (const Received* const reply = mail_.wait_for_reply(ticket, begun + wait)) {
      context_.round_trip = std::max(context_.round_trip, reply->window.latest - begun);
      return context_.path.note_pings(lost + 1, lost);
    }
    if (stop_at && mail_.reply_to(*stop_at) != nullptr)
      return context_.path.note_pings(lost + 1, lost);
    mail_.give_up(ticket);
    ++lost;
    if (last_) context_.patience.spend(now() - begun);
  }
  // A process that was started here is near: when it answers nothing at all, the path is not why.
  if (context_.network.supervisor() == nullptr) context_.path.note_pings(lost, lost);
  throw Unanswered{std::string(what), true};
}

Message Attempt::ask(protocol::MessageName operation, const Record& fields) {
  const protocol::Operation& asked = format().operation(operation);
  const unsigned tries = counts_uses(asked) ? 1 : most_askings;
  for (unsigned i = 0; i < tries; ++i) {
    if (auto message = reply_to(letter_of(asked, fields, mail_.new_id())))
      return std::move(*message);
  }
  throw Unanswered{std::string(operation), false};
}

Message Attempt::ask_plainly(protocol::MessageName operation, Record fields) {
  return message_of(letter_of(format().operation(operation), std::move(fields), {}));
}

Message Attempt::ask_exactly(protocol::MessageName operation, Bytes datagram, std::string id) {
  const protocol::Operation& asked = format().operation(operation);
  return message_of(
      {std::move(datagram), std::move(id), format().request(asked), format().reply(asked)});
}

std::optional<Message> Attempt::reply_to(Letter letter) {
  const Layout reply = *letter.reply;
  const std::string id = letter.id;
  const Ticket ticket = mail_.send(std::move(letter));
  const Received* const received = reply_or_fence(ticket, reply.name());
  refuse_stray();
  if (received == nullptr) {
    mail_.give_up(ticket);
    return std::nullopt;
  }
  Message message = decoded(reply, *received);
  judge_id(message, id);
  return message;
}

Message Attempt::message_of(Letter letter) {
  const std::string name(letter.reply->name());
  auto message = reply_to(std::move(letter));
  if (!message) throw Unanswered{name, false};
  return std::move(*message);
}

std::optional<Message> Attempt::try_once(protocol::MessageName operation, Record fields) {
  return reply_to(letter_of(format().operation(operation), std::move(fields), mail_.new_id()));
}

Correspondence& Attempt::further_socket(std::string name) {
  return further_.emplace_back(context_, *evidence_, std::move(name), open_link(context_));
}

Correspondence::Ticket Attempt::send_on(Correspondence& socket, protocol::MessageName operation,
                                        Record fields) {
  return socket.send(letter_of(format().operation(operation), std::move(fields), socket.new_id()));
}

std::optional<Message> Attempt::reply_on(Correspondence& socket, Ticket ticket,
                                         protocol::MessageName operation) {
  const Time begun = now();
  const Received* const received = socket.wait_for_reply(ticket, begun + pause());
  refuse_stray_on(socket);
  if (received != nullptr) return decoded(format().reply(format().operation(operation)), *received);
  if (last_) context_.patience.spend(now() - begun);
  socket.give_up(ticket);
  return std::nullopt;
}

Message Attempt::decoded(const Layout& layout, const Received& received) {
  protocol::Decoder decoder(layout);
  if (decoder.resume(received.bytes) != protocol::Decoder::State::complete) {
    const protocol::Malformed& error = decoder.error();
    evidence_->mark({{error.field, error.offset, received.bytes.size() - error.offset,
                      fmt::format("a reply to {}", layout.name()), error.reason}},
                    std::nullopt);
    fail(code_of_malformed(layout, error),
         fmt::format("the reply to {} is malformed: {}{}{} (at byte {})", layout.name(),
                     error.field, error.field.empty() ? "" : " ", error.reason, error.offset));
  }
  return {std::move(decoder), received.bytes, received.window};
}

void Attempt::judge_id(const Message& message, const std::string& id) {
  const std::string got(base::as_text(message.view().bytes_of("request_id")));
  if (got == id) return;
  refuse(message, "request_id", id.empty() ? "nothing" : id,
         fmt::format("the reply has the request id '{}', not '{}'", got, id));
}

void Attempt::refuse_stray() {
  if (mail_.stray() == nullptr) return;
  fail({.kind = Code::Kind::surplus}, fmt::format("a datagram came that answers no request: {}",
                                                  protocol::printable(*mail_.stray(), 64)));
}

/// All that is asked on further sockets has ids of its own: no loss brings a reply to another one.
void Attempt::refuse_stray_on(const Correspondence& socket) {
  if (socket.stray() == nullptr) return;
  fail_for_certain({.kind = Code::Kind::wrong_recipient},
                   fmt::format("a datagram came to a socket that did not ask for it: {}",
                               protocol::printable(*socket.stray(), 64)));
}

void Attempt::expect_silence(const Bytes& datagram) {
  if (const auto answer = answer_to(datagram, {})) {
    fail({.kind = Code::Kind::surplus},
         fmt::format("{} must not be answered, and the target answered {}",
                     protocol::printable(datagram, 48), protocol::printable(*answer, 48)));
  }
}

std::optional<Bytes> Attempt::answer_to(const Bytes& datagram, const std::string& id) {
  const unsigned most = context_.path.clean() ? copies : copies_on_a_bad_path;
  for (unsigned i = 0; i < most; ++i) {
    const Ticket ticket = mail_.send({datagram, id, std::nullopt, std::nullopt, !id.empty()});
    fence(fmt::format("a ping after {}", protocol::printable(datagram, 24)), ticket);
    mail_.take_arrived();
    if (auto stray = mail_.take_stray()) return stray;
    if (const Received* const reply = mail_.reply_to(ticket)) return reply->bytes;
    silent_.push_back(ticket);
  }
  return std::nullopt;
}

void Attempt::doubt_silence() {
  for (const Ticket ticket : silent_) mail_.give_up(ticket);
}

void Attempt::judge(const Message& message, const Patterns& expected) {
  vectors::Expected whole;
  whole.fields = expected;
  const bool named =
      std::ranges::find(expected, "request_id", &vectors::FieldPattern::field) != expected.end();
  if (!named && message.view().find("request_id") != nullptr)
    whole.fields.insert(whole.fields.begin(), any("request_id"));
  vectors::Context none;
  auto mismatches = vectors::match(whole, message.view(), none);
  if (!mismatches.empty()) refuse(message, std::move(mismatches), std::nullopt);
}

void Attempt::refuse(const Message& message, std::vector<vectors::Mismatch> mismatches,
                     std::optional<Bytes> expected) {
  const vectors::Mismatch first = mismatches.front();
  evidence_->mark(std::move(mismatches), std::move(expected));
  fail(code_of(message.view(), first),
       fmt::format("{}.{} is {}, expected {}", message.layout().name(), first.field, first.received,
                   first.expected));
}

void Attempt::refuse(const Message& message, protocol::FieldName field, std::string expected,
                     std::string reason, std::string likely_cause) {
  const protocol::FieldValue* const value = message.view().find(field);
  const std::size_t offset = value == nullptr ? 0 : value->offset;
  const std::size_t length = value == nullptr ? 0 : value->length;
  const vectors::Mismatch mismatch{std::string(field), offset, length, std::move(expected), {}};
  evidence_->mark({mismatch}, std::nullopt);
  fail_case(code_of(message.view(), mismatch), std::move(reason), std::move(likely_cause));
}

void Attempt::fail(std::string reason) { end_case(Verdict::fail, std::move(reason)); }

void Attempt::fail(Code code, std::string reason) { fail_case(std::move(code), std::move(reason)); }

void Attempt::fail_for_certain(Code code, std::string reason) {
  certain_ = true;
  fail(std::move(code), std::move(reason));
}

void Attempt::skip(std::string reason) { end_case(Verdict::skipped, std::move(reason)); }

void Attempt::require(bool condition, std::string_view reason) {
  if (!condition) fail(std::string(reason));
}

void Attempt::settle() {
  fence("a ping");
  mail_.take_arrived();
  refuse_stray();
  for (Correspondence& socket : further_) {
    socket.take_arrived();
    refuse_stray_on(socket);
  }
}

}  // namespace hallmark::conformance
