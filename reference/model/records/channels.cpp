#include "reference/model/records/channels.hpp"

namespace hallmark::model {

bool Channels::subscribe(const Moment& at, Connection& connection, std::string_view name) {
  if (subscriptions_ >= max_subscriptions_ || !allows_length(name.size())) return false;
  auto found = channels_.find(name);
  if (found == channels_.end()) {
    found = channels_.try_emplace(std::string(name)).first;
    found->second.name = name;
  }
  Channel& channel = found->second;
  if (!connection.subscriptions.emplace(&channel, next_subscription_).second) {
    return behaviour_.subscribe_twice_accepted;
  }
  channel.subscribers.emplace(next_subscription_, Subscription{&connection, to_wire(at.now)});
  ++next_subscription_;
  ++subscriptions_;
  return true;
}

bool Channels::unsubscribe(Connection& connection, std::string_view name) {
  const auto found = channels_.find(name);
  if (found == channels_.end()) return behaviour_.unsubscribe_absent_accepted;
  const auto membership = connection.subscriptions.find(&found->second);
  if (membership == connection.subscriptions.end()) {
    return behaviour_.unsubscribe_absent_accepted;
  }
  const std::uint64_t subscription = membership->second;
  connection.subscriptions.erase(membership);
  remove(found->second, subscription);
  return true;
}

void Channels::leave_all(Connection& connection) {
  for (const auto& [channel, subscription] : connection.subscriptions)
    remove(*channel, subscription);
  connection.subscriptions.clear();
}

void Channels::remove(Channel& channel, std::uint64_t subscription) {
  channel.subscribers.erase(subscription);
  --subscriptions_;
  if (channel.subscribers.empty()) channels_.erase(channels_.find(channel.name));
}

bool Channels::publish(Connection& publisher, std::string_view name, std::uint64_t payload_bytes,
                       std::vector<Connection*>& recipients) {
  recipients.clear();
  const auto found = channels_.find(name);
  if (!allows_length(name.size()) || !allows_length(payload_bytes)) return false;
  if (found == channels_.end()) return behaviour_.publish_nobody_accepted;
  Channel& channel = found->second;
  channel.read_bytes += payload_bytes;
  publisher.published_bytes += payload_bytes;
  for (auto& [key, subscription] : channel.subscribers) {
    if (subscription.connection == &publisher) {
      subscription.read_bytes += payload_bytes;
      if (!behaviour_.publish_self) continue;
    }
    subscription.write_bytes += payload_bytes;
    subscription.connection->received_bytes += payload_bytes;
    channel.write_bytes += payload_bytes;
    recipients.push_back(subscription.connection);
  }
  return true;
}

Channel* Channels::find(std::string_view name) {
  const auto found = channels_.find(name);
  return found == channels_.end() ? nullptr : &found->second;
}

}  // namespace hallmark::model
