#pragma once
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <random>

#include "reference/model/operation.hpp"
#include "reference/model/time.hpp"

namespace hallmark::model {

struct Channel;

/// A connection's id: the 16 bytes of a UUID of version 4.
using ConnectionId = std::array<std::uint8_t, 16>;

/// The other end, as CONNECTION shows it.
struct Peer {
  std::uint8_t ip_version = 4;  ///< 4 or 6; 4 and no text for a peer without an address (Unix)
  std::array<char, 16> ip{};    ///< text, zero-padded
  std::uint16_t port = 0;
  std::array<std::uint8_t, 16> address{};  ///< as bytes; IPv4 in the first four
  bool local = false;                      ///< a Unix socket
};

/// One connection and what CONNECTION and CONNECTIONS show of it.
struct Connection {
  std::uint64_t number = 0;  ///< in order of opening, never used twice
  std::uint64_t owner = 0;   ///< the server's own note (which thread serves it); not looked at here
  ConnectionId id{};
  Peer peer;
  std::uint64_t connected_at = 0;     ///< nanoseconds since the Unix epoch
  std::uint64_t read_bytes = 0;       ///< requests, including the one being answered
  std::uint64_t write_bytes = 0;      ///< replies and deliveries, without the reply being made
  std::uint64_t published_bytes = 0;  ///< payloads
  std::uint64_t received_bytes = 0;   ///< payloads
  std::uint64_t allocated_bytes = 0;  ///< 0, as released servers send it
  std::uint64_t consumed_bytes = 0;   ///< 0, as released servers send it
  std::array<std::uint64_t, operation_count> requests{};

  /// Channels subscribed to, with the key of the subscription there.
  boost::unordered_flat_map<Channel*, std::uint64_t> subscriptions;
};

/// The connections that are open, in the order they were opened.
class Connections {
 public:
  /// Ids are drawn from `seed`: the same seed gives the same ids.
  Connections(std::uint64_t seed, std::size_t max_connections)
      : random_(seed), max_connections_(max_connections) {}

  /// A new connection, or nullptr when there are as many as allowed. Lives until `close`.
  Connection* open(const Moment& at, const Peer& peer);

  /// Forgets a connection; it must have left its channels.
  void close(Connection& connection);

  /// Returns the one of that id, or nullptr.
  const Connection* find(const ConnectionId& id) const;

  /// Returns the one at that place among those that are open, from 0, or nullptr.
  const Connection* at(std::uint64_t place) const;

  /// The place of a connection that is open.
  std::uint64_t place_of(const Connection& connection) const;

  std::size_t size() const { return by_number_.size(); }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [number, connection] : by_number_) visit(*connection);
  }

 private:
  struct IdHash {
    std::size_t operator()(const ConnectionId& id) const;
  };

  ConnectionId draw_id();

  std::mt19937_64 random_;
  std::size_t max_connections_;
  std::uint64_t next_number_ = 1;
  std::map<std::uint64_t, std::unique_ptr<Connection>> by_number_;
  boost::unordered_flat_map<ConnectionId, const Connection*, IdHash> by_id_;
};

}  // namespace hallmark::model
