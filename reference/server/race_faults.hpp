#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "reference/mutants/mutant.hpp"
#include "reference/protocol/decode.hpp"
#include "reference/server/session.hpp"

namespace hallmark::server {

using ConnectionNumber = std::uint64_t;

/// A request that a connection sent some time ago.
struct Trace {
  ConnectionNumber connection = 0;
  std::uint64_t owner = 0;  ///< the note that the server left with the connection
  model::Time at = 0;       ///< nanoseconds since the Unix epoch
  std::string name = {};    ///< of the key, pair or channel that it is about
  protocol::Record values = {};
  protocol::Bytes reply = {};
};

/// A time at which what a key holds goes away, whatever that is by then.
struct Timer {
  std::string key;
  model::Time at = 0;
  protocol::Record name = {};
  bool stale = false;  ///< the record that it was made for is gone
};

/// What the connections of a server leave for each other.
struct RaceMemory {
  /// By what was done and the name of the key or channel: the last request of which that was so.
  std::map<std::pair<std::string, std::string>, Trace> last = {};
  std::map<std::pair<ConnectionNumber, std::string>, Trace> told = {};  ///< what each was told
  std::map<std::string, protocol::Bytes> values_before = {};            ///< of buffers
  std::deque<Trace> deferred = {};  ///< updates that others do not see yet
  std::deque<Timer> timers = {};
  std::map<ConnectionNumber, std::vector<Delivery>> held_back = {};  ///< by publisher
};

/// A request of one connection, and those who can answer it.
struct RacingRequest {
  const protocol::Dialect& dialect;
  const protocol::Operation& operation;
  const protocol::Record& values;
  std::string name;  ///< of the key, pair or channel that it is about
  ConnectionNumber connection;
  std::uint64_t owner;  ///< the note that the server left with the connection
  model::Time now;
  std::uint64_t maximum;  ///< of the width
  RaceMemory& memory;
  std::vector<Delivery>& deliveries;
  /// The right answer to a request; what it publishes is added to `deliveries`.
  std::function<protocol::Bytes(std::string_view operation, protocol::Record values)> ask;
  /// The values of a reply to this operation, and the reply of those values.
  std::function<protocol::Record(const protocol::Bytes& reply)> read;
  std::function<protocol::Bytes(const protocol::Record& values)> write;
  /// The request that follows on the connection, if it is of that operation and about the same
  /// record: it counts as taken.
  std::function<std::optional<protocol::Record>(std::string_view operation)> take_next;

  bool is(std::string_view name_of_operation) const { return operation.name == name_of_operation; }
};

/// How one mutant answers.
struct RaceFault {
  mutants::Index mutant;
  protocol::Bytes (*answer)(RacingRequest&);
};

/// That of the mutant that is switched on; null when it is of another kind.
const RaceFault* active_race_fault();

}  // namespace hallmark::server
