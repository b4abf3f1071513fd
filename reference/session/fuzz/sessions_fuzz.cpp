// Feeds arbitrary bytes to the reference sessions of every dialect. However the bytes are cut in
// two, the replies and the deliveries are the same, and of a request that is not whole no more is
// kept than the largest one may have. A datagram gets the same reply when it is cut to the bytes
// that can make a difference. Every line to the adapter gets one line of JSON.
//
// The first byte chooses the dialect, the second the profile, the width and the limits, the third
// the place of the cut; the rest is what comes. Of datagrams, a zero separates them.
#include "reference/session/session.hpp"

#include <algorithm>
#include <vector>

#include "base/fuzz/requirement.hpp"
#include "base/json.hpp"
#include "protocol/dialects.hpp"
#include "protocol/rules/ratelimit_rules.hpp"
#include "reference/session/adapter_session.hpp"
#include "reference/session/datagram_session.hpp"

namespace hallmark::server {
namespace {

using base::ByteView;
using fuzz::require;
using protocol::Dialect;
using protocol::Readings;

constexpr model::Time start = 1'795'166'096'000'000'000;
constexpr model::Time millisecond = 1'000'000;

/// The bits of the second byte.
struct Choice {
  explicit Choice(std::uint8_t byte)
      : profile((byte & 1) != 0 ? protocol::Profile::literal : protocol::Profile::deployed),
        width(byte >> 1 & 3),
        tight((byte & 8) != 0) {}

  protocol::Profile profile;
  std::size_t width;
  bool tight;  ///< small limits
};

/// A connection to a server of its own.
class Stream {
 public:
  Stream(const Readings& readings, protocol::Width width, bool tight)
      : readings_(readings),
        model_(model::ModelOptions{.value_bytes = static_cast<unsigned>(protocol::bytes_of(width)),
                                   .started_at = start,
                                   .seed = 1,
                                   .version = "5.0.3",
                                   .behaviour = model::behaviour_of(readings)}),
        context_{model_, readings_, tight ? 100 : std::size_t{1} << 20, tight ? 300 : 1U << 20},
        connection_(*model_.open({})),
        session_(make_session(width, context_, connection_)) {
    require(session_ != nullptr, "the dialect has the width");
  }

  /// Answers until nothing whole is left; the replies are sent whenever the session waits for that.
  void receive(ByteView bytes) {
    if (finished) return;
    in_.append(bytes);
    for (SessionState state = SessionState::throttled; state == SessionState::throttled;) {
      const std::size_t before = in_.size();
      std::vector<Delivery> deliveries;
      state = session_->process(in_, out_, deliveries);
      require(state != SessionState::throttled || !out_.empty() || in_.size() < before,
              "a session that waits has something to send");
      replies += base::as_text(out_.view());
      out_.clear();
      for (const Delivery& delivery : deliveries) {
        require(delivery.recipient == connection_.number, "nobody else is there to receive");
        delivered += base::as_text(delivery.frame->view());
      }
      finished = state == SessionState::finished;
    }
    require(finished || in_.size() <= context_.max_value_bytes + largest_header,
            "a request that is too large is not kept");
  }

  std::size_t kept() const { return in_.size(); }

  std::string replies;
  std::string delivered;
  bool finished = false;

 private:
  static constexpr std::size_t largest_header = 1024;

  Readings readings_;
  model::Model model_;
  SessionContext context_;
  model::Connection& connection_;
  std::unique_ptr<Session> session_;
  protocol::ByteBuffer in_;
  protocol::ByteBuffer out_;
};

void answer_stream(const Dialect& dialect, const Choice& choice, ByteView bytes, std::size_t cut) {
  const Readings readings(dialect, choice.profile);
  const protocol::Width width = dialect.widths[choice.width % dialect.widths.size()];
  Stream whole(readings, width, choice.tight);
  whole.receive(bytes);
  Stream pieces(readings, width, choice.tight);
  pieces.receive(bytes.first(cut));
  pieces.receive(bytes.subspan(cut));
  require(whole.replies == pieces.replies, "replies do not depend on the cut", dialect.name);
  require(whole.delivered == pieces.delivered, "deliveries do not depend on the cut", dialect.name);
  require(whole.finished == pieces.finished, "the end does not depend on the cut", dialect.name);
  require(whole.finished || whole.kept() == pieces.kept(), "the rest does not depend on the cut",
          dialect.name);
}

/// A server of its own for datagrams.
class Datagrams {
 public:
  explicit Datagrams(const Readings& readings)
      : limiter_(protocol::ratelimit::example_rules(), model::rate_behaviour_of(readings), 1000),
        session_(limiter_, readings) {}

  std::string answer(ByteView datagram, model::Time now) {
    // A copy of exactly its size: a sanitizer then sees reads beyond it.
    const base::Bytes copy(datagram.begin(), datagram.end());
    out_.clear();
    const std::size_t size = session_.answer(copy, now, out_);
    require(size == out_.size(), "the size of a reply is that of its bytes");
    return std::string(base::as_text(out_.view()));
  }

  ByteView cut(ByteView datagram) const {
    return datagram.first(std::min(datagram.size(), session_.most_bytes()));
  }

 private:
  model::RateLimiter limiter_;
  DatagramSession session_;
  protocol::ByteBuffer out_;
};

void answer_datagrams(const Dialect& dialect, const Choice& choice, fuzz::Input input) {
  const Readings readings(dialect, choice.profile);
  Datagrams whole(readings);
  Datagrams cut(readings);
  model::Time now = start;
  do {
    const ByteView datagram = base::as_bytes(input.until('\0'));
    const std::string reply = whole.answer(datagram, now);
    require(reply == cut.answer(cut.cut(datagram), now), "the rest of a datagram changes nothing",
            base::as_text(datagram));
    now += millisecond;
  } while (!input.bytes().empty());
}

void answer_lines(const Dialect& dialect, const Choice& choice, std::string_view text,
                  std::size_t cut) {
  const Readings readings(dialect, choice.profile);
  AdapterSession whole("1", readings);
  std::string answers;
  whole.receive(text, answers);
  AdapterSession pieces("1", readings);
  std::string same;
  pieces.receive(text.substr(0, cut), same);
  pieces.receive(text.substr(cut), same);
  require(answers == same, "answers do not depend on the cut", answers);
  require(std::ranges::count(answers, '\n') == std::ranges::count(text, '\n'),
          "every line gets an answer", answers);
  for (std::string_view rest = answers; !rest.empty();) {
    const std::string_view line = base::take_line(rest);
    const auto json = base::parse_json(line);
    require(json && json->is_object() && json->contains("id"), "an answer is an object with an id",
            line);
  }
}

}  // namespace
}  // namespace hallmark::server

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  fuzz::Input input(data, size);
  const protocol::Dialect& dialect =
      *protocol::all_dialects[input.first() % protocol::all_dialects.size()];
  const server::Choice choice(input.first());
  const std::size_t place = input.first();
  const std::size_t cut = place * (input.bytes().size() + 1) / 256;
  switch (dialect.transport) {
    case protocol::Transport::stream:
      server::answer_stream(dialect, choice, input.bytes(), cut);
      break;
    case protocol::Transport::datagram: server::answer_datagrams(dialect, choice, input); break;
    default: server::answer_lines(dialect, choice, input.text(), cut);
  }
  return 0;
}
