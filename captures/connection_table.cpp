#include "captures/connection_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::captures {

void ConnectionTable::add(const Segment& segment, Time at) {
  const auto entry = entry_of(segment);
  if (entry == entries_.end()) return;
  const bool begins = segment.syn && !segment.ack;
  if (begins && entry->connection != nullptr && entry->connection->is_another(segment)) {
    entry->connection->end("another connection took its place");
    entry->connection.reset();
  }
  if (entry->connection == nullptr) {
    if (!begins && entry->number != 0) return;  // stragglers of one that is over
    entry->number = ++count_;
    entry->connection = std::make_unique<Connection>(format_, entry->number, server_port_, sink_);
  }
  entry->connection->add(segment, at);
  if (!entry->connection->over()) return;
  entry->connection->end({});
  entry->connection.reset();
}

/// The end where the segment begins nothing and belongs to nothing.
ConnectionTable::Entries::iterator ConnectionTable::entry_of(const Segment& segment) {
  const Key key = std::minmax(segment.from, segment.to);
  if (const auto found = index_.find(key); found != index_.end()) {
    entries_.splice(entries_.end(), entries_, found->second);
    return found->second;
  }
  if (!segment.syn && segment.length == 0) return entries_.end();
  make_room();
  entries_.push_back({key, 0, nullptr});
  return index_.emplace(key, std::prev(entries_.end())).first->second;
}

void ConnectionTable::make_room() {
  if (entries_.size() < most_) return;
  const Entry oldest = std::move(entries_.front());
  entries_.pop_front();
  index_.erase(oldest.key);
  if (oldest.connection == nullptr) return;
  oldest.connection->end(
      fmt::format("it was given up: more than {} connections at the same time", most_));
}

void ConnectionTable::finish() {
  entries_.sort([](const Entry& a, const Entry& b) { return a.number < b.number; });
  for (Entry& entry : entries_) {
    if (entry.connection != nullptr) entry.connection->end("the capture ends");
  }
  entries_.clear();
  index_.clear();
}

}  // namespace hallmark::captures
