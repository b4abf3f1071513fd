#include "observe/tap.hpp"

#include <algorithm>

namespace hallmark::observe {
namespace {

base::ByteView view_of(const Ends& ends) {
  return {reinterpret_cast<const std::uint8_t*>(&ends), sizeof ends};
}

}  // namespace

void Tap::open(Line& line, const Ends& ends) {
  line.number = ++count_;
  line.ends = ends;
  ++counts_.opened;
  ++counts_.open;
  announce(line);
}

/// `number` of the record says that bytes passed before it.
bool Tap::announce(Line& line) {
  if (line.announced) return true;
  Record record{.kind = Record::Kind::opened, .connection = line.number, .at = now()};
  record.number = line.lost_some ? 1 : 0;
  record.bytes = view_of(line.ends);
  line.announced = ring_.put(record);
  return line.announced;
}

void Tap::bytes(Line& line, Side from, base::ByteView bytes) {
  counts_.bytes[index_of(from)].fetch_add(bytes.size(), std::memory_order_relaxed);
  std::uint64_t& passed = line.passed[index_of(from)];
  const std::uint64_t seen = line.passed[1 - index_of(from)];
  do {
    const auto part = bytes.first(std::min(bytes.size(), RecordRing::most_bytes));
    bytes = bytes.subspan(part.size());
    passed += part.size();
    const Record record{Record::Kind::bytes, from, line.number, now(), seen, part};
    if (!announce(line) || !tell_missed(line) || !ring_.put(record)) miss(line, from, part.size());
  } while (!bytes.empty());
}

void Tap::miss(Line& line, Side side, std::size_t length) {
  if (!line.lost_some) counts_.missed_connections.fetch_add(1, std::memory_order_relaxed);
  line.lost_some = true;
  line.missed[index_of(side)] += length;
  counts_.missed_bytes.fetch_add(length, std::memory_order_relaxed);
}

/// A gap is told before whatever follows it. An empty datagram is one as well: its gap has no
/// bytes.
bool Tap::tell_missed(Line& line) {
  if (!line.lost_some || !line.announced) return line.announced;
  for (const Side side : {Side::client, Side::server}) {
    std::uint64_t& missed = line.missed[index_of(side)];
    if (missed == 0) continue;
    if (!ring_.put({Record::Kind::missed, side, line.number, now(), missed, {}})) return false;
    missed = 0;
  }
  return true;
}

/// Records that find no room are not repeated later: after a gap, nothing is concluded from the end
/// of a connection.
void Tap::tell(Line& line, Record::Kind kind, Side side) {
  if (!announce(line)) return;
  if (tell_missed(line) && ring_.put({kind, side, line.number, now(), 0, {}})) return;
  miss(line, side, 0);
}

void Tap::close(Line& line) {
  --counts_.open;
  if (line.announced) closing_.push_back(line);
  settle();
}

bool Tap::settle() {
  while (!closing_.empty()) {
    Line& line = closing_.back();
    if (!tell_missed(line)) return false;
    if (!ring_.put({Record::Kind::closed, Side::client, line.number, now(), 0, {}})) return false;
    closing_.pop_back();
  }
  return true;
}

}  // namespace hallmark::observe
