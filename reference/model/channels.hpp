#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/model/behaviour.hpp"
#include "reference/model/connections.hpp"

namespace hallmark::model {

/// One connection's membership of a channel, as CHANNEL shows it.
struct Subscription {
  Connection* connection = nullptr;
  std::uint64_t subscribed_at = 0;  ///< nanoseconds since the Unix epoch
  std::uint64_t read_bytes = 0;     ///< payloads this connection published here
  std::uint64_t write_bytes = 0;    ///< payloads delivered to it from here
};

/// A channel exists while somebody is subscribed to it.
struct Channel {
  std::string name;
  std::uint64_t read_bytes = 0;   ///< payloads published here
  std::uint64_t write_bytes = 0;  ///< payloads delivered from here, once per recipient
  std::map<std::uint64_t, Subscription> subscribers;  ///< in order of subscription
};

/// Publish and subscribe.
class Channels {
 public:
  explicit Channels(std::size_t max_subscriptions = std::numeric_limits<std::size_t>::max(),
                    const Behaviour& behaviour = {})
      : max_subscriptions_(max_subscriptions), behaviour_(behaviour) {}
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;

  /// False when already subscribed, or when there are as many subscriptions as allowed. What the
  /// documents leave open, here and below, is answered as the behaviour says.
  bool subscribe(const Moment& at, Connection& connection, std::string_view name);

  /// False when not subscribed.
  bool unsubscribe(Connection& connection, std::string_view name);

  /// Ends all subscriptions of a connection that goes away.
  void leave_all(Connection& connection);

  /// Accounts for a publication and fills `recipients`, in order of subscription, without the
  /// publisher (who need not be subscribed). False when the channel has no subscriber at all.
  bool publish(Connection& publisher, std::string_view name, std::uint64_t payload_bytes,
               std::vector<Connection*>& recipients);

  /// By name, or nullptr.
  const Channel* find(std::string_view name) const;

  std::size_t size() const { return channels_.size(); }
  std::size_t subscriptions() const { return subscriptions_; }

  /// Visits the channels in order of their names.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [name, channel] : channels_) visit(channel);
  }

 private:
  void remove(Channel& channel, std::uint64_t subscription);

  bool allows_length(std::uint64_t length) const {
    return length != 0 || !behaviour_.empty_names_refused;
  }

  std::size_t max_subscriptions_;
  Behaviour behaviour_;
  std::size_t subscriptions_ = 0;
  std::uint64_t next_subscription_ = 0;
  std::map<std::string, Channel, std::less<>> channels_;
};

}  // namespace hallmark::model
