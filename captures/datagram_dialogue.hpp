#pragma once

#include <deque>
#include <map>

#include "captures/datagram.hpp"

namespace hallmark::captures {

/// Datagrams between a client and a server: each request with its reply behind it, paired by
/// request ids; without one, in order.
class DatagramDialogue {
 public:
  /// If more requests than these wait for a reply, the oldest is given up.
  static constexpr std::size_t most_waiting = 65'536;

  /// `pairs`: false where the other side's datagrams were not given, so that no reply is missed.
  /// `format` has to outlive it.
  DatagramDialogue(const Format& format, std::uint32_t connection, bool pairs, Sink sink);

  void feed(Side from, ByteView datagram, std::optional<Time> at = {});
  /// A datagram of which the capture holds the first `captured` bytes only.
  void feed_cut(Side from, std::size_t captured, std::size_t length, std::optional<Time> at);
  /// The replies that follow are to these operations, in order; otherwise their bytes tell.
  void expect(std::vector<const protocol::Operation*> operations);
  /// Gives up the requests that wait for a reply since before that time: where the dialogue goes on
  /// without an end, what follows a lost datagram is not held back for ever.
  void give_up_before(Time sent);
  /// Settles what is open. `how` is why nothing more comes: "the input ends".
  void end(const std::string& how);

 private:
  /// Something the client sent, and what is said about it once it is known.
  struct Turn {
    std::uint64_t number = 0;  ///< the request's number; 0: it is not a request
    const protocol::Operation* operation = nullptr;
    std::string id;   ///< spelled the way that replies repeat it; empty: none
    std::string key;  ///< empty: none
    Stretch where;
    std::optional<Time> at;
    bool waits = false;
    std::vector<Event> events;
  };

  void take_request(ByteView datagram, const Stretch& where, std::optional<Time> at);
  void take_reply(ByteView datagram, const Stretch& where, std::optional<Time> at);
  void answer(Turn& turn, ByteView datagram, const Stretch& where, std::optional<Time> at);
  void read_alone(ByteView datagram, const Stretch& where, std::optional<Time> at);
  void refuse_unasked(Finding finding, const std::string& id);
  Turn* awaiting(const std::string& id, ByteView datagram);
  std::string id_of(ByteView datagram) const;
  Message message(const protocol::Layout& layout, ByteView datagram, const Stretch& where,
                  std::optional<Time> at) const;
  void add_contradictions(std::vector<Event>& events, const Message& message, Side side,
                          std::uint64_t number) const;
  Event event(decltype(Event::what) what) const { return {connection_, std::move(what)}; }
  Stretch pass(Side side, std::size_t length);
  void tell(Event event);
  void give_up(Turn& turn, std::string why) const;
  void flush();

  const Format& format_;
  std::uint32_t connection_;
  bool pairs_;
  Sink sink_;
  std::deque<Turn> turns_;                         ///< from the first that waits
  std::map<std::string, std::uint64_t> answered_;  ///< numbers of requests by their ids
  std::vector<const protocol::Operation*> expected_;
  std::uint64_t requests_ = 0;
  std::uint64_t replies_ = 0;  ///< that were read alone
  std::uint64_t sent_[2] = {};
};

}  // namespace hallmark::captures
