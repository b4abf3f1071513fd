#include <algorithm>
#include <map>
#include <string>

#include "reference/faults/bugs.hpp"
#include "reference/faults/channels/pub_sub_fault.hpp"

namespace hallmark::faults {
namespace {

struct SubscribesNothing : AroundPubSub {
  using AroundPubSub::AroundPubSub;
  bool subscribe(const Moment&, Connection&, std::string_view) override { return true; }
};

struct OneChannelEach : AroundPubSub {
  using AroundPubSub::AroundPubSub;
  bool subscribe(const Moment& at, Connection& connection, std::string_view name) override {
    right.leave_all(connection);
    return right.subscribe(at, connection, name);
  }
};

struct UnsubscribeKeeps : AroundPubSub {
  using AroundPubSub::AroundPubSub;
  bool unsubscribe(Connection& connection, std::string_view name) override {
    return is_subscribed(connection, name) || right.unsubscribe(connection, name);
  }
};

struct UnsubscribeAll : AroundPubSub {
  using AroundPubSub::AroundPubSub;
  bool unsubscribe(Connection& connection, std::string_view name) override {
    if (!right.unsubscribe(connection, name)) return false;
    right.leave_all(connection);
    return true;
  }
};

struct ToThePublisher : AroundPubSub {
  using AroundPubSub::AroundPubSub;
  bool publish(Connection& publisher, std::string_view name, std::uint64_t payload_bytes,
               std::vector<Connection*>& recipients) override {
    if (!right.publish(publisher, name, payload_bytes, recipients)) return false;
    const bool receives = std::ranges::find(recipients, &publisher) != recipients.end();
    if (!receives && is_subscribed(publisher, name)) recipients.push_back(&publisher);
    return true;
  }
};

/// Every second subscription of a connection outlives it.
class SecondOnesStay : public AroundPubSub {
 public:
  using AroundPubSub::AroundPubSub;

  bool subscribe(const Moment& at, Connection& connection, std::string_view name) override {
    if (!right.subscribe(at, connection, name)) return false;
    names_[&connection].emplace_back(name);
    return true;
  }

  void leave_all(Connection& connection) override {
    const auto names = names_.extract(&connection);
    right.leave_all(connection);
    if (names.empty()) return;
    for (std::size_t i = 1; i < names.mapped().size(); i += 2)
      right.subscribe({}, nobody_, names.mapped()[i]);
  }

 private:
  Connection nobody_;
  std::map<const Connection*, std::vector<std::string>> names_;
};

/// Remembers the names of channels that somebody was subscribed to.
class EmptyOnesStay : public AroundPubSub {
 public:
  using AroundPubSub::AroundPubSub;

  bool subscribe(const Moment& at, Connection& connection, std::string_view name) override {
    if (!right.subscribe(at, connection, name)) return false;
    Channel& channel = known_[std::string(name)];
    channel.name = name;
    return true;
  }

  Channel* find(std::string_view name) override {
    Channel* const found = right.find(name);
    const auto known = known_.find(name);
    return found != nullptr || known == known_.end() ? found : &known->second;
  }

  void for_each(const std::function<void(const Channel&)>& visit) const override {
    for (const auto& [name, channel] : known_) {
      const Channel* const found = right.find(name);
      visit(found != nullptr ? *found : channel);
    }
  }

 private:
  std::map<std::string, Channel, std::less<>> known_;
};

/// The server subscribes a connection before it has asked anything.
struct OwnMissing : AroundPubSub {
  using AroundPubSub::AroundPubSub;
  bool subscribe(const Moment& at, Connection& connection, std::string_view name) override {
    return connection.read_bytes == 0 || right.subscribe(at, connection, name);
  }
};

struct TrafficNotCounted : AroundPubSub {
  using AroundPubSub::AroundPubSub;
  bool publish(Connection& publisher, std::string_view name, std::uint64_t payload_bytes,
               std::vector<Connection*>& recipients) override {
    Channel* const channel = right.find(name);
    const std::uint64_t before = channel == nullptr ? 0 : channel->read_bytes;
    const bool published = right.publish(publisher, name, payload_bytes, recipients);
    if (channel != nullptr) channel->read_bytes = before;
    return published;
  }
};

}  // namespace

Bugs channel_bugs() {
  return {
      {.id = "subscribe.nothing",
       .breaks = "SUBSCRIBE succeeds and has no effect",
       .violates = {{"throttr-7.1", {"subscribe.starts", "publish.delivers"}}},
       .code = pub_sub<SubscribesNothing>(),
       .settles = "what SUBSCRIBE does"},
      {.id = "subscribe.one-channel-each",
       .breaks = "a SUBSCRIBE ends the other subscriptions of its connection",
       .violates = {{"throttr-7.1", {"subscribe.starts"}}},
       .code = pub_sub<OneChannelEach>(),
       .settles = "what SUBSCRIBE does"},
      {.id = "unsubscribe.keeps",
       .breaks = "UNSUBSCRIBE succeeds and has no effect",
       .violates = {{"throttr-7.1", {"unsubscribe.finishes"}}},
       .code = pub_sub<UnsubscribeKeeps>(),
       .settles = "what UNSUBSCRIBE does"},
      {.id = "unsubscribe.all",
       .breaks = "UNSUBSCRIBE ends all subscriptions of its connection",
       .violates = {{"throttr-7.1", {"unsubscribe.finishes"}}},
       .code = pub_sub<UnsubscribeAll>(),
       .settles = "what UNSUBSCRIBE does"},
      {.id = "publish.to-the-publisher",
       .breaks = "a publisher receives what it publishes",
       .violates = {{"throttr-7.1", {"silence.publish-self"}}},
       .code = pub_sub<ToThePublisher>()},
      {.id = "channels.second-ones-stay",
       .breaks = "every second subscription of a connection that has ended is still counted",
       .violates = {{"throttr-7.1", {"channel.found"}}},
       .code = pub_sub<SecondOnesStay>()},
      {.id = "channels.empty-ones-stay",
       .breaks = "a channel without subscribers is still listed",
       .violates = {{"throttr-7.1", {"channel.missing"}}},
       .code = pub_sub<EmptyOnesStay>()},
      {.id = "channels.own-missing",
       .breaks = "a connection is subscribed neither to * nor to its own id",
       .violates = {{"throttr-7.3", {"channels.own"}}},
       .code = pub_sub<OwnMissing>()},
      {.id = "channels.traffic-not-counted",
       .breaks = "CHANNELS counts no bytes that are published",
       .violates = {{"throttr-7.1", {"channels.entry"}}},
       .code = pub_sub<TrafficNotCounted>()},
  };
}

}  // namespace hallmark::faults
