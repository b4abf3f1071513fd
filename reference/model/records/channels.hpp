#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/model/behaviour.hpp"
#include "reference/model/records/connections.hpp"

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

/// Publish and subscribe. What the documents leave open is answered as the behaviour says.
class PubSub {
 public:
  PubSub() = default;
  PubSub(const PubSub&) = delete;
  PubSub& operator=(const PubSub&) = delete;
  virtual ~PubSub() = default;

  /// False when already subscribed, or when there are as many subscriptions as allowed.
  virtual bool subscribe(const Moment& at, Connection& connection, std::string_view name) = 0;

  /// False when not subscribed.
  virtual bool unsubscribe(Connection& connection, std::string_view name) = 0;

  /// Ends all subscriptions of a connection that goes away.
  virtual void leave_all(Connection& connection) = 0;

  /// Accounts for a publication and fills `recipients`, in order of subscription, without the
  /// publisher (who need not be subscribed). False when the channel has no subscriber at all.
  virtual bool publish(Connection& publisher, std::string_view name, std::uint64_t payload_bytes,
                       std::vector<Connection*>& recipients) = 0;

  /// Returns the one of that name, or nullptr.
  virtual Channel* find(std::string_view name) = 0;

  /// Return the number of channels with subscribers and the number of subscriptions.
  virtual std::size_t size() const = 0;
  virtual std::size_t subscriptions() const = 0;

  /// Visits the channels in order of their names.
  virtual void for_each(const std::function<void(const Channel&)>& visit) const = 0;
};

/// The channels of a correct server.
class Channels final : public PubSub {
 public:
  explicit Channels(std::size_t max_subscriptions = std::numeric_limits<std::size_t>::max(),
                    const Behaviour& behaviour = {})
      : max_subscriptions_(max_subscriptions), behaviour_(behaviour) {}

  bool subscribe(const Moment& at, Connection& connection, std::string_view name) override;
  bool unsubscribe(Connection& connection, std::string_view name) override;
  void leave_all(Connection& connection) override;
  bool publish(Connection& publisher, std::string_view name, std::uint64_t payload_bytes,
               std::vector<Connection*>& recipients) override;
  Channel* find(std::string_view name) override;
  std::size_t size() const override { return channels_.size(); }
  std::size_t subscriptions() const override { return subscriptions_; }
  void for_each(const std::function<void(const Channel&)>& visit) const override {
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
