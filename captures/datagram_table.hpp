#pragma once

#include <list>
#include <map>
#include <memory>

#include "captures/datagram_dialogue.hpp"
#include "captures/segment.hpp"

namespace hallmark::captures {

/// The datagrams of a capture, by their endpoints.
class DatagramTable {
 public:
  /// `server_port`: of the server; 0: unknown. At most `most` pairs of endpoints are followed at
  /// the same time: a new one ends that which was silent for longest. `format` has to outlive it.
  DatagramTable(const Format& format, std::uint16_t server_port, std::size_t most, Sink sink)
      : format_(format), server_port_(server_port), most_(most), sink_(std::move(sink)) {}

  /// False for a datagram that begins no dialogue: without a port, only a message begins one.
  bool add(const UdpDatagram& datagram, Time at);
  /// Ends all that are open, in the order in which they began.
  void finish();

 private:
  struct Entry {
    Endpoint client, server;
    std::uint32_t number;
    Time last;
    DatagramDialogue dialogue;
  };
  using Key = std::pair<Endpoint, Endpoint>;
  using Entries = std::list<Entry>;

  Entry* entry_of(const UdpDatagram& datagram, Time at);
  bool begin(const UdpDatagram& datagram, Time at);
  void end(Entry& entry, const std::string& how);
  void make_room();

  const Format& format_;
  std::uint16_t server_port_;
  std::size_t most_;
  Sink sink_;
  Entries entries_;  ///< the one that was silent for longest comes first
  std::map<Key, Entries::iterator> index_;
  std::uint32_t count_ = 0;
};

}  // namespace hallmark::captures
