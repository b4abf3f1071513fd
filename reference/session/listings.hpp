#pragma once
// How listings show their entries. These are types of their own, and not lambdas of a session: each
// width has a session, and what encodes a listing would be generated for each of them.

#include "reference/session/reply_values.hpp"

namespace hallmark::server {

/// LIST.
struct ListedKey {
  auto operator()(const model::EntryView& entry) const { return list_values(entry); }
  static std::size_t name_size(const model::EntryView& entry) { return entry.key.size(); }
};

/// STATS.
struct MeasuredKey {
  auto operator()(const model::EntryView& entry) const {
    return stat_values(entry.key, entry.metrics);
  }
  static std::size_t name_size(const model::EntryView& entry) { return entry.key.size(); }
};

/// CONNECTIONS.
struct ListedConnection {
  bool raw_ip;
  auto operator()(const model::Connection* each) const { return connection_values(*each, raw_ip); }
  static std::size_t name_size(const model::Connection*) { return 0; }
};

/// CHANNELS.
struct ListedChannel {
  auto operator()(const model::Channel* each) const { return channel_values(*each); }
  static std::size_t name_size(const model::Channel* each) { return each->name.size(); }
};

/// CHANNEL.
struct ListedSubscriber {
  template <class Entry>
  auto operator()(const Entry& entry) const {
    return subscriber_values(entry.second);
  }
};

}  // namespace hallmark::server
