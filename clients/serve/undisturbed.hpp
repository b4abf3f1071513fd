#pragma once

#include <map>

#include "clients/serve/stream_service.hpp"

namespace hallmark::clients {

/// A second server that answers every reading as the client expects, and gets the same bytes at the
/// same times: its messages say where those of the first one differ.
class Undisturbed {
 public:
  Undisturbed(const Format& expected, std::uint64_t seed, model::Time now)
      : service_(expected, seed, now) {}

  void advance(model::Time now) { service_.advance(now); }
  void open(const model::Peer& peer) { service_.open(peer); }
  void close(std::uint64_t connection);
  void receive(std::uint64_t connection, base::ByteView bytes);

  /// A message of the first server, in the order of its connection. Returns what this one sends in
  /// its place where that differs; nothing where it does not.
  std::optional<base::Bytes> instead_of(const Message& message);

 private:
  /// Bytes that this server has sent and the first one has not been compared with.
  struct Sent {
    base::Bytes replies{};
    base::Bytes deliveries{};
  };

  StreamService service_;
  std::map<std::uint64_t, Sent> sent_;
};

}  // namespace hallmark::clients
