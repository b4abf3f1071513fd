#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <vector>

#include "observe/record_ring.hpp"

namespace hallmark::observe {

/// Counts that the relay writes and others read while it runs.
struct RelayCounts {
  std::atomic<std::uint64_t> opened{0};       ///< connections, or clients that sent datagrams
  std::atomic<std::uint64_t> open{0};         ///< of them, those that are open now
  std::atomic<std::uint64_t> unreachable{0};  ///< clients that were refused as the target refused
  std::atomic<std::uint64_t> evicted{0};      ///< clients forgotten to make room for others
  std::array<std::atomic<std::uint64_t>, 2> bytes{};  ///< that passed, by the side they came from
  std::array<std::atomic<std::uint64_t>, 2> not_sent{};  ///< datagrams that the system did not take
  std::atomic<std::uint64_t> missed_bytes{0};            ///< passed, and not looked at
  std::atomic<std::uint64_t> missed_connections{0};      ///< of which some bytes were not looked at
};

/// A connection as the relay knows it towards the decoding thread.
struct Line {
  std::uint64_t number = 0;
  Ends ends{};
  bool announced = false;
  std::array<std::uint64_t, 2> missed{};  ///< not looked at, and not told yet
  bool lost_some = false;
  std::array<std::uint64_t, 2> passed{};  ///< bytes sent on, by the side they came from
};

/// The relay's end of the queue: whatever has no room is counted, and the relay goes on.
class Tap {
 public:
  using Clock = std::chrono::steady_clock;

  Tap(RecordRing& ring, RelayCounts& counts) : ring_(ring), counts_(counts) {}

  void open(Line& line, const Ends& ends);
  /// `bytes` were passed on; longer ones become several records, so datagrams have to fit one.
  void bytes(Line& line, Side from, base::ByteView bytes);
  void finish(Line& line, Side side) { tell(line, Record::Kind::finished, side); }
  void reset(Line& line, Side side) { tell(line, Record::Kind::reset, side); }
  /// The line is not used any more.
  void close(Line& line);
  /// Tells what had no room before. Returns false while something is still to be told.
  bool settle();

  /// Since the tap was made.
  Time now() const { return Clock::now() - began_; }

 private:
  bool announce(Line& line);
  void tell(Line& line, Record::Kind kind, Side side);
  void miss(Line& line, Side side, std::size_t length);
  bool tell_missed(Line& line);

  RecordRing& ring_;
  RelayCounts& counts_;
  Clock::time_point began_ = Clock::now();
  std::uint64_t count_ = 0;
  std::vector<Line> closing_;  ///< closed, and not told yet; at most those that were announced
};

}  // namespace hallmark::observe
