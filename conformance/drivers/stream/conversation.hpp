#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "conformance/drivers/stream/message.hpp"
#include "conformance/drivers/stream/outgoing.hpp"
#include "conformance/drivers/stream/patterns.hpp"
#include "conformance/engine/run_context.hpp"
#include "conformance/judgement/evidence.hpp"
#include "conformance/judgement/verdict.hpp"

namespace hallmark::conformance {

/// A new connection; ends the case (CaseEnded) where there is none.
std::unique_ptr<Link> open_link(RunContext& context);

/// One connection to the target: requests out, replies to them, pushes between those. Where the
/// dialect has request ids, every request gets one that no other of the run has, and its reply has
/// to repeat it. Whatever the target does wrong ends the case (CaseEnded) with what was expected
/// and what came.
class Conversation {
 public:
  /// `evidence` may be null.
  Conversation(RunContext& context, Evidence* evidence, std::string name,
               std::unique_ptr<Link> link);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  const std::string& name() const { return name_; }

  void send(const Request& request);
  /// All in one segment, as far as TCP lets one say so.
  void send_together(std::span<const Outgoing> requests);
  /// Cut at those offsets, in ascending order; `between` is called before each further part.
  void send_cut(const Outgoing& request, std::span<const std::size_t> cuts,
                const std::function<void()>& between);
  /// Like `send_together`, but reads nothing meanwhile and does not wait: what the target does not
  /// take at once is kept for `send_more` and `send_rest`.
  void send_ahead(std::span<const Outgoing> requests);
  /// Hands over more of what is kept, again without reading. Returns true if the target took any.
  bool send_more();
  /// Sends all that is kept.
  void send_rest();
  /// Sends the beginning of a request, which may be nothing of it; `complete` sends the rest.
  /// Returns the request as it is sent.
  Outgoing start(const Outgoing& request, std::size_t bytes);
  void complete(const Outgoing& started, std::size_t bytes);
  /// Sends the rest of one request and the beginning of another in one segment; as `start`.
  Outgoing complete_and_start(const Outgoing& started, std::size_t bytes, const Outgoing& next,
                              std::size_t bytes_of_next);
  /// Bytes that are no request of the dialect; no reply is waited for.
  void send_raw(base::ByteView bytes);
  /// Says that nothing more will be sent; replies still come.
  void finish_sending() { link_->finish_sending(); }
  /// Ends the connection as a process that dies does; nothing else is asked of it.
  void reset() { link_->reset(); }

  /// How long a reply is waited for: a third of the deadline, so that two attempts take less time
  /// than others wait, or, unless told, to the deadline.
  enum class Wait : std::uint8_t { briefly, to_the_deadline };
  void wait_for_replies(Wait wait) { wait_ = wait; }

  /// The reply to the oldest request that has none yet.
  Message reply();
  Message reply(const Patterns& expected);
  /// Like `reply`; nothing if the target has ended the connection instead, behind a whole message.
  std::optional<Message> reply_or_end() { return unless_ended(&Conversation::reply); }
  Message ask(const Request& request);
  Message ask(const Request& request, const Patterns& expected);

  /// The next push, possibly one that came while a reply was waited for.
  Message delivery();
  /// Like `delivery`; nothing if the target has ended the connection instead, behind a whole
  /// message.
  std::optional<Message> delivery_or_end() { return unless_ended(&Conversation::delivery); }
  /// Judges it: its payload, and its channel where the dialect says that.
  void delivery(std::string_view channel, std::string_view payload);

  /// Returns true if a push came while replies were waited for, and nobody has asked about it yet.
  bool has_delivery() const { return !pushes_.empty(); }

  /// The number of bytes that came and are no whole message yet.
  std::size_t unread() const { return buffered().size(); }

  /// Returns true if a SUBSCRIBE was sent.
  bool subscribed() const { return subscribed_; }

