#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/drivers/stream/network.hpp"
#include "conformance/drivers/stream/wire_format.hpp"
#include "protocol/record.hpp"

namespace hallmark::conformance::testing {

/// The defects that a server may have.
enum class Bug : std::uint8_t {
  none,
  keeps_expired,          ///< nothing ever expires
  expires_early,          ///< at half of the TTL
  reinserts,              ///< INSERT replaces
  insert_replies_twice,   ///< one status too many
  query_replies_failure,  ///< QUERY finds nothing
  query_big_endian,       ///< the quota is big-endian
  query_short,            ///< the last byte of the reply is missing
  query_ttl_in_ms,        ///< the TTL is in milliseconds whatever its type
  query_without_status,   ///< the status byte is missing
  decrease_wraps,         ///< below zero
  increase_off_by_one,    ///< adds one too much
  purge_keeps,            ///< PURGE says success and does nothing
  set_truncates,          ///< the last byte of a value is lost
  forgets_split,          ///< forgets the bytes before a cut
  answers_publish,        ///< although the reading says that PUBLISH has no reply
  delivers_twice,
  misjudges_publisher,  ///< delivers to the publisher where it must not, and not where it must
  delivers_after_unsubscribe,
  stays_subscribed,    ///< without deliveries: who subscribes again is refused
  delivers_backwards,  ///< a publication goes to the subscribers in the place of the one before
  shared_id,           ///< WHOAMI gives every connection one id
  changing_id,         ///< WHOAMI gives another id each time
  closes_on_whoami,    ///< knows no such operation
  other_request_id,    ///< replies carry the id of the request before
  replies_backwards,   ///< the replies to the requests of one segment come last first
  reads_one_request,   ///< of a segment, and drops the rest
  other_channel,       ///< a publication names another channel than it came on
  waits_for_rest,      ///< of a request, and handles no other bytes before it
  greets_everyone,     ///< something is published on `*` after every request
};

/// A small server of any version of Throttr, written with the generic codec and nothing of the
/// reference server: records, channels and WHOAMI. It gives the answers of released servers,
/// whatever the readings say, and closes connections that ask for more.
class FakeServer {
 public:
  FakeServer(const WireFormat& format, Bug bug = Bug::none) : format_(format), bug_(bug) {}

  using Connection = int;
  Connection accept() { return next_connection_++; }
  /// The connection that is accepted next.
  Connection next() const { return next_connection_; }
  void leave(Connection connection);

  /// Bytes of one segment, at that time.
  void receive(Connection connection, base::ByteView bytes, Time now);

  /// The bytes on their way to the connection; the caller takes them.
  base::Bytes& outbox(Connection connection) { return peers_[connection].outbox; }
  bool closed(Connection connection) { return peers_[connection].closed; }

  /// A message on its way to a connection.
  struct Written {
    Connection to;
    std::string operation;  ///< that it replies to; empty: a push
    std::size_t size;
  };
  /// The messages written since the last call, as a server without bugs writes them.
  std::vector<Written> take_written() { return std::exchange(written_, {}); }

 private:
  struct Peer {
    base::Bytes inbox;
    base::Bytes outbox;
    bool closed = false;
    bool left = false;  ///< while its requests wait
  };
  struct Stored {
    bool is_counter = true;
    std::uint64_t quota = 0;
    base::Bytes value;
    std::uint64_t ttl_type = 1;
    Time expires = 0;
  };

  /// Answers the whole requests that have come.
  void consume(Connection from);
  /// Answers everybody who has waited, up to the next half of a request.
  void catch_up();
  void answer(Connection from, const protocol::Operation& operation,
              const protocol::Record& request);
  void handle(Connection from, const protocol::Operation& operation,
              const protocol::Record& request);
  void reply(Connection to, protocol::MessageName operation, const protocol::Record& values);
  void status(Connection to, protocol::MessageName operation, bool success);
  Stored* find(const protocol::Record& request);
  /// The TTL type of a request, or the one that an unlisted type is taken for; nothing if it is
  /// refused.
  std::optional<std::uint64_t> listed_type(const protocol::Record& request) const;
  bool insert(const protocol::Record& request);
  bool set(const protocol::Record& request);
  bool update(const protocol::Record& request);
  bool update_quota(Stored& stored, std::uint64_t change, std::uint64_t value) const;
  void query(Connection from, const protocol::Record& request);
  void get(Connection from, const protocol::Record& request);
  bool subscribe(Connection from, const protocol::Record& request);
  bool unsubscribe(Connection from, const protocol::Record& request);
  void publish(Connection from, const protocol::Record& request);
  void deliver(Connection to, const base::Bytes& channel, const base::Bytes& payload);
  void whoami(Connection from);
  std::uint64_t left(const Stored& stored) const;
  Time lifetime(std::uint64_t ttl_type, std::uint64_t ttl) const;

  const WireFormat& format_;
  Bug bug_;
  Time now_ = 0;
  std::uint64_t request_id_ = 0;
  Connection next_connection_ = 1;
  std::uint8_t whoami_calls_ = 0;
  std::map<Connection, Peer> peers_;
  std::optional<Connection> half_from_;  ///< the rest of whose request everybody waits for
  std::map<base::Bytes, Stored> store_;
  std::map<base::Bytes, std::set<Connection>> channels_;
  std::set<Connection> stay_subscribed_;
  std::map<Connection, base::Bytes> held_back_;
  std::vector<Written> written_;
};

}  // namespace hallmark::conformance::testing
