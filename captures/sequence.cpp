#include "captures/sequence.hpp"

#include <fmt/format.h>

#include <functional>

#include "captures/conversation.hpp"
#include "captures/fit.hpp"

namespace hallmark::captures {
namespace {

using protocol::Decoder;
using protocol::Layout;
using protocol::Operation;

/// Reads message after message to the end of the bytes, or to the first that is none.
class Sequence {
 public:
  Sequence(const Format& format, Side side, ByteView bytes, const Sink& sink)
      : format_(format), bytes_(bytes), sink_(sink), reader_(side) {
    reader_.take_in({side, bytes});
  }

  bool at_end() const { return reader_.inbox().empty(); }
  std::uint8_t next() const { return reader_.inbox().bytes().front(); }
  ByteView left() const { return reader_.inbox().bytes(); }

  /// The next message; nothing after it was reported why there is none. `hint` is asked then.
  std::optional<Message> take(const Layout& layout, std::uint64_t number,
                              const std::function<std::string()>& hint) {
    reader_.begin(layout);
    remarks_.clear();
    if (reader_.resume() == Decoder::State::complete) return reader_.take(remarks_, number);
    const bool malformed = reader_.decoder().state() == Decoder::State::malformed;
    stop(malformed ? FindingKind::malformed : FindingKind::truncated,
         (malformed ? why_malformed(reader_.decoder()) : why_truncated(reader_.decoder(), left())) +
             hint(),
         number);
    return std::nullopt;
  }

  /// Says what was noticed about the message taken last.
  void remark() {
    for (Finding& remark : remarks_) report(std::move(remark));
  }

  void stop(FindingKind kind, std::string reason, std::uint64_t number = 0) {
    Finding finding = reader_.finding(kind, std::move(reason));
    finding.number = number;
    report(std::move(finding));
    reader_.lose();
  }

  void report(Finding finding) { sink_({0, std::move(finding)}); }
  void emit(decltype(Event::what) what) { sink_({0, std::move(what)}); }

  std::string hint_of_requests() const {
    return hint_for_requests(format_, bytes_.first(std::min(bytes_.size(), most_of_hint)));
  }

 private:
  const Format& format_;
  ByteView bytes_;
  const Sink& sink_;
  Reader reader_;
  std::vector<Finding> remarks_;
};

std::string no_hint() { return {}; }

/// Takes a push; false where there is none.
bool take_push(Sequence& sequence, const Layout& layout, std::uint64_t awaiting) {
  auto message = sequence.take(layout, 0, no_hint);
  if (!message) return false;
  sequence.emit(Push{std::move(*message), awaiting});
  sequence.remark();
  return true;
}

/// Takes the pushes that come before a reply of that layout; false where one is broken.
bool take_pushes(Sequence& sequence, const Format& format, const Layout& reply,
                 std::uint64_t number) {
  while (!sequence.at_end() && !reply.can_start_with(sequence.next())) {
    const protocol::Push* const push = protocol::push_of(format.dialect(), sequence.left());
    if (push == nullptr) return true;
    if (!take_push(sequence, format.layout_of(*push), number)) return false;
  }
  return true;
}

/// Takes the reply to `operation`; false where nothing can follow.
bool take_reply(Sequence& sequence, const Format& format, const Operation& operation,
                std::uint64_t number) {
  const Layout layout = format.reply(operation);
  if (!layout.sent()) return true;
  if (!take_pushes(sequence, format, layout, number)) return false;
  if (sequence.at_end()) {
    sequence.stop(FindingKind::unanswered,
                  fmt::format("no bytes are left for the reply to {}", operation.name), number);
    return true;
  }
  const auto hint = [&] { return hint_for_reply(format, operation, sequence.left()); };
  auto message = sequence.take(layout, number, hint);
  if (!message) return false;
  sequence.emit(Reply{std::move(*message), number, {}, false});
  sequence.remark();
  return true;
}

/// Returns the operation of the next request: the one that `operations` gives, or the one that its
/// opcode names if `operations` is empty. Null if there is none.
const Operation* operation_at(const Format& format, const std::vector<const Operation*>& operations,
                              std::uint64_t number, ByteView request) {
  if (operations.empty()) return protocol::operation_of(format.dialect(), request);
  return number <= operations.size() ? operations[number - 1] : nullptr;
}

}  // namespace

void decode_requests(const Format& format, const std::vector<const Operation*>& operations,
                     ByteView bytes, const Sink& sink) {
  Sequence sequence(format, Side::client, bytes, sink);
  const bool by_opcode = operations.empty();
  const auto hint = [&] { return by_opcode ? sequence.hint_of_requests() : no_hint(); };
  for (std::uint64_t number = 1; !sequence.at_end(); ++number) {
    const Operation* const operation = operation_at(format, operations, number, sequence.left());
    if (operation == nullptr && by_opcode) {
      return sequence.stop(FindingKind::malformed,
                           why_no_request(format, sequence.next()) + hint());
    }
    if (operation == nullptr) {
      return sequence.stop(FindingKind::undecoded, "left over behind the last request");
    }
    auto message = sequence.take(format.request(*operation), number, hint);
    if (!message) return;
    sequence.emit(Request{std::move(*message), number, {}});
    sequence.remark();
  }
}

void decode_replies(const Format& format, const std::vector<const Operation*>& operations,
                    ByteView bytes, const Sink& sink) {
  Sequence sequence(format, Side::server, bytes, sink);
  std::uint64_t number = 0;
  for (const Operation* const operation : operations) {
    if (!take_reply(sequence, format, *operation, ++number)) return;
  }
  while (!sequence.at_end()) {
    const protocol::Push* const push = protocol::push_of(format.dialect(), sequence.left());
    if (push == nullptr) {
      return sequence.stop(FindingKind::unasked, "left over behind the last reply");
    }
    if (!take_push(sequence, format.layout_of(*push), 0)) return;
  }
}

void decode_pushes(const Format& format, const protocol::Push* push, ByteView bytes,
                   const Sink& sink) {
  Sequence sequence(format, Side::server, bytes, sink);
  while (!sequence.at_end()) {
    const protocol::Push* const next =
        push == nullptr ? protocol::push_of(format.dialect(), sequence.left()) : push;
    if (next == nullptr) {
      return sequence.stop(
          FindingKind::malformed,
          fmt::format("{:02x} begins no push of {}", sequence.next(), format.dialect().name));
    }
    if (!take_push(sequence, format.layout_of(*next), 0)) return;
  }
}

void decode_dialogue(const Format& format, const std::vector<Utterance>& said, const Sink& sink) {
  Conversation conversation(format, 0, Origin::beginning, sink);
  std::uint64_t sent[2] = {};
  for (const Utterance& one : said) {
    const bool from_client = one.from == Side::client;
    conversation.feed({one.from, one.bytes, 0, {std::nullopt, sent[from_client ? 1 : 0]}});
    sent[from_client ? 0 : 1] += one.bytes.size();
  }
  conversation.end("the input ends");
}

}  // namespace hallmark::captures
