#include "conformance/identify/interview.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "conformance/drivers/stream/conversation.hpp"
#include "conformance/identify/request_layouts.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance {
namespace {

using base::append;
using base::Bytes;
using base::ByteView;
using protocol::Dialect;
using protocol::Layout;
using protocol::MessageView;
using protocol::Readings;
using protocol::Width;

constexpr std::string_view payload = "hallmark";

/// Returns true if a field of that name, at any depth, holds these bytes.
bool holds(const MessageView& view, protocol::FieldName field, ByteView bytes) {
  return std::ranges::any_of(view.fields(), [&](const protocol::FieldValue& value) {
    return value.field->name == field && std::ranges::equal(view.bytes_of(value), bytes);
  });
}

/// One status that says no, or nothing: what a target says that does not know an operation.
bool is_no_answer(const Heard& heard) {
  return heard.bytes.empty() || heard.bytes == protocol::status_replies({false});
}

protocol::AnswerName refusal_of(const Heard& heard) {
  if (!heard.bytes.empty()) return "refused";
  return heard.ending == Ending::fenced ? protocol::AnswerName("ignored") : "closed";
}

std::vector<Candidate> later_dialects(Width width) {
  std::vector<Candidate> candidates;
  for (const Dialect* const dialect : protocol::throttr_dialects) {
    const bool old = dialect == &protocol::throttr_2_0;
    if (!old) candidates.emplace_back(*dialect, width);
  }
  return candidates;
}

class Interview {
 public:
  Interview(Network& network, Time until, const std::string& nonce, Width width,
            const std::atomic<bool>* stop)
      : network_(network),
        until_(until),
        name_("hallmark:identify:" + nonce),
        width_(width),
        format_(width, Readings(protocol::throttr_6_0, protocol::Profile::deployed)),
        fence_(format_, name_ + ":fence"),
        line_(network, until, stop),
        other_(network, until, stop) {
    transcript_.candidates = later_dialects(width);
    for (const char* const end : {"", ":list"}) may_store(base::as_bytes(name_ + end));
  }

  Transcript run() {
    ask_bare("WHOAMI");
    ask_bare("CONNECTIONS");
    ask_bare("INFO");
    if (answered_) {
      // Whoever subscribes needs a connection that lasts.
      if (!loses_) ask_channels();
    } else if (knows_none()) {
      leave_only_operations_of_6_0();
      ask_list();
    }
    ask_request_layouts();
    return finish();
  }

 private:
  std::vector<Candidate>& candidates() { return transcript_.candidates; }
  const Candidate* first_with(protocol::MessageName operation) const;
  Candidate* only();
  Bytes request(const Readings& readings, const Request& request) const;
  void note(std::string_view what, ByteView sent, const Heard& heard, const Seen& seen);
  void remember(const Candidate& candidate, const Seen& seen, const Clue& clue);
  void tell_shown(const Candidate& candidate);
  void tell(protocol::ReadingName reading, protocol::AnswerName answer, Clue clue);
  void leave_untold(protocol::ReadingName reading, std::string reason);

  Heard ask(Line& line, ByteView request);
  void may_store(ByteView key);

  void ask_bare(protocol::MessageName operation);
  bool knows_none() const;
  void leave_only_operations_of_6_0();
  void ask_list();
  void ask_channels();
  void ask_publish(const Readings& readings);
  void hear_push();
  void ask_request_layouts();
  void tidy_up();
  Transcript finish();

