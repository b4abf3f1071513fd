#pragma once

#include "reference/faults/faults.hpp"

namespace hallmark::faults {

using model::Channel;
using model::Connection;
using model::Moment;
using model::PubSub;

/// Does what `right`, which outlives it, does.
class AroundPubSub : public PubSub {
 public:
  explicit AroundPubSub(PubSub& inner) : right(inner) {}

  bool subscribe(const Moment& at, Connection& connection, std::string_view name) override {
    return right.subscribe(at, connection, name);
  }
  bool unsubscribe(Connection& connection, std::string_view name) override {
    return right.unsubscribe(connection, name);
  }
  void leave_all(Connection& connection) override { right.leave_all(connection); }
  bool publish(Connection& publisher, std::string_view name, std::uint64_t payload_bytes,
               std::vector<Connection*>& recipients) override {
    return right.publish(publisher, name, payload_bytes, recipients);
  }
  Channel* find(std::string_view name) override { return right.find(name); }
  std::size_t size() const override { return right.size(); }
  std::size_t subscriptions() const override { return right.subscriptions(); }
  void for_each(const std::function<void(const Channel&)>& visit) const override {
    right.for_each(visit);
  }

 protected:
  bool is_subscribed(const Connection& connection, std::string_view name) {
    return connection.subscriptions.contains(right.find(name));
  }

  PubSub& right;
};

/// A bug that is an `AroundPubSub`.
template <class Decorating>
Code pub_sub() {
  return [](Faults& faults) {
    faults.pub_sub.emplace_back([](PubSub& right) { return std::make_unique<Decorating>(right); });
  };
}

}  // namespace hallmark::faults