  /// The time at which the last request was handed over.
  Time last_sent() const { return last_sent_; }

  /// Proves that the target has nothing more to say on this connection: requests whose replies no
  /// other message can be mistaken for follow, and those replies must come next.
  void fence();

  /// No request without its reply, no push and no byte left.
  void require_quiet();

  /// Ends the subscriptions of this connection, whatever the target says to that. A target learns
  /// of a closed connection when it looks; what comes next on the same channels may be sooner.
  void leave_channels();

  /// Judges a message: ends the case with its differences from `expected`, if any.
  void judge(const Message& message, const Patterns& expected);
  /// Ends the case over one field of the message received last.
  [[noreturn]] void refuse(const Message& message, protocol::FieldName field, std::string expected,
                           std::string reason);
  /// The same for a message with a value that is wrong for another reason than the field itself.
  [[noreturn]] void refuse(const Message& message, protocol::FieldName field, std::string expected,
                           std::string reason, Code code);
  [[noreturn]] void refuse(const Message& message, std::vector<vectors::Mismatch> mismatches,
                           std::optional<base::Bytes> expected);

  /// Tells the target that nothing more comes, and takes all that it still sends.
  /// Bounded by the patience of the run and by the largest reply. `budget`: `farewells` where the
  /// connection may go on as well as end.
  struct Farewell {
    base::Bytes bytes;
    Arrival end;  ///< its end: `closed`, `reset` or `timed_out`; `bytes`: too many came
  };
  Farewell finish(Patience::For budget = Patience::For::replies);

 private:
  struct Pending {
    const protocol::Operation* operation;
    Time sent;
    std::size_t number;               ///< its place among the requests of this connection
    std::optional<std::uint64_t> id;  ///< as sent
  };

  base::ByteView buffered() const { return base::ByteView(buffer_).subspan(head_); }
  Outgoing labelled(const Outgoing& request);
  std::vector<Outgoing> labelled(std::span<const Outgoing> requests);
  void judge_rest();
  void write(base::ByteView bytes);
  std::optional<Message> unless_ended(Message (Conversation::*next)());
  void expect_reply(const Outgoing& request);
  void note_channel(const Outgoing& request);
  void read_message();
  const protocol::Push* next_push() const;
  protocol::Layout next_layout();
  void bring_answered_forward(Time& until);
  Patience::For waits_for() const {
    return pending_.empty() ? Patience::For::deliveries : Patience::For::replies;
  }
  std::string awaited() const;
  void fill(const protocol::Layout& layout, Time& until);
  Arrival receive(Time& until);
  Arrival receive_if_anybody_does(Time& until);
  std::optional<Time> time_of_reply(const Pending& pending) const;
  void take(protocol::Decoder decoder);
  void judge_id(const Message& message, const Pending& pending);
  bool is_for_everyone(const Message& push) const;
  [[noreturn]] void ended(const protocol::Layout& layout, Arrival arrival);
  [[noreturn]] void malformed(const protocol::Decoder& decoder);
  [[noreturn]] void surplus(const std::string& what);

  RunContext& context_;
  Evidence* evidence_;
  std::string name_;
  std::unique_ptr<Link> link_;
  base::Bytes buffer_;
  std::size_t head_ = 0;
  base::Bytes unsent_;
  std::size_t unsent_head_ = 0;
  Time waiting_since_ = 0;  ///< for the message that is read
  Wait wait_ = Wait::to_the_deadline;
  Time last_sent_ = 0;
  Time last_received_ = 0;
  bool subscribed_ = false;
  std::set<base::Bytes> channels_;
  std::size_t asked_ = 0;     ///< requests that have or get a reply
  std::size_t answered_ = 0;  ///< replies handed out
  std::deque<Pending> pending_;
  std::map<std::size_t, Message> replies_;  ///< not handed out, by the number of their request
  std::deque<Message> pushes_;
};

}  // namespace hallmark::conformance