  Network& network_;
  Time until_;
  std::string name_;  ///< the name of a key and a channel of our own
  Width width_;
  WireFormat format_;  ///< for the operations that all these dialects have in common
  Fence fence_;
  Line line_;
  Line other_;
  Bytes id_;  ///< our own, as WHOAMI gave it; empty where it did not
  bool answered_ = false;
  bool loses_ = false;  ///< a request was answered that had no reply before
  Bytes removals_;      ///< PURGEs of all keys that may have been stored
  bool tidy_ = true;    ///< every exchange came to its end, with the PURGEs in it
  std::vector<std::pair<std::string, Heard>> unanswered_;
  std::map<std::string_view, Clue> shown_;  ///< by reading: the first message that shows it
  Transcript transcript_;
};

const Candidate* Interview::first_with(protocol::MessageName operation) const {
  const auto found = std::ranges::find_if(transcript_.candidates,
                                          [&](const Candidate& one) { return one.has(operation); });
  return found == transcript_.candidates.end() ? nullptr : &*found;
}

Candidate* Interview::only() { return candidates().size() == 1 ? candidates().data() : nullptr; }

Bytes Interview::request(const Readings& readings, const Request& request) const {
  return encoded(WireFormat(width_, readings), request).bytes;
}

/// A target may lose one reply of many, and answer the same over another connection. From then on
/// each request has a connection of its own, on which fewer replies come before its own.
Heard Interview::ask(Line& line, ByteView request) {
  if (loses_) line.close();
  const Time now = network_.now();
  const Time half = now + (until_ - std::min(until_, now)) / 2;
  Heard heard = line.ask(request, fence_, half);
  if (heard.ending == Ending::silent) {
    tidy_ = false;
    if (&line == &line_) id_.clear();
    heard = line.ask(request, fence_);
    loses_ = loses_ || heard.ending == Ending::fenced;
  }
  tidy_ = tidy_ && heard.ending == Ending::fenced;
  return heard;
}

void Interview::may_store(ByteView key) {
  append(removals_, encoded(format_, purge(base::as_text(key))).bytes);
}

void Interview::tell(protocol::ReadingName reading, protocol::AnswerName answer, Clue clue) {
  const auto known =
      std::ranges::find(transcript_.findings, std::string_view(reading), &Finding::subject);
  if (known != transcript_.findings.end()) {
    known->clues.push_back(std::move(clue));
  } else {
    transcript_.findings.push_back({std::string(reading), std::string(answer), {std::move(clue)}});
  }
}

void Interview::leave_untold(protocol::ReadingName reading, std::string reason) {
  transcript_.findings.push_back({std::string(reading), "", {{"", "", std::move(reason)}}});
}

/// Remembers the message for the readings that it shows: it is the clue of those that are told.
void Interview::remember(const Candidate& candidate, const Seen& seen, const Clue& clue) {
  for (const protocol::ReadingName reading : candidate.shown_by(seen)) {
    if (!candidate.told(reading).empty()) shown_.try_emplace(reading, clue);
  }
}

/// Tells what the messages showed of the readings of the only dialect that is left.
void Interview::tell_shown(const Candidate& candidate) {
  for (const protocol::Reading& reading : candidate.dialect().readings) {
    const auto clue = shown_.find(reading.id);
    const bool open =
        std::ranges::count(reading.answers, protocol::Served::yes, &protocol::Answer::served) > 1;
    if (clue == shown_.end() || !open || candidate.told(reading.id).empty()) continue;
    clue->second.shows = fmt::format("of {} a whole message only so", candidate.dialect().name);
    tell(reading.id, candidate.told(reading.id), clue->second);
  }
}

/// Keeps the candidates that the message fits. One that fits none leaves them all: a target may be
/// wrong in one operation.
void Interview::note(std::string_view what, ByteView sent, const Heard& heard, const Seen& seen) {
  std::vector<Candidate> fitting;
  std::vector<std::string_view> names;
  std::vector<std::string_view> others;
  for (Candidate one : candidates()) {
    const bool fits = one.narrow(seen);
    (fits ? names : others).push_back(one.dialect().name);
    if (fits) fitting.push_back(std::move(one));
  }
  Clue clue{std::string(what), in_hex(heard.bytes), {}};
  if (!sent.empty()) clue.sent += ": " + in_hex(sent);
  if (fitting.empty()) {
    clue.shows = fmt::format("no whole message of {}", fmt::join(others, " or "));
    transcript_.dialect_clues.push_back(std::move(clue));
    return;
  }
  const bool fewer = fitting.size() < candidates().size();
  candidates() = std::move(fitting);
  for (const Candidate& one : candidates()) remember(one, seen, clue);
  if (fewer) {
    clue.shows = fmt::format("a whole message of {}, not of {}", fmt::join(names, " and "),
                             fmt::join(others, " or "));
    transcript_.dialect_clues.push_back(std::move(clue));
  }
}

void Interview::ask_bare(protocol::MessageName operation) {
  const Candidate* const asked = first_with(operation);
  if (asked == nullptr) return;
  const Bytes sent = request(asked->readings(), bare(operation));
  const Heard heard = ask(line_, sent);
  if (is_no_answer(heard)) {
    unanswered_.emplace_back(fmt::format("{}: {}", operation, in_hex(sent)), heard);
    return;
  }
  answered_ = true;
  Seen seen{.operation = operation, .bytes = heard.bytes, .whole = heard.ending == Ending::fenced};
  seen.also = [&](const MessageView& view) {
    return operation != "CONNECTIONS" || id_.empty() || holds(view, "id", id_);
  };
  note(operation, sent, heard, seen);
  if (operation == "WHOAMI" && heard.bytes.size() >= 16)
    id_.assign(heard.bytes.end() - 16, heard.bytes.end());
}

/// The target said to each operation that it does not know it; silence would not be that.
bool Interview::knows_none() const {
  return std::ranges::all_of(unanswered_, [](const auto& one) {
    return one.second.ending == Ending::fenced || one.second.ending == Ending::closed;
  });
}

void Interview::leave_only_operations_of_6_0() {
  std::erase_if(candidates(),
                [](const Candidate& one) { return &one.dialect() != &protocol::throttr_6_0; });
  for (const auto& [sent, heard] : unanswered_) {
    Clue clue{sent, in_hex(heard.bytes), ""};
    if (heard.ending != Ending::fenced) clue.came += ", and the connection was closed";
    clue.shows = "not known to the target: throttr-6.0 has no such operation";
    transcript_.dialect_clues.push_back(clue);
    const protocol::AnswerName answer = refusal_of(heard);
    candidates().front().settle("opcode-unknown", answer);
    clue.shows = "what becomes of an opcode that throttr-6.0 does not define";
    tell("opcode-unknown", answer, clue);
  }
}

/// Asks for LIST with a counter of our own in it: an empty list has no entry to look at.
void Interview::ask_list() {
  const std::string key = name_ + ":list";
  const Readings readings = candidates().front().readings();
  Bytes sent = request(readings, insert(key, 1, minute));
  const Bytes list = request(readings, bare("LIST"));
  append(sent, list);
  append(sent, request(readings, purge(key)));
  Heard heard = ask(line_, sent);
  const bool whole = heard.ending == Ending::fenced && heard.bytes.size() > 2;
  const ByteView reply =
      ByteView(heard.bytes).subspan(std::min<std::size_t>(1, heard.bytes.size()));
  Seen seen{.operation = "LIST", .bytes = whole ? reply.first(reply.size() - 1) : reply};
  seen.whole = whole;
  seen.also = [&](const MessageView& view) { return holds(view, "key", base::as_bytes(key)); };
  const Bytes bytes(seen.bytes.begin(), seen.bytes.end());
  note("LIST, with a key of our own", list, {bytes, heard.ending}, seen);
}

void Interview::ask_channels() {
  const Candidate* const asked = first_with("CHANNELS");
  if (asked == nullptr) return;
  const Readings readings = asked->readings();
  const Heard subscribed = ask(line_, request(readings, subscribe(name_)));
  if (subscribed.bytes != protocol::status_replies({true})) return;
  ask_publish(readings);
  if (loses_) return;  // the connection that had subscribed is closed
  const Bytes sent = request(readings, bare("CHANNELS"));
  const Heard heard = ask(line_, sent);
  if (!is_no_answer(heard)) {
    Seen seen{
        .operation = "CHANNELS", .bytes = heard.bytes, .whole = heard.ending == Ending::fenced};
    seen.also = [&](const MessageView& view) {
      return holds(view, "channel", base::as_bytes(name_));
    };
    note("CHANNELS, with a channel of our own", sent, heard, seen);
  }
  ask(line_, request(readings, unsubscribe(name_)));
}

/// Publishes from another connection to the one that has subscribed.
void Interview::ask_publish(const Readings& readings) {
  const Bytes sent = request(readings, publish(name_, payload));
  const Heard heard = ask(other_, sent);
  if (heard.ending != Ending::fenced) return;
  hear_push();
  note("PUBLISH to one subscriber", sent, heard, {.operation = "PUBLISH", .bytes = heard.bytes});
}

void Interview::hear_push() {
  // A target may hand the delivery over after it answered the publisher: silence has to last.
  constexpr Time pause = 10'000'000;
  constexpr int most_pauses = 5;
  Heard heard = ask(line_, {});
  for (int i = 0;
       heard.bytes.empty() && heard.ending == Ending::fenced && !loses_ && i < most_pauses; ++i) {
    network_.wait_until(network_.now() + pause);
    heard = ask(line_, {});
  }
  if (heard.bytes.empty()) return;
  Seen seen{.what = Seen::What::push, .operation = "PUBLISH", .bytes = heard.bytes};
  seen.also = [](const MessageView& view) {
    return std::ranges::equal(view.bytes_of("payload"), base::as_bytes(payload));
  };
  note("what its subscriber received", {}, heard, seen);
}

void Interview::ask_request_layouts() {
  Candidate* const candidate = only();
  if (candidate == nullptr) return;
  RequestLayouts layouts(
      width_, name_, [this](ByteView bytes) { return ask(line_, bytes); }, *candidate);
  for (Finding& finding : layouts.ask()) transcript_.findings.push_back(std::move(finding));
  append(removals_, layouts.removals());
}

/// An exchange that did not come to its end may have left a key, and so may one that removes it.
void Interview::tidy_up() {
  constexpr int attempts = 3;
  for (int i = 0; !tidy_ && i < attempts; ++i) {
    Bytes all = removals_;
    append(all, fence_.removals());
    tidy_ = other_.ask(all, fence_).ending == Ending::fenced;
  }
}

Transcript Interview::finish() {
  tidy_up();
  if (const Candidate* const candidate = only()) {
    transcript_.dialect = &candidate->dialect();
    tell_shown(*candidate);
    for (const protocol::ReadingName reading : readings_of_layouts(candidate->dialect())) {
      const bool known = std::ranges::find(transcript_.findings, std::string_view(reading),
                                           &Finding::subject) != transcript_.findings.end();
      if (!known && candidate->told(reading).empty())
        leave_untold(reading, "no message that came shows it");
    }
  }
  return std::move(transcript_);
}

}  // namespace

Transcript interview(Network& network, Time until, const std::string& nonce, Width width,
                     const std::atomic<bool>* stop) {
  return Interview(network, until, nonce, width, stop).run();
}

}  // namespace hallmark::conformance
