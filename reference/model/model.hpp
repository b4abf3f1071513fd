#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/model/records/channels.hpp"
#include "reference/model/records/connections.hpp"
#include "reference/model/records/store.hpp"
#include "reference/model/records/traffic.hpp"
#include "reference/model/time.hpp"

namespace hallmark::model {

/// The most that strangers may make a server hold. Beyond a limit an operation fails; see each
/// operation.
struct Limits {
  std::size_t max_keys = std::numeric_limits<std::uint32_t>::max() - 1;
  std::size_t max_value_bytes = std::numeric_limits<std::size_t>::max();
  std::size_t max_connections = std::numeric_limits<std::size_t>::max();
  std::size_t max_subscriptions = std::numeric_limits<std::size_t>::max();
  std::uint64_t max_buffer_bytes = std::numeric_limits<std::uint64_t>::max();
};

struct ModelOptions {
  unsigned value_bytes = 2;  ///< the value width N: 1, 2, 4 or 8
  Time started_at = 0;       ///< nanoseconds since the Unix epoch; minutes are counted from here
  std::uint64_t seed = 0;    ///< makes the connection ids
  std::string version{};     ///< the version in INFO, at most 16 bytes
  Limits limits{};
  Behaviour behaviour{};
};

/// The numbers of INFO, named as in its table.
struct Info {
  std::uint64_t timestamp = 0;  ///< seconds since the Unix epoch
  Rate requests;
  std::array<Rate, operation_count> requests_of;
  Rate read_bytes;
  Rate written_bytes;
  StoreTotals store;
  std::uint64_t subscriptions = 0;
  std::uint64_t channels = 0;
  std::uint64_t running_since = 0;  ///< nanoseconds since the Unix epoch
  std::uint64_t connections = 0;
  std::string_view version;
};

/// The interval at which a scheduler removes expired records, under the reading that leaves this to
/// a scheduler.
inline constexpr Time sweep_interval = 100 * static_cast<Time>(length_of(TtlUnit::milliseconds));

/// Everything a server knows. Deterministic: answers depend on the options, the calls and the time
/// points given to `advance`, on nothing else. Not for use by two threads at once.
class Model {
 public:
  explicit Model(const ModelOptions& options);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// From now on it is `now`, nanoseconds since the Unix epoch. Time does not go back.
  const Moment& advance(Time now) { return clock_.advance(now); }
  const Moment& moment() const { return clock_.moment(); }

  const Behaviour& behaviour() const { return options_.behaviour; }
  Records& store() { return *records_; }
  const Connections& connections() const { return connections_; }
  PubSub& channels() { return *pub_sub_; }

  /// Puts something around the records, or around publish and subscribe, that answers in their
  /// place from now on: `wrap` gets what answered so far and may ask it.
  template <class Wrap>
  void wrap_records(Wrap&& wrap) {
    records_ = around_records_.emplace_back(wrap(*records_)).get();
  }
  template <class Wrap>
  void wrap_pub_sub(Wrap&& wrap) {
    pub_sub_ = around_pub_sub_.emplace_back(wrap(*pub_sub_)).get();
  }

  /// A new connection, or nullptr when there are as many as allowed.
  Connection* open(const Peer& peer);

  /// A connection went away: it leaves its channels and is gone from CONNECTIONS.
  void close(Connection& connection);

  /// Accounts for a request of `bytes` bytes before it is answered, so that the answer counts it.
  void count_request(Connection& connection, Operation operation, std::uint64_t bytes) {
    connection.read_bytes += bytes;
    ++connection.requests[index_of(operation)];
    traffic_.count_request(operation, bytes, moment().minute);
  }

  /// Accounts for bytes sent: a reply once it is made, or a delivery.
  void count_written(Connection& connection, std::uint64_t bytes) {
    connection.write_bytes += bytes;
    traffic_.count_written(bytes, moment().minute);
  }

  bool subscribe(Connection& connection, std::string_view channel) {
    return pub_sub_->subscribe(moment(), connection, channel);
  }
  bool unsubscribe(Connection& connection, std::string_view channel) {
    return pub_sub_->unsubscribe(connection, channel);
  }
  bool publish(Connection& publisher, std::string_view channel, std::uint64_t payload_bytes,
               std::vector<Connection*>& recipients) {
    return pub_sub_->publish(publisher, channel, payload_bytes, recipients);
  }

  /// The numbers of INFO at this moment.
  Info info();

 private:
  ModelOptions options_;
  MinuteClock clock_;
  Store store_;
  Connections connections_;
  Channels channels_;
  Traffic traffic_;
  Records* records_ = &store_;  ///< the store, or what was put around it
  PubSub* pub_sub_ = &channels_;
  std::vector<std::unique_ptr<Records>> around_records_;  ///< the inner ones first
  std::vector<std::unique_ptr<PubSub>> around_pub_sub_;
};

}  // namespace hallmark::model
