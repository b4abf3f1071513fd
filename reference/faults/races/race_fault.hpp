#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "protocol/codec/decode.hpp"
#include "reference/faults/bug.hpp"
#include "reference/session/session.hpp"

namespace hallmark::faults {

using ConnectionNumber = std::uint64_t;
using base::Bytes;
using protocol::Record;
using server::Delivery;

/// A request that a connection sent some time ago.
struct Trace {
  ConnectionNumber connection = 0;
  std::uint64_t owner = 0;  ///< the note that the server left with the connection
  model::Time at = 0;       ///< nanoseconds since the Unix epoch
  std::string name = {};    ///< the key, pair or channel that it is about
  Record values = {};
  Bytes reply = {};
};

/// A time at which what a key holds goes away, whatever that is by then.
struct Timer {
  std::string key;
  model::Time at = 0;
  Record name = {};
  bool stale = false;  ///< the record that it was made for is gone
};

/// The traces that the connections of a server leave for each other.
struct RaceMemory {
  /// The last request of its kind, keyed by what was done and the name of the key or channel.
  std::map<std::pair<std::string, std::string>, Trace> last = {};
  std::map<std::pair<ConnectionNumber, std::string>, Trace> told = {};  ///< what each was told
  std::map<std::string, Bytes> values_before = {};                      ///< of buffers
  std::deque<Trace> deferred = {};  ///< updates that others do not see yet
  std::deque<Timer> timers = {};
  std::map<ConnectionNumber, std::vector<Delivery>> held_back = {};  ///< by publisher
};

/// A request of one connection, and those who can answer it.
struct RacingRequest {
  const protocol::Dialect& dialect;
  const protocol::Operation& operation;
  const Record& values;
  std::string name;  ///< the key, pair or channel that it is about
  ConnectionNumber connection;
  std::uint64_t owner;  ///< the note that the server left with the connection
  model::Time now;
  std::uint64_t maximum;  ///< the largest number of the width
  RaceMemory& memory;
  std::vector<Delivery>& deliveries;
  /// The right answer to a request; what it publishes is added to `deliveries`.
  std::function<Bytes(protocol::MessageName operation, Record values)> ask;
  /// The values of a reply to this operation, and the reply of those values.
  std::function<Record(const Bytes& reply)> read;
  std::function<Bytes(const Record& values)> write;
  /// The request that follows on the connection, if it is of that operation and about the same
  /// record: it counts as taken.
  std::function<std::optional<Record>(protocol::MessageName operation)> take_next;

  bool is(protocol::MessageName name_of_operation) const {
    return operation.name == name_of_operation;
  }
};

/// Makes the reply of a server with one bug.
using RaceFault = Bytes (*)(RacingRequest&);

/// A session that goes wrong with those of other connections. Real races need luck; here requests
/// of several connections that come within some milliseconds always meet. `inner` is of that width,
/// of the context's readings and of that connection; the sessions of a server share the memory.
std::unique_ptr<server::Session> racing(std::unique_ptr<server::Session> inner,
                                        protocol::Width width,
                                        const server::SessionContext& context,
                                        const model::Connection& connection, RaceFault fault,
                                        std::shared_ptr<RaceMemory> memory);

Code race(RaceFault fault);

}  // namespace hallmark::faults
