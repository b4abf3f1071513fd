#pragma once

#include <list>
#include <map>
#include <memory>
#include <utility>

#include "captures/connection.hpp"

namespace hallmark::captures {

/// The connections of a capture, by their endpoints.
class ConnectionTable {
 public:
  /// At most `most` are followed at the same time: a new one ends that which was silent for
  /// longest.
  ConnectionTable(const Format& format, std::uint16_t server_port, std::size_t most, Sink sink)
      : format_(format), server_port_(server_port), most_(most), sink_(std::move(sink)) {}

  void add(const Segment& segment, Time at);
  /// Ends all that are open, in the order in which they began.
  void finish();

 private:
  using Key = std::pair<Endpoint, Endpoint>;
  struct Entry {
    Key key;
    std::uint32_t number;
    std::unique_ptr<Connection> connection;  ///< null once it is over
  };
  using Entries = std::list<Entry>;

  Entries::iterator entry_of(const Segment& segment);
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
