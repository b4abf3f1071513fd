#include "captures/conversation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "captures/fit.hpp"

namespace hallmark::captures {
namespace {

using protocol::Decoder;
using protocol::FieldValue;
using protocol::Layout;

/// Beyond these bytes a message that could be a reply or a push is taken for the reply.
constexpr std::size_t most_undecided = 65'536;

constexpr const char* no_start = "the bytes that begin this message are not in the capture";

/// The id by which a reply names its request, in dialects whose replies do; nothing as well while
/// it has not come in.
std::optional<std::uint64_t> request_id_in(const Layout& layout, ByteView bytes) {
  if (layout.find(layout.message().fields, "request_id") == nullptr) return std::nullopt;
  Decoder decoder = Format::decoder(layout);
  decoder.resume(bytes);
  const auto id = std::ranges::find_if(decoder.fields(), [](const FieldValue& value) {
    return value.field->name == "request_id" && value.field->is<protocol::kinds::Integer>();
  });
  if (id == decoder.fields().end()) return std::nullopt;
  return id->number;
}

}  // namespace

Conversation::Conversation(const Format& format, std::uint32_t connection, Origin origin, Sink sink)
    : format_(format),
      connection_(connection),
      sink_(std::move(sink)),
      any_order_(format.readings().reads({"reply-order", "any-order"})) {
  if (origin == Origin::beginning) return;
  client_.lose();
  server_.lose();
}

void Conversation::feed(const Chunk& chunk) {
  if (chunk.from == Side::client && is_turn(chunk)) resume();
  if (chunk.from == Side::client) note_opening(chunk);
  if (chunk.from == Side::server && chunk.missing == 0)
    server_saw_ = std::max(server_saw_, chunk.stamp.seen);
  Reader& reader = this->reader(chunk.from);
  if (!reader.take_in(chunk)) {
    Finding missing{FindingKind::missing,
                    chunk.from,
                    {reader.inbox().end(), chunk.missing},
                    "these bytes are not in the capture; where messages begin is lost"};
    missing.at = chunk.stamp.at;
    lose(chunk.from, std::move(missing));
    reader.take_in(chunk);
  }
  read_requests();
  read_replies();
}

void Conversation::note_opening(const Chunk& chunk) {
  const std::size_t room = most_of_hint - opening_.size();
  const ByteView first = chunk.bytes.first(std::min(chunk.bytes.size(), room));
  opening_.insert(opening_.end(), first.begin(), first.end());
}

// Requests.

void Conversation::read_requests() {
  while (client_.reading() || (!client_.lost() && !client_.inbox().empty())) {
    if (!client_.reading() && !begin_request()) return;
    switch (client_.resume()) {
      case Decoder::State::need_more: return;
      case Decoder::State::malformed: return lose_malformed(Side::client);
      case Decoder::State::complete: take_request();
    }
  }
}

bool Conversation::begin_request() {
  if (client_.inbox().starts_with_hole()) {
    lose(Side::client, client_.finding(FindingKind::missing, no_start));
    return false;
  }
  const ByteView bytes = client_.inbox().bytes();
  incoming_ = protocol::operation_of(format_.dialect(), bytes);
  if (incoming_ != nullptr) {
    client_.begin(format_.request(*incoming_));
    return true;
  }
  lose(Side::client,
       client_.finding(FindingKind::malformed, why_no_request(format_, bytes.front()) +
                                                   hint_for_requests(format_, opening_)));
  return false;
}

void Conversation::take_request() {
  if (client_.hides_structure()) {
    return lose(Side::client,
                client_.finding(FindingKind::missing,
                                "bytes that say how this request goes on are not in the capture"));
  }
  std::vector<Finding> remarks;
  Message message = client_.take(remarks, ++requests_);
  if (incoming_->name == "SUBSCRIBE") subscribed_ = true;
  const Layout reply = format_.reply(*incoming_);
  std::optional<protocol::When> answered_under;
  if (!reply.sent()) answered_under = reply.message().when;
  const auto id = request_id_in(message.layout, message.bytes);
  enqueue({{std::move(message), requests_, answered_under}, incoming_, id, std::move(remarks)});
}

void Conversation::enqueue(Waiting waiting) {
  waiting_bytes_ += waiting.request.message.bytes.size();
  waiting_.push_back(std::move(waiting));
  settle_unanswered();
  if (waiting_.empty()) return;
  if (server_.lost()) return settle_all("the server's bytes could not be followed");
  if (waiting_.size() <= most_waiting && waiting_bytes_ <= most_waiting_bytes) return;
  lose(Side::server,
       server_.finding(
           FindingKind::undecoded,
           fmt::format("{} requests wait for their replies: more than are kept", waiting_.size())));
}

// Replies and pushes.

void Conversation::read_replies() {
  while (!server_.lost() && !server_.inbox().empty()) {
    if (!server_.reading() && !begin_reply()) return;
    if (!server_.reading()) continue;
    switch (server_.resume()) {
      case Decoder::State::need_more: return;
      case Decoder::State::malformed: return lose_malformed(Side::server);
      case Decoder::State::complete: take_from_server();
    }
  }
}

/// False when it takes more bytes to tell what comes.
bool Conversation::begin_reply() {
  if (server_.inbox().starts_with_hole()) {
    lose(Side::server, server_.finding(FindingKind::missing, no_start));
    return false;
  }
  switch (due()) {
    case Due::undecided: return false;
    case Due::nothing: pass_unasked(); return true;
    case Due::reply:
      if (any_order_ && !bring_forward()) return false;
      server_.begin(format_.reply(*waiting_.front().operation));
      return true;
    case Due::push: break;
  }
  server_.begin(format_.layout_of(*protocol::push_of(format_.dialect(), server_.inbox().bytes())));
  return true;
}

/// Makes the request that the next reply names the next to be answered, where one does. False while
/// the id has not come in.
bool Conversation::bring_forward() {
  const ByteView bytes = server_.inbox().bytes();
  const Layout layout = format_.reply(*waiting_.front().operation);
  const auto id = request_id_in(layout, bytes);
  if (!id) return fit_as(layout, bytes) != Fit::partial;
  const auto named = std::ranges::find(waiting_, id, &Waiting::id);
  if (named != waiting_.end()) std::rotate(waiting_.begin(), named, std::next(named));
  return true;
}

/// The oldest request without a reply, if its first byte had reached the server when it sent what
/// comes next.
const Conversation::Waiting* Conversation::awaited() const {
  if (waiting_.empty() || server_.inbox().seen() <= waiting_.front().request.message.offset) {
    return nullptr;
  }
  return &waiting_.front();
}

Conversation::Due Conversation::due() {
  ambiguous_ = false;
  const ByteView bytes = server_.inbox().bytes();
  const protocol::Push* const push = protocol::push_of(format_.dialect(), bytes);
  const Waiting* const waiting = awaited();
  if (waiting == nullptr) return push == nullptr ? Due::nothing : Due::push;
  if (push == nullptr) return Due::reply;
  const Layout reply = format_.reply(*waiting->operation);
  if (!reply.can_start_with(bytes.front())) return Due::push;
  if (!subscribed_ && !guessed_) return Due::reply;
  ambiguous_ = true;
  return tell_apart(reply, format_.layout_of(*push));
}

/// Both a reply and a push may start with the byte at hand. A reply that ends where the bytes end
/// is no coincidence; otherwise whichever is whole.
Conversation::Due Conversation::tell_apart(const Layout& reply, const Layout& push) const {
  const ByteView bytes = server_.inbox().bytes();
  Decoder as_reply = Format::decoder(reply);
  Decoder as_push = Format::decoder(push);
  const bool whole_reply = as_reply.resume(bytes) == Decoder::State::complete;
  const bool whole_push = as_push.resume(bytes) == Decoder::State::complete;
  if (whole_reply && (as_reply.size() == bytes.size() || !whole_push)) return Due::reply;
  if (whole_push || as_reply.state() == Decoder::State::malformed) return Due::push;
  return bytes.size() > most_undecided ? Due::reply : Due::undecided;
}

void Conversation::pass_unasked() {
  const std::size_t length =
      waiting_.empty() ? server_.inbox().size()
                       : server_.inbox().sent_with(waiting_.front().request.message.offset);
  if (client_.lost() && waiting_.empty()) return server_.pass(length);
  Finding unasked = server_.finding(FindingKind::unasked, "no request asked for these bytes");
  if (unsent_reply_) {
    unasked.reason += fmt::format("; the request before is answered with --reading {}={} only",
                                  unsent_reply_->reading, unsent_reply_->answer);
  }
  unasked.where.length = length;
  unasked.bytes.resize(std::min(unasked.bytes.size(), length));
  server_.drop(length);
  report(std::move(unasked));
}

void Conversation::take_from_server() {
  if (server_.hides_structure()) {
    return lose(Side::server,
                server_.finding(FindingKind::missing,
                                "bytes that say how this message goes on are not in the capture"));
  }
  std::vector<Finding> remarks;
  const bool push = server_.decoder().layout().starts_with_opcode();
  const std::uint64_t number = waiting_.empty() ? 0 : waiting_.front().request.number;
  if (ambiguous_) {
    remarks.push_back(
        {FindingKind::ambiguous,
         Side::server,
         {server_.inbox().begin(), server_.decoder().size()},
         push ? "a reply may begin like this, too" : "a push may begin like this, too"});
  }
  Message message = server_.take(remarks, push ? 0 : number);
  if (!push) return answer(std::move(message), std::move(remarks));
  emit(Push{std::move(message), number});
  for (Finding& remark : remarks) report(std::move(remark));
}

void Conversation::answer(Message message, std::vector<Finding> remarks) {
  const Request& request = waiting_.front().request;
  const std::uint64_t number = request.number;
  std::optional<Time> latency;
  if (message.at && request.message.at) latency = *message.at - *request.message.at;
  if (auto mismatch = mismatch_of(message)) remarks.push_back(std::move(*mismatch));
  if (++answered_ == most_losses) losses_ = 0;
  const Waiting settled = pop_front();
  emit(Reply{std::move(message), number, latency, guessed_});
  for (Finding& remark : remarks) report(std::move(remark));
  for (const Finding& finding : settled.after) report(finding);
  settle_unanswered();
}

/// Returns a finding if the reply has an id other than that of its request.
std::optional<Finding> Conversation::mismatch_of(const Message& reply) const {
  const Waiting& front = waiting_.front();
  const auto id = request_id_in(reply.layout, reply.bytes);
  if (!id || !front.id || *id == *front.id) return std::nullopt;
  Finding finding{FindingKind::mismatched,
                  Side::server,
                  {reply.offset, reply.bytes.size()},
                  fmt::format("request_id is {} where that of the request is {}", *id, *front.id)};
  const auto other = std::ranges::find(waiting_, id, &Waiting::id);
  if (other != waiting_.end()) {
    finding.reason += fmt::format("; request #{} has that id", other->request.number);
  }
  finding.number = front.request.number;
  finding.at = reply.at;
  return finding;
}

// Requests that leave the queue.

/// Tells the request, and leaves it to the caller to tell what became of it.
Conversation::Waiting Conversation::pop_front() {
  Waiting front = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= front.request.message.bytes.size();
  emit(front.request);
  for (Finding& finding : front.remarks) report(std::move(finding));
  return front;
}

void Conversation::settle_front(std::optional<Finding> why) {
  const Waiting settled = pop_front();
  if (why) {
    why->number = settled.request.number;
    report(std::move(*why));
  }
  for (const Finding& finding : settled.after) report(finding);
}

void Conversation::settle_all(const std::string& why) {
  settle_unanswered();
  while (!waiting_.empty()) {
    const Message& message = waiting_.front().request.message;
    Finding unanswered{
        FindingKind::unanswered, Side::client, {message.offset, message.bytes.size()}, why};
    unanswered.at = message.at;
    settle_front(std::move(unanswered));
    settle_unanswered();
  }
}

/// The oldest request always has a reply to wait for.
void Conversation::settle_unanswered() {
  while (!waiting_.empty() && waiting_.front().request.answered_under) {
    unsent_reply_ = waiting_.front().request.answered_under;
    settle_front({});
  }
}

// Losing the way, and finding it again.

void Conversation::lose(Side side, Finding finding) {
  answered_ = 0;
  if (++losses_ == most_losses) {
    finding.reason +=
        fmt::format("; lost {} times: the rest of the connection is passed over", losses_);
  }
  if (side == Side::client) {
    client_.lose();
    if (waiting_.empty()) return report(std::move(finding));
    return waiting_.back().after.push_back(std::move(finding));
  }
  const bool of_reply = server_.reading() && !server_.decoder().layout().starts_with_opcode();
  server_.lose();
  of_reply ? settle_front(std::move(finding)) : report(std::move(finding));
  settle_all("where its reply begins is lost");
}

void Conversation::lose_malformed(Side side) {
  lose(side, reader(side).finding(FindingKind::malformed,
                                  why_malformed(reader(side).decoder()) + hint(side)));
}

std::string Conversation::hint(Side side) const {
  if (side == Side::client) return hint_for_requests(format_, opening_);
  if (server_.decoder().layout().starts_with_opcode()) return {};
  return hint_for_reply(format_, *waiting_.front().operation, server_.inbox().bytes());
}

/// Nobody owes the other anything, as far as the capture tells, and the client speaks.
bool Conversation::is_turn(const Chunk& chunk) const {
  return (client_.lost() || server_.lost()) && losses_ < most_losses && chunk.missing == 0 &&
         client_.inbox().empty() && chunk.stamp.seen == server_.inbox().end() &&
         server_saw_ >= client_.inbox().end();
}

void Conversation::resume() {
  end_of_server("the client went on");
  settle_all("where its reply begins is lost");
  report_passed(Side::client);
  report_passed(Side::server);
  client_.find();
  server_.find();
  report({FindingKind::resumed,
          Side::client,
          {client_.inbox().end(), 0},
          fmt::format("a request is taken to begin here, and its reply at byte {} of the server: a "
                      "guess, since the client speaks after all that the server sent",
                      server_.inbox().end())});
  guessed_ = true;
}

void Conversation::end(const std::string& how) {
  end_of_server(how);
  settle_all(fmt::format("no reply came before {}", how));
  if (!client_.inbox().empty()) report(truncated(Side::client, how));
  report_passed(Side::client);
  report_passed(Side::server);
}

void Conversation::end_of_server(const std::string& how) {
  if (server_.inbox().empty()) return;
  if (!server_.reading()) {  // a reply, or a push that looks like one
    server_.begin(format_.reply(*waiting_.front().operation));
    server_.resume();
  }
  Finding finding = truncated(Side::server, how);
  const bool of_reply = !server_.decoder().layout().starts_with_opcode();
  server_.find();
  of_reply ? settle_front(std::move(finding)) : report(std::move(finding));
}

Finding Conversation::truncated(Side side, const std::string& how) {
  const Reader& reader = this->reader(side);
  const std::string why = why_truncated(reader.decoder(), reader.inbox().bytes());
  return reader.finding(FindingKind::truncated, fmt::format("{}: {}{}", why, how, hint(side)));
}

void Conversation::report_passed(Side side) {
  auto passed = reader(side).passed();
  if (!passed) return;
  passed->reason = "passed over, since where messages begin is not known";
  report(std::move(*passed));
}

}  // namespace hallmark::captures
