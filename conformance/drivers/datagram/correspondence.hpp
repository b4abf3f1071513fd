#pragma once

#include <optional>
#include <vector>

#include "conformance/drivers/datagram/datagram_context.hpp"
#include "conformance/drivers/stream/message.hpp"
#include "conformance/judgement/evidence.hpp"

/// Requests and replies on one socket of a datagram dialect.
namespace hallmark::conformance {

/// A request on its way.
struct Letter {
  base::Bytes bytes;
  std::string id;                          ///< its digits; empty: it has none
  std::optional<protocol::Layout> layout;  ///< that of the request; for evidence
  std::optional<protocol::Layout> reply;   ///< that of its reply, likewise
  /// True if it may be answered; otherwise any reply is wrong.
  bool answerable = true;
};

/// A datagram that came in reply.
struct Received {
  base::Bytes bytes;
  Window window;
};

/// Sends requests and finds the request that each datagram answers: by its id, or where it has none
/// by there being one without. Knows nothing of what replies have to say.
class Correspondence {
 public:
  using Ticket = std::size_t;

  Correspondence(DatagramContext& context, Evidence& evidence, std::string name,
                 std::unique_ptr<DatagramLink> link);

  /// An id that no other request of the run has.
  std::string new_id();

  /// Precondition: no other request without an id waits for its reply on this socket.
  Ticket send(Letter letter);

  /// Takes what comes until the request has its reply or `until` has come.
  const Received* wait_for_reply(Ticket ticket, Time until);
  /// Takes what is there already.
  void take_arrived();

  const Received* reply_to(Ticket ticket) const;
  /// No reply is waited for any more; one that comes all the same is late.
  void give_up(Ticket ticket);

  /// The first datagram that answers nothing that was asked; null: there was none.
  const base::Bytes* stray() const { return stray_ ? &*stray_ : nullptr; }
  /// The same, where that is an answer and not a mistake.
  std::optional<base::Bytes> take_stray() { return std::exchange(stray_, std::nullopt); }
  /// Returns true if this socket saw a reply twice or late, or gave one up.
  bool disturbed() const { return disturbed_; }
  /// Returns the number of further replies to requests that had theirs.
  std::size_t repeated() const { return repeated_; }
  /// The target's host says that nobody listens.
  bool refused() const { return refused_; }

 private:
  struct Sent {
    Letter letter;
    Time at;
    std::optional<Received> reply;
    bool given_up = false;
  };

  template <typename Enough>
  void receive_until(Time until, Enough enough);
  bool receive(Time until);
  Sent* sender_of(base::ByteView datagram);
  void accept(base::Bytes datagram, Time at);
  void note_disturbance() { disturbed_ = true; }

  DatagramContext& context_;
  Evidence& evidence_;
  std::string name_;
  std::unique_ptr<DatagramLink> link_;
  std::vector<Sent> sent_;
  std::optional<base::Bytes> stray_;
  std::size_t repeated_ = 0;
  bool disturbed_ = false;
  bool refused_ = false;
};

}  // namespace hallmark::conformance
