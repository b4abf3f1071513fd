#include "captures/datagram_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hallmark::captures {

bool DatagramTable::add(const UdpDatagram& datagram, Time at) {
  Entry* const entry = entry_of(datagram, at);
  if (entry == nullptr) return false;
  entry->last = at;
  const Side from = datagram.from == entry->client ? Side::client : Side::server;
  if (datagram.payload.size() < datagram.length) {
    entry->dialogue.feed_cut(from, datagram.payload.size(), datagram.length, at);
  } else {
    entry->dialogue.feed(from, datagram.payload, at);
  }
  return true;
}

DatagramTable::Entry* DatagramTable::entry_of(const UdpDatagram& datagram, Time at) {
  const Key key = std::minmax(datagram.from, datagram.to);
  if (index_.find(key) == index_.end() && !begin(datagram, at)) return nullptr;
  const auto found = index_.find(key)->second;
  entries_.splice(entries_.end(), entries_, found);
  return &*found;
}

/// The client is known by the server's port, or as the sender of a request.
bool DatagramTable::begin(const UdpDatagram& datagram, Time at) {
  const auto sender = sender_of(format_, datagram.payload);
  const bool by_port = server_port_ != 0;
  if (!by_port && !sender) return false;
  const bool from_client = by_port ? datagram.to.port == server_port_ : sender == Side::client;
  make_room();
  const std::uint32_t number = ++count_;
  const Endpoint& client = from_client ? datagram.from : datagram.to;
  const Endpoint& server = from_client ? datagram.to : datagram.from;
  entries_.push_back({client, server, number, at, DatagramDialogue(format_, number, true, sink_)});
  index_.emplace(std::minmax(datagram.from, datagram.to), std::prev(entries_.end()));
  sink_({number, Opened{to_string(client), to_string(server), at,
                        by_port ? Evidence::port : Evidence::decoding, true}});
  return true;
}

void DatagramTable::make_room() {
  if (entries_.size() < most_) return;
  end(entries_.front(), fmt::format("more than {} others were heard since", most_));
  index_.erase(std::minmax(entries_.front().client, entries_.front().server));
  entries_.pop_front();
}

void DatagramTable::end(Entry& entry, const std::string& how) {
  entry.dialogue.end(how);
  sink_({entry.number, Closed{how, entry.last}});
}

void DatagramTable::finish() {
  entries_.sort([](const Entry& a, const Entry& b) { return a.number < b.number; });
  for (Entry& entry : entries_) end(entry, "the capture ends");
  entries_.clear();
  index_.clear();
}

}  // namespace hallmark::captures
