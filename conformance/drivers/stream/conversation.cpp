#include "conformance/drivers/stream/conversation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/isolation/canary.hpp"
#include "conformance/isolation/waiting.hpp"
#include "conformance/judgement/diagnosis.hpp"
#include "conformance/judgement/field_code.hpp"
#include "conformance/supervisor/supervisor.hpp"
#include "protocol/annotate.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/throttr_words.hpp"

namespace hallmark::conformance {
namespace {

using base::ByteView;
using protocol::Layout;
using vectors::Mismatch;

/// The channel that some dialects make every connection a subscriber of.
constexpr std::string_view everyones_channel = "*";

/// Returns the expected message, with the target's own values in all fields that it is free to
/// choose.
std::optional<base::Bytes> filled(const Message& message, const Patterns& expected) {
  protocol::Record record = message.view().record();
  for (const vectors::FieldPattern& pattern : expected) {
    if (pattern.match == vectors::Match::set_of) return std::nullopt;
    if (pattern.match == vectors::Match::equals)
      record.set(protocol::FieldName::unchecked(pattern.field), pattern.value);
  }
  auto bytes = protocol::encode(message.layout(), record);
  if (!bytes) return std::nullopt;
  return std::move(*bytes);
}

/// A message that is as expected; nothing where the expectation does not name all of its fields.
std::optional<base::Bytes> exemplar(const Layout& layout, const Patterns& expected,
                                    std::optional<std::uint64_t> id) {
  protocol::Record record;
  if (id) record.set("request_id", *id);
  for (const vectors::FieldPattern& pattern : expected) {
    if (pattern.match == vectors::Match::equals)
      record.set(protocol::FieldName::unchecked(pattern.field), pattern.value);
    if (pattern.match == vectors::Match::range)
      record.set(protocol::FieldName::unchecked(pattern.field), pattern.max);
  }
  auto bytes = protocol::encode(layout, record);
  if (!bytes) return std::nullopt;
  return std::move(*bytes);
}

std::string in_one_line(const Layout& layout, const std::vector<Mismatch>& mismatches) {
  const Mismatch& first = mismatches.front();
  std::string reason =
      first.field.empty()
          ? fmt::format("{}: {}, expected {}", layout.name(), first.received, first.expected)
          : fmt::format("{}: {} is {}, expected {}", layout.name(), first.field, first.received,
                        first.expected);
  if (mismatches.size() > 1) reason += fmt::format(" (and {} more fields)", mismatches.size() - 1);
  return reason;
}

base::Bytes joined(std::span<const Outgoing> requests) {
  base::Bytes all;
  for (const Outgoing& request : requests)
    all.insert(all.end(), request.bytes.begin(), request.bytes.end());
  return all;
}

/// A wrong listing stops making sense, or seems to lack something, at a place that depends on what
/// it lists: its code names no field, and is the same in both cases.
bool is_listing(const Layout& layout) {
  return std::ranges::any_of(layout.message().on_success, [](const protocol::Field& field) {
    return field.is<protocol::kinds::Group>();
  });
}

}  // namespace

std::unique_ptr<Link> open_link(RunContext& context) {
  const Time started = context.network.now();
  const Time until = started + context.allowance();
  LinkResult link = context.network.connect(until);
  const Time ended = context.network.now();
  if (link) {
    context.patience.connected_in(ended - started);
    return std::move(*link);
  }
  if (ended >= until) context.patience.spend(until - started);
  end_unreachable(link.error());
}

Conversation::Conversation(RunContext& context, Evidence* evidence, std::string name,
                           std::unique_ptr<Link> link)
    : context_(context), evidence_(evidence), name_(std::move(name)), link_(std::move(link)) {}

Conversation::~Conversation() { judge_rest(); }

/// Notes the bytes that nobody took for a message.
void Conversation::judge_rest() {
  if (!buffered().empty()) context_.network.judged("rest", buffered());
}

Outgoing Conversation::labelled(const Outgoing& request) {
  Outgoing sent = request;
  if (!sent.id_at) return sent;
  protocol::store_little_endian(sent.bytes.data() + sent.id_at->offset, context_.next_serial(),
                                sent.id_at->length);
  sent.id_at.reset();
  return sent;
}

void Conversation::write(ByteView bytes) {
  last_sent_ = context_.network.now();
  const Time allowance = context_.allowance();
  if (link_->send(bytes, last_sent_ + allowance) != Dispatch::timed_out) return;
  // A target that ended the connection is found out when its reply is read.
  context_.patience.spend(allowance);
  fail_case({.kind = Code::Kind::unread}, fmt::format("the target took no bytes on {}", name_));
}

void Conversation::expect_reply(const Outgoing& request) {
  const protocol::Operation& operation = *request.operation;
  if (operation.name == "SUBSCRIBE" || operation.name == "UNSUBSCRIBE") note_channel(request);
  if (context_.format.reply(operation).sent())
    pending_.push_back({&operation, last_sent_, asked_++, request_id(context_.format, request)});
}

void Conversation::note_channel(const Outgoing& request) {
  protocol::Decoder decoder(context_.format.request(*request.operation));
  if (decoder.resume(request.bytes) != protocol::Decoder::State::complete) return;
  const ByteView name = protocol::MessageView(decoder, request.bytes).bytes_of("channel");
  const base::Bytes channel(name.begin(), name.end());
  if (request.operation->name == "UNSUBSCRIBE") {
    channels_.erase(channel);
  } else {
    subscribed_ = true;
    channels_.insert(channel);
  }
}

void Conversation::leave_channels() {
  std::vector<Outgoing> requests;
  for (const base::Bytes& channel : channels_) {
    requests.push_back(encoded(context_.format, unsubscribe(base::as_text(channel))));
  }
  if (requests.empty()) return;
  send_together(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) reply();
}

void Conversation::send(const Request& request) {
  const Outgoing outgoing = encoded(context_.format, request);
  send_together({&outgoing, 1});
}

std::vector<Outgoing> Conversation::labelled(std::span<const Outgoing> requests) {
  std::vector<Outgoing> all;
  for (const Outgoing& request : requests) {
    all.push_back(labelled(request));
    if (evidence_ == nullptr) continue;
    evidence_->sent(name_, context_.format.request(*request.operation), all.back().bytes,
                    context_.network.now());
  }
  return all;
}

void Conversation::send_together(std::span<const Outgoing> requests) {
  const std::vector<Outgoing> sent = labelled(requests);
  write(joined(sent));
  for (const Outgoing& request : sent) expect_reply(request);
}

void Conversation::send_ahead(std::span<const Outgoing> requests) {
  const std::vector<Outgoing> sent = labelled(requests);
  unsent_ = joined(sent);
  unsent_head_ = 0;
  last_sent_ = context_.network.now();
  for (const Outgoing& request : sent) expect_reply(request);
  send_more();
}

bool Conversation::send_more() {
  const std::size_t taken = link_->offer(ByteView(unsent_).subspan(unsent_head_));
  unsent_head_ += taken;
  return taken > 0;
}

void Conversation::send_rest() {
  write(ByteView(unsent_).subspan(unsent_head_));
  unsent_ = {};
  unsent_head_ = 0;
}

void Conversation::send_cut(const Outgoing& request, std::span<const std::size_t> cuts,
                            const std::function<void()>& between) {
  const Outgoing sent = labelled(request);
  if (evidence_ != nullptr) {
    evidence_->sent(name_, context_.format.request(*sent.operation), sent.bytes,
                    context_.network.now(), cuts);
  }
  std::size_t at = 0;
  for (const std::size_t cut : cuts) {
    write(ByteView(sent.bytes).subspan(at, cut - at));
    at = cut;
    const Counted owed(context_.halves);
    between();
  }
  write(ByteView(sent.bytes).subspan(at));
  expect_reply(sent);
}

Outgoing Conversation::start(const Outgoing& request, std::size_t bytes) {
  Outgoing sent = labelled({&request, 1}).front();
  if (bytes > 0) write(ByteView(sent.bytes).first(bytes));
  return sent;
}

void Conversation::complete(const Outgoing& started, std::size_t bytes) {
  write(ByteView(started.bytes).subspan(bytes));
  expect_reply(started);
}

Outgoing Conversation::complete_and_start(const Outgoing& started, std::size_t bytes,
                                          const Outgoing& next, std::size_t bytes_of_next) {
  Outgoing sent = labelled({&next, 1}).front();
  base::Bytes segment(started.bytes.begin() + static_cast<std::ptrdiff_t>(bytes),
                      started.bytes.end());
  segment.insert(segment.end(), sent.bytes.begin(),
                 sent.bytes.begin() + static_cast<std::ptrdiff_t>(bytes_of_next));
  write(segment);
  expect_reply(started);
  return sent;
}

void Conversation::send_raw(ByteView bytes) {
  if (evidence_ != nullptr) evidence_->sent(name_, std::nullopt, bytes, context_.network.now());
  write(bytes);
}

Message Conversation::reply() {
  while (!replies_.contains(answered_)) {
    if (pending_.empty()) surplus("a reply was waited for that no request asked for");
    read_message();
  }
  auto reply = replies_.extract(answered_++);
  return std::move(reply.mapped());
}

Message Conversation::reply(const Patterns& expected) {
  try {
    Message message = reply();
    judge(message, expected);
    return message;
  } catch (const CaseEnded&) {
    if (evidence_ != nullptr && !pending_.empty()) {
      const Pending& due = pending_.front();
      const auto layout = context_.format.reply(*due.operation);
      if (auto example = exemplar(layout, fitted(layout, expected), due.id))
        evidence_->expect_instead(std::move(*example));
    }
    throw;
  }
}

std::optional<Message> Conversation::unless_ended(Message (Conversation::*next)()) {
  try {
    return (this->*next)();
  } catch (const CaseEnded& ended) {
    if (!ended.judgement().ended_between_messages) throw;
    return std::nullopt;
  }
}

Message Conversation::ask(const Request& request) {
  send(request);
  return reply();
}

Message Conversation::ask(const Request& request, const Patterns& expected) {
  send(request);
  return reply(expected);
}

Message Conversation::delivery() {
  while (pushes_.empty()) read_message();
  Message message = std::move(pushes_.front());
  pushes_.pop_front();
  return message;
}

void Conversation::delivery(std::string_view channel, std::string_view payload) {
  judge(delivery(), {is("channel", channel), is("payload", payload)});
}

std::string Conversation::awaited() const {
  return pending_.empty() ? "a delivery"
                          : fmt::format("the reply to {}", pending_.front().operation->name);
}

/// The push that the next byte starts; null when it starts none. Where a reply is due that may
/// start with that byte, it is taken for that.
const protocol::Push* Conversation::next_push() const {
  if (buffered().empty() || !(subscribed_ || context_.format.subscribes_everyone())) return nullptr;
  const bool could_be_reply =
      !pending_.empty() &&
      context_.format.reply(*pending_.front().operation).can_start_with(buffered().front());
  return could_be_reply ? nullptr : protocol::push_of(context_.format.dialect(), buffered());
}

Layout Conversation::next_layout() {
  if (const protocol::Push* const push = next_push()) return context_.format.layout_of(*push);
  if (!pending_.empty()) return context_.format.reply(*pending_.front().operation);
  if (!buffered().empty()) surplus("the target sent bytes that no request asked for");
  const auto& pushes = context_.format.dialect().pushes;
  if (pushes.empty()) surplus("a delivery was waited for, and the dialect has none");
  return context_.format.layout_of(pushes.front());
}

/// If replies come in any order, moves the request that the next reply answers to the front; the id
/// at its beginning tells which one that is.
void Conversation::bring_answered_forward(Time& until) {
  if (!context_.format.reads({"reply-order", "any-order"}) || pending_.size() < 2) return;
  const Layout layout = next_layout();
  auto id = place_of_id(layout, buffered());
  for (; !id; id = place_of_id(layout, buffered())) fill(layout, until);
  const auto asked = std::ranges::find(pending_, std::optional(id->number), &Pending::id);
  if (asked != pending_.end()) std::rotate(pending_.begin(), asked, asked + 1);
}

void Conversation::read_message() {
  if (context_.stopped()) end_case(reports::Verdict::skipped, "the run was over before its end");
  // The wait is for the whole message, so that a byte now and then does not prolong it.
  waiting_since_ = context_.network.now();
  Time until = waiting_since_ + context_.allowance(waits_for());
  if (buffered().empty()) fill(next_layout(), until);
  bring_answered_forward(until);
  protocol::Decoder decoder(next_layout(), {.max_bytes = context_.max_reply_bytes});
  for (;;) {
    switch (decoder.resume(buffered())) {
      case protocol::Decoder::State::complete: return take(std::move(decoder));
      case protocol::Decoder::State::malformed: malformed(decoder);
      case protocol::Decoder::State::need_more: fill(decoder.layout(), until);
    }
  }
}

Arrival Conversation::receive(Time& until) {
  const bool looks_for_hangs = !pending_.empty() && wait_ == Wait::to_the_deadline;
  if (wait_ == Wait::briefly)
    until = std::min(until, waiting_since_ + context_.patience.deadline() / 3);
  const Arrival arrival =
      looks_for_hangs ? receive_if_anybody_does(until) : link_->receive(buffer_, until);
  if (arrival != Arrival::timed_out) return arrival;
  return receive_from_starved(context_, *link_, buffer_, waiting_since_, until);
}

/// Nobody has to wait to the end for a target that answers nobody; to find that out is no part of
/// the wait.
Arrival Conversation::receive_if_anybody_does(Time& until) {
  const Time suspicious = context_.network.now() + context_.suspicion();
  if (suspicious >= until) return link_->receive(buffer_, until);
  const Arrival arrival = receive_unless_in_vain(context_, *link_, buffer_, suspicious);
  if (arrival != Arrival::timed_out || context_.network.now() >= until) return arrival;
  const Time before = context_.network.now();
  if (!answers_others(context_)) return Arrival::timed_out;
  until += context_.network.now() - before;
  return link_->receive(buffer_, until);
}

void Conversation::fill(const Layout& layout, Time& until) {
  const Arrival arrival = receive(until);
  if (arrival == Arrival::bytes) {
    last_received_ = context_.network.now();
    return;
  }
  if (arrival == Arrival::timed_out)
    context_.patience.spend(context_.network.now() - waiting_since_, waits_for());
  ended(layout, arrival);
}

/// Returns nothing if the reply stood behind others or was left unread for a while.
std::optional<Time> Conversation::time_of_reply(const Pending& pending) const {
  constexpr Time moment = 10'000'000;
  if (pending_.size() > 1 || waiting_since_ > pending.sent + moment) return std::nullopt;
  return last_received_ - std::min(last_received_, pending.sent);
}

void Conversation::take(protocol::Decoder decoder) {
  const ByteView bytes = buffered().first(decoder.size());
  context_.network.judged(decoder.layout().name(), bytes);
  if (evidence_ != nullptr) evidence_->received(name_, decoder.layout(), bytes, last_received_);
  base::Bytes own(bytes.begin(), bytes.end());
  head_ += bytes.size();
  if (head_ == buffer_.size()) {
    buffer_.clear();
    head_ = 0;
  }
  Window window{last_received_, last_received_};
  if (decoder.layout().starts_with_opcode()) {
    Message message(std::move(decoder), std::move(own), window);
    if (!is_for_everyone(message)) pushes_.push_back(std::move(message));
    return;
  }
  const Pending pending = pending_.front();
  context_.answered[pending.operation->opcode] = true;
  window.earliest = pending.sent;
  context_.reply_times.note(time_of_reply(pending));
  Message message(std::move(decoder), std::move(own), window);
  judge_id(message, pending);
  pending_.pop_front();
  replies_.emplace(pending.number, std::move(message));
}

void Conversation::judge_id(const Message& message, const Pending& pending) {
  if (!pending.id || message.number("request_id") == *pending.id) return;
  const protocol::FieldValue& place = *message.view().find("request_id");
  protocol::Record record = message.view().record();
  record.set("request_id", *pending.id);
  refuse(message,
         {{"request_id", place.offset, place.length, fmt::format("{}", *pending.id),
           fmt::format("{}", place.number)}},
         protocol::encode(message.layout(), record).value());
}

/// Anybody may publish to every connection, so no case waits for such a push.
bool Conversation::is_for_everyone(const Message& push) const {
  return context_.format.subscribes_everyone() &&
         base::as_text(push.bytes_of("channel")) == everyones_channel;
}

void Conversation::ended(const Layout& layout, Arrival arrival) {
  if (evidence_ != nullptr && !buffered().empty()) {
    evidence_->broken(name_, layout, buffered(), last_received_, {});
  }
  const std::string part =
      buffered().empty() ? std::string() : fmt::format(" after {} bytes of it", buffered().size());
  Judgement judgement{reports::Verdict::fail, {}, {}, {}};
  const bool silent = arrival == Arrival::timed_out;
  const bool listed = is_listing(layout) && !buffered().empty();
  const Code::Kind unanswered = listed ? Code::Kind::malformed : Code::Kind::silent;
  judgement.code =
      Code{.kind = silent ? unanswered : Code::Kind::closed, .message = std::string(layout.name())};
  if (silent) {
    judgement.reason = fmt::format("the target was silent{} where {} was due", part, awaited());
  } else {
    const std::string_view how = arrival == Arrival::closed ? "closed" : "reset";
    judgement.reason =
        fmt::format("the target {} the connection{} where {} was due", how, part, awaited());
    judgement.ended_between_messages = buffered().empty();
    if (!pending_.empty() && buffered().empty()) {
      judgement.refused_operation = pending_.front().operation->name;
    }
  }
  judgement.likely_cause = likely_cause(context_.format, {layout, buffered(), {}});
  throw CaseEnded(std::move(judgement));
}

void Conversation::malformed(const protocol::Decoder& decoder) {
  const protocol::Malformed& error = decoder.error();
  if (evidence_ != nullptr) {
    evidence_->broken(name_, decoder.layout(), buffered(), last_received_,
                      {{error.field, error.offset, 1, "a legal " + error.field, error.reason}});
  }
  Code code = code_of_malformed(decoder.layout(), error);
  if (is_listing(decoder.layout())) code = {.kind = Code::Kind::malformed, .message = code.message};
  fail_case(std::move(code),
            fmt::format("{} is malformed: {} at byte {}: {}", awaited(), error.field, error.offset,
                        error.reason),
            likely_cause(context_.format, {decoder.layout(), buffered(), {}}));
}

void Conversation::surplus(const std::string& what) {
  const ByteView bytes = buffered();
  if (evidence_ != nullptr && !bytes.empty()) {
    evidence_->received(name_, std::nullopt, bytes, last_received_);
    evidence_->mark(
        {{"surplus", 0, bytes.size(), "nothing", fmt::format("{} bytes", bytes.size())}},
        base::Bytes{});
  }
  fail_case({.kind = Code::Kind::surplus},
            fmt::format("{} on {}: {}", what, name_, protocol::printable(bytes, 16)));
}

void Conversation::judge(const Message& message, const Patterns& expected) {
  vectors::Expected whole;
  whole.fields = fitted(message.layout(), expected);
  vectors::Context none;
  auto mismatches = vectors::match(whole, message.view(), none);
  if (!mismatches.empty()) refuse(message, std::move(mismatches), filled(message, whole.fields));
}

void Conversation::refuse(const Message& message, protocol::FieldName field, std::string expected,
                          std::string reason) {
  const std::string name(field);
  Code code = code_of(message.view(), {name, 0, 0, expected, {}});
  refuse(message, field, std::move(expected), std::move(reason), std::move(code));
}

void Conversation::refuse(const Message& message, protocol::FieldName field, std::string expected,
                          std::string reason, Code code) {
  const protocol::FieldValue* const value = message.view().find(field);
  if (evidence_ != nullptr && value != nullptr) {
    evidence_->mark({{std::string(field), value->offset, value->length, std::move(expected), {}}},
                    std::nullopt);
  }
  fail_case(std::move(code), std::move(reason));
}

void Conversation::refuse(const Message& message, std::vector<Mismatch> mismatches,
                          std::optional<base::Bytes> expected) {
  std::string reason = in_one_line(message.layout(), mismatches);
  std::string cause =
      likely_cause(context_.format, {message.layout(), message.bytes(), mismatches});
  Code code = code_of(message.view(), mismatches.front());
  if (evidence_ != nullptr) evidence_->mark(std::move(mismatches), std::move(expected));
  fail_case(std::move(code), std::move(reason), std::move(cause));
}

void Conversation::require_quiet() {
  while (pending_.empty() && pushes_.empty() && next_push() != nullptr) read_message();
  if (!pushes_.empty()) {
    fail_case(
        {.kind = Code::Kind::surplus, .message = std::string(pushes_.front().layout().name())},
        fmt::format("a delivery that nobody was to receive came on {}: {}", name_,
                    protocol::printable(pushes_.front().bytes(), 32)));
  }
  if (!buffered().empty()) surplus("the target sent bytes that no request asked for");
}

void Conversation::fence() {
  require_quiet();
  if (!context_.fences) return;
  // INSERT succeeds once, and a QUERY before and after it fails: replies 00 01 01 00.
  const std::string key =
      fmt::format("hallmark:fence:{}:{}", context_.nonce, context_.next_serial());
  const std::vector<Outgoing> requests{
      encoded(context_.format, query(key)),
      encoded(context_.format, insert(key, 1, {TtlUnit::minutes, 1})),
      encoded(context_.format, purge(key)), encoded(context_.format, query(key))};
  constexpr bool succeed[] = {false, true, true, false};
  // If replies may come in any order, the requests may also be handled in any order.
  const bool one_by_one = context_.format.reads({"reply-order", "any-order"});
  if (!one_by_one) send_together(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (one_by_one) send_together({&requests[i], 1});
    const Message message = reply();
    if (message.succeeded() == succeed[i]) continue;
    refuse(message, "status", succeed[i] ? "success" : "failure",
           fmt::format("something else than the reply to the fence came on {}: a message too many, "
                       "or one out of order",
                       name_),
           {.kind = Code::Kind::desynchronised});
  }
  require_quiet();
}

Conversation::Farewell Conversation::finish(Patience::For budget) {
  link_->finish_sending();
  const Time started = context_.network.now();
  Time until = started + context_.allowance(budget);
  const bool is_suspicious = until - started >= context_.suspicion();
  Arrival arrival = Arrival::bytes;
  while (arrival == Arrival::bytes && buffer_.size() < context_.max_reply_bytes &&
         context_.network.now() < until) {
    arrival = receive_if_anybody_does(until);
    if (arrival == Arrival::timed_out && budget != Patience::For::farewells)
      arrival = receive_from_starved(context_, *link_, buffer_, started, until);
  }
  // Whatever is asked next would be waited for as long before a hang is thought of.
  if (arrival == Arrival::timed_out && is_suspicious && buffered().empty())
    static_cast<void>(answers_others(context_));
  if (const Time now = context_.network.now(); now >= until)
    context_.patience.spend(now - started, budget);
  judge_rest();
  Farewell farewell{base::Bytes(buffered().begin(), buffered().end()), arrival};
  if (evidence_ != nullptr && !farewell.bytes.empty()) {
    evidence_->received(name_, std::nullopt, farewell.bytes, context_.network.now());
  }
  buffer_.clear();
  head_ = 0;
  return farewell;
}

}  // namespace hallmark::conformance
