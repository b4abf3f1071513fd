#pragma once

#include <algorithm>
#include <deque>

#include "conformance/drivers/datagram/correspondence.hpp"
#include "conformance/drivers/stream/patterns.hpp"
#include "conformance/judgement/verdict.hpp"

namespace hallmark::conformance {

/// A request without its reply, or a fence without: the case is tried again.
struct Unanswered {
  std::string what;  ///< "get_stats"
  bool fence;        ///< not even the pings behind it were answered
};

/// One go at a case: a socket of its own, what passed on it, and the words in which cases are
/// written. Whatever the target does wrong ends the case (CaseEnded); a reply that does not come
/// ends the attempt (Unanswered).
class Attempt {
 public:
  /// `number` counts from 0: the later, the longer it waits; the `last` as long as the run's
  /// patience lets it.
  Attempt(DatagramContext& context, std::string name, unsigned number, bool last);

  DatagramContext& context() { return context_; }
  const WireFormat& format() const { return *context_.format; }
  bool reads(Chosen answer) const { return format().reads(answer); }
  Time now() const { return context_.network.now(); }
  void wait_until(Time until);

  /// A key that no other case, attempt or run uses.
  std::string own_key(std::string_view part = {}) const;

  /// A request with an id, and its reply. Where asking twice is harmless it is asked again, with
  /// another id.
  Message ask(protocol::MessageName operation, const protocol::Record& fields = {});
  /// The same without an id.
  Message ask_plainly(protocol::MessageName operation, protocol::Record fields = {});
  /// These bytes, and their reply: that of the operation, with that id (empty: none).
  Message ask_exactly(protocol::MessageName operation, base::Bytes datagram, std::string id);

  /// One request, not repeated; nothing where no reply came before that of a ping behind it.
  std::optional<Message> try_once(protocol::MessageName operation, protocol::Record fields);

  /// A socket besides the attempt's own, open as long as that; what passes on it is part of the
  /// evidence.
  Correspondence& further_socket(std::string name);
  /// One request on such a socket; nothing is waited for.
  Correspondence::Ticket send_on(Correspondence& socket, protocol::MessageName operation,
                                 protocol::Record fields);
  /// Its reply; nothing where none came in time, and then none is waited for any more.
  std::optional<Message> reply_on(Correspondence& socket, Correspondence::Ticket ticket,
                                  protocol::MessageName operation);

  /// These bytes must not be answered, however often they are sent.
  void expect_silence(const base::Bytes& datagram);
  /// Returns the answer to these bytes; nothing if none came before that to a ping sent after them.
  /// If nothing comes, they are sent several times.
  std::optional<base::Bytes> answer_to(const base::Bytes& datagram, const std::string& id);

  /// Silence was contradicted: requests without an answer so far may have been lost.
  void doubt_silence();

  /// Ends the case with the differences from `expected`, if any.
  void judge(const Message& message, const Patterns& expected);
  [[noreturn]] void refuse(const Message& message, protocol::FieldName field, std::string expected,
                           std::string reason, std::string likely_cause = {});
  [[noreturn]] void refuse(const Message& message, std::vector<vectors::Mismatch> mismatches,
                           std::optional<base::Bytes> expected);
  [[noreturn]] void fail(std::string reason);
  /// Like `fail`, with a code that names the failure better than one made from the reason.
  [[noreturn]] void fail(Code code, std::string reason);
  /// Like `fail`, for a failure that no loss or doubling on the way can explain.
  [[noreturn]] void fail_for_certain(Code code, std::string reason);
  [[noreturn]] void skip(std::string reason);
  void require(bool condition, std::string_view reason);

  /// Waits for the answer to a ping. Fails the case if any datagram answers no request.
  void settle();

  /// Returns true if datagrams were lost, doubled or late in this attempt; false after
  /// `fail_for_certain`.
  bool disturbed() const {
    return !certain_ &&
           (mail_.disturbed() || std::ranges::any_of(further_, &Correspondence::disturbed));
  }
  Evidence& evidence() { return *evidence_; }
  Correspondence& mail() { return mail_; }

  /// The parts of a finished attempt that are still needed: its sockets stay open.
  struct Remains {
    std::unique_ptr<Evidence> evidence;
    Correspondence mail;
    std::deque<Correspondence> further;
  };
  Remains remains() && { return {std::move(evidence_), std::move(mail_), std::move(further_)}; }

 private:
  using Ticket = Correspondence::Ticket;

  Letter letter_of(const protocol::Operation& operation, protocol::Record fields, std::string id);
  Time pause() const;
  const Received* reply_or_fence(Ticket ticket, std::string_view what);
  void fence(std::string_view what, std::optional<Ticket> stop_at = {});
  std::optional<Message> reply_to(Letter letter);
  Message message_of(Letter letter);
  Message decoded(const protocol::Layout& layout, const Received& received);
  void judge_id(const Message& message, const std::string& id);
  void refuse_stray();
  void refuse_stray_on(const Correspondence& socket);

  DatagramContext& context_;
  std::string name_;
  unsigned number_;
  bool last_;
  bool certain_ = false;
  std::vector<Correspondence::Ticket> silent_;  ///< might have been answered
  std::unique_ptr<Evidence> evidence_;
  Correspondence mail_;
  std::deque<Correspondence> further_;
};

}  // namespace hallmark::conformance
