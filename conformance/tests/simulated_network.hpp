#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "conformance/tests/fake_server.hpp"

namespace hallmark::conformance::testing {

/// What goes wrong on a connection at one of its operations.
enum class FaultKind : std::uint8_t {
  close,    ///< the connection ends
  reset,    ///< the connection is reset
  stall,    ///< nothing moves any more on any connection
  garbage,  ///< bytes arrive that nobody asked for
  refuse,   ///< no further connection is accepted, and this one ends
};

inline constexpr FaultKind all_faults[] = {FaultKind::close, FaultKind::reset, FaultKind::stall,
                                           FaultKind::garbage, FaultKind::refuse};

struct Fault {
  FaultKind kind;
  std::size_t at;  ///< the operation (connect, send, receive, finish) on any connection, from 0
};

/// A network of one target, in simulated time: every operation takes a microsecond, a wait that
/// ends for want of bytes takes as long as it may.
class SimulatedNetwork : public Network {
 public:
  explicit SimulatedNetwork(FakeServer& server) : server_(&server) {}

  LinkResult connect(Time until) override;
  Time now() const override { return now_; }
  void wait_until(Time until) override { now_ = std::max(now_, until); }

  void inject(Fault fault) { fault_ = fault; }
  std::size_t operations() const { return operations_; }
  /// At most so many bytes arrive at a time; 0: as many as there are.
  void deliver_at_most(std::size_t bytes) { most_ = bytes; }
  /// What arrives takes so long.
  void delay_arrivals(Time delay) { delay_ = delay; }

 private:
  friend class SimulatedLink;
  /// Counts the operation; whether the fault happens now.
  bool step();

  FakeServer* server_;
  Time now_ = 1'000'000'000;
  std::optional<Fault> fault_;
  std::size_t operations_ = 0;
  std::size_t most_ = 0;
  Time delay_ = 0;
  bool stalled_ = false;
  bool refusing_ = false;
};

}  // namespace hallmark::conformance::testing
