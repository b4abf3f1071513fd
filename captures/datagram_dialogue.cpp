#include "captures/datagram_dialogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "protocol/annotate.hpp"
#include "protocol/text/text.hpp"

namespace hallmark::captures {
namespace {

using protocol::Decoder;
using protocol::Layout;

constexpr std::size_t most_shown = 4096;

/// A finding about a datagram, with as much of it as a finding shows.
Finding about(FindingKind kind, Side side, ByteView datagram, const Stretch& where,
              std::optional<Time> at, std::string reason) {
  Finding finding{kind, side, where, std::move(reason)};
  const ByteView shown = datagram.first(std::min(datagram.size(), most_shown));
  finding.bytes.assign(shown.begin(), shown.end());
  finding.at = at;
  return finding;
}

/// The text of a field of a complete message; empty where it has none.
std::string text_in(const Message& message, protocol::FieldName field) {
  Decoder decoder = Format::decoder(message.layout);
  decoder.resume(message.bytes);
  return std::string(base::as_text(protocol::MessageView(decoder, message.bytes).bytes_of(field)));
}

std::string in_quotes(const std::string& text) { return protocol::printable(base::as_bytes(text)); }

}  // namespace

DatagramDialogue::DatagramDialogue(const Format& format, std::uint32_t connection, bool pairs,
                                   Sink sink)
    : format_(format), connection_(connection), pairs_(pairs), sink_(std::move(sink)) {}

void DatagramDialogue::expect(std::vector<const protocol::Operation*> operations) {
  expected_ = std::move(operations);
}

void DatagramDialogue::feed(Side from, ByteView datagram, std::optional<Time> at) {
  const Stretch where = pass(from, datagram.size());
  if (from == Side::client) return take_request(datagram, where, at);
  if (!pairs_) return read_alone(datagram, where, at);
  take_reply(datagram, where, at);
}

void DatagramDialogue::feed_cut(Side from, std::size_t captured, std::size_t length,
                                std::optional<Time> at) {
  const Stretch where = pass(from, length);
  Finding finding{
      FindingKind::missing, from, where,
      fmt::format("the capture holds {} of the {} bytes of the datagram", captured, length)};
  finding.at = at;
  tell(event(std::move(finding)));
}

Stretch DatagramDialogue::pass(Side side, std::size_t length) {
  std::uint64_t& sent = sent_[side == Side::client ? 0 : 1];
  const Stretch where{sent, length};
  sent += length;
  return where;
}

/// Tells what is not part of a turn behind the turns before it.
void DatagramDialogue::tell(Event event) {
  turns_.emplace_back().events.push_back(std::move(event));
  flush();
}

void DatagramDialogue::give_up(Turn& turn, std::string why) const {
  turn.waits = false;
  Finding finding{FindingKind::unanswered, Side::client, turn.where, std::move(why)};
  finding.number = turn.number;
  finding.at = turn.at;
  turn.events.push_back(event(std::move(finding)));
}

/// Tells the turns that are settled, up to the first that waits.
void DatagramDialogue::flush() {
  if (turns_.size() > most_waiting && turns_.front().waits)
    give_up(turns_.front(), "no reply came before too many others were sent");
  while (!turns_.empty() && !turns_.front().waits) {
    for (const Event& event : turns_.front().events) sink_(event);
    turns_.pop_front();
  }
}

Message DatagramDialogue::message(const Layout& layout, ByteView datagram, const Stretch& where,
                                  std::optional<Time> at) const {
  return {layout, Bytes(datagram.begin(), datagram.end()), where.offset, at};
}

void DatagramDialogue::add_contradictions(std::vector<Event>& events, const Message& message,
                                          Side side, std::uint64_t number) const {
  Decoder decoder = Format::decoder(message.layout);
  decoder.resume(message.bytes);
  for (std::string& reason : contradictions_in({decoder, message.bytes})) {
    Finding finding{FindingKind::contradictory,
                    side,
                    {message.offset, message.bytes.size()},
                    std::move(reason)};
    finding.number = number;
    finding.at = message.at;
    events.push_back(event(std::move(finding)));
  }
}

void DatagramDialogue::take_request(ByteView datagram, const Stretch& where,
                                    std::optional<Time> at) {
  const Recognised found = as_request(format_, datagram);
  if (!found.is_message()) {
    Finding finding = about(FindingKind::malformed, Side::client, datagram, where, at, found.why);
    if (found.operation != nullptr) finding.layout = format_.request(*found.operation);
    return tell(event(std::move(finding)));
  }
  Message taken = message(format_.request(*found.operation), datagram, where, at);
  Turn& turn = turns_.emplace_back();
  turn.number = ++requests_;
  turn.operation = found.operation;
  turn.id = id_of(datagram);
  turn.key = text_in(taken, "key");
  turn.where = where;
  turn.at = at;
  Decoder decoder = Format::decoder(taken.layout);
  decoder.resume(taken.bytes);
  const auto silent = unanswered_by(format_, {decoder, taken.bytes});
  turn.waits = pairs_ && !silent;
  turn.events.push_back(event(Request{std::move(taken), turn.number, silent}));
  flush();
}

/// The id as replies repeat it.
std::string DatagramDialogue::id_of(ByteView datagram) const {
  std::string id(protocol::text::tag_at_front(base::as_text(datagram)));
  if (format_.readings().holds({"udp-id", "number"}) && !id.empty())
    id.erase(0, std::min(id.find_first_not_of('0'), id.size() - 1));
  return id;
}

/// The request that the datagram can answer: the oldest with its id. Without one, the oldest that
/// it fits, or the oldest.
DatagramDialogue::Turn* DatagramDialogue::awaiting(const std::string& id, ByteView datagram) {
  Turn* oldest = nullptr;
  for (Turn& turn : turns_) {
    if (!turn.waits || turn.id != id) continue;
    if (!id.empty() || as_reply_to(format_, *turn.operation, datagram).is_message()) return &turn;
    if (oldest == nullptr) oldest = &turn;
  }
  return oldest;
}

void DatagramDialogue::take_reply(ByteView datagram, const Stretch& where, std::optional<Time> at) {
  const std::string id = id_of(datagram);
  if (Turn* const turn = awaiting(id, datagram)) return answer(*turn, datagram, where, at);
  const Recognised found = as_reply(format_, datagram);
  Finding finding = about(found.is_message() ? FindingKind::unasked : FindingKind::malformed,
                          Side::server, datagram, where, at, found.why);
  if (found.operation != nullptr) finding.layout = format_.reply(*found.operation);
  if (!found.is_message()) return tell(event(std::move(finding)));
  refuse_unasked(std::move(finding), id);
}

/// A reply to a request that nobody made, or that has its reply.
void DatagramDialogue::refuse_unasked(Finding finding, const std::string& id) {
  const auto said = [](const std::string& one) {
    return one.empty() ? std::string("no request id") : "the request id " + one;
  };
  const auto waiting = std::ranges::find_if(turns_, &Turn::waits);
  if (const auto before = answered_.find(id); before != answered_.end()) {
    finding.number = before->second;
    finding.reason = fmt::format("request #{} with the id {} has its reply", before->second, id);
  } else if (waiting == turns_.end()) {
    finding.reason = "no request waits for a reply";
  } else {
    finding.kind = FindingKind::mismatched;
    finding.number = waiting->number;
    finding.reason = fmt::format("it has {}, and request #{} has {}", said(id), waiting->number,
                                 said(waiting->id));
    waiting->events.push_back(event(std::move(finding)));
    return;
  }
  tell(event(std::move(finding)));
}

void DatagramDialogue::answer(Turn& turn, ByteView datagram, const Stretch& where,
                              std::optional<Time> at) {
  const Layout layout = format_.reply(*turn.operation);
  const Recognised found = as_reply_to(format_, *turn.operation, datagram);
  turn.waits = false;
  if (answered_.size() > most_waiting) answered_.clear();
  if (!turn.id.empty()) answered_[turn.id] = turn.number;
  if (!found.is_message()) {
    Finding finding = about(FindingKind::malformed, Side::server, datagram, where, at, found.why);
    finding.number = turn.number;
    finding.layout = layout;
    turn.events.push_back(event(std::move(finding)));
    return flush();
  }
  Message taken = message(layout, datagram, where, at);
  const std::string key = text_in(taken, "key");
  const bool has_key = layout.find(layout.message().fields, "key") != nullptr;
  std::optional<Time> latency;
  if (at && turn.at) latency = *at - *turn.at;
  turn.events.push_back(event(Reply{taken, turn.number, latency, false}));
  if (has_key && key != turn.key) {
    Finding finding{FindingKind::mismatched, Side::server, where,
                    fmt::format("the reply is about the key {}, the request about {}",
                                in_quotes(key), in_quotes(turn.key))};
    finding.number = turn.number;
    finding.at = at;
    turn.events.push_back(event(std::move(finding)));
  }
  add_contradictions(turn.events, taken, Side::server, turn.number);
  flush();
}

/// A reply whose request was not given.
void DatagramDialogue::read_alone(ByteView datagram, const Stretch& where, std::optional<Time> at) {
  const std::uint64_t number = ++replies_;
  const bool named = number <= expected_.size();
  const Recognised found =
      named ? as_reply_to(format_, *expected_[number - 1], datagram) : as_reply(format_, datagram);
  if (!found.is_message()) {
    Finding finding = about(FindingKind::malformed, Side::server, datagram, where, at, found.why);
    if (found.operation != nullptr) finding.layout = format_.reply(*found.operation);
    return tell(event(std::move(finding)));
  }
  Message taken = message(format_.reply(*found.operation), datagram, where, at);
  Turn& turn = turns_.emplace_back();
  turn.events.push_back(event(Reply{taken, number, {}, false}));
  add_contradictions(turn.events, taken, Side::server, number);
  flush();
}

void DatagramDialogue::give_up_before(Time sent) {
  for (Turn& turn : turns_) {
    if (turn.waits && turn.at && *turn.at < sent)
      give_up(turn, "no reply came within the time that is allowed");
  }
  flush();
}

void DatagramDialogue::end(const std::string& how) {
  for (Turn& turn : turns_) {
    if (turn.waits) give_up(turn, fmt::format("no reply came before {}", how));
  }
  flush();
}

}  // namespace hallmark::captures
