#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <set>

#include "conformance/evidence.hpp"
#include "conformance/message.hpp"
#include "conformance/patterns.hpp"
#include "conformance/run_context.hpp"
#include "conformance/verdict.hpp"

namespace hallmark::conformance {

/// A request as bytes.
struct Outgoing {
  const protocol::Operation* operation;
  protocol::Bytes bytes;
};

/// Precondition: the values are those of the operation's request.
Outgoing encoded(const WireFormat& format, const Request& request);

/// A new connection; ends the case (CaseEnded) where there is none.
std::unique_ptr<Link> open_link(RunContext& context);

/// One connection to the target: requests out, replies in their order, pushes between them.
/// Whatever the target does wrong ends the case (CaseEnded) with what was expected and what came.
class Conversation {
 public:
  /// `evidence` may be null.
  Conversation(RunContext& context, Evidence* evidence, std::string name,
               std::unique_ptr<Link> link);

  const std::string& name() const { return name_; }

  void send(const Request& request);
  /// All in one segment, as far as TCP lets one say so.
  void send_together(std::span<const Outgoing> requests);
  /// Cut at those offsets, in ascending order; `between` is called before each further part.
  void send_cut(const Outgoing& request, std::span<const std::size_t> cuts,
                const std::function<void()>& between);
  /// Bytes that are no request of the dialect; no reply is waited for.
  void send_raw(protocol::ByteView bytes);

  /// The reply to the oldest request that has none yet.
  Message reply();
  Message reply(const Patterns& expected);
  Message ask(const Request& request);
  Message ask(const Request& request, const Patterns& expected);

  /// The next push, possibly one that came while a reply was waited for.
  Message delivery();
  void delivery(std::string_view payload);

  /// Whether pushes may come: a SUBSCRIBE was sent.
  bool subscribed() const { return subscribed_; }

  /// When the last request was handed over.
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
  [[noreturn]] void refuse(const Message& message, std::string_view field, std::string expected,
                           std::string reason);
  [[noreturn]] void refuse(const Message& message, std::vector<vectors::Mismatch> mismatches,
                           std::optional<protocol::Bytes> expected);

  /// Tells the target that nothing more comes, and takes all that it still sends.
  /// Bounded by the patience of the run and by the largest reply.
  struct Farewell {
    protocol::Bytes bytes;
    Arrival end;  ///< how it ended: `closed`, `reset` or `timed_out`; `bytes`: too many came
  };
  Farewell finish();

 private:
  struct Pending {
    const protocol::Operation* operation;
    Time sent;
  };

  protocol::ByteView buffered() const { return protocol::ByteView(buffer_).subspan(head_); }
  void write(protocol::ByteView bytes);
  void expect_reply(const Outgoing& request);
  void note_channel(const Outgoing& request);
  Message read_message();
  protocol::Layout next_layout();
  std::string awaited() const;
  void fill(const protocol::Layout& layout, Time until);
  Message take(protocol::Decoder decoder);
  [[noreturn]] void ended(const protocol::Layout& layout, Arrival arrival);
  [[noreturn]] void malformed(const protocol::Decoder& decoder);
  [[noreturn]] void surplus(const std::string& what);

  RunContext& context_;
  Evidence* evidence_;
  std::string name_;
  std::unique_ptr<Link> link_;
  protocol::Bytes buffer_;
  std::size_t head_ = 0;
  Time last_sent_ = 0;
  Time last_received_ = 0;
  bool subscribed_ = false;
  std::set<protocol::Bytes> channels_;
  std::deque<Pending> pending_;
  std::deque<Message> replies_;
  std::deque<Message> pushes_;
};

}  // namespace hallmark::conformance
