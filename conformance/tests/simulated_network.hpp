#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>

#include "conformance/tests/fake_server.hpp"

namespace hallmark::conformance::testing {

/// A fault on a connection, just before one of its operations; one at connecting is on the new
/// connection.
enum class FaultKind : std::uint8_t {
  close,    ///< the connection ends
  reset,    ///< the connection is reset
  stall,    ///< nothing moves any more on any connection
  garbage,  ///< bytes arrive that nobody asked for
  refuse,   ///< no further connection is accepted, and this one ends
};

inline constexpr FaultKind all_faults[] = {FaultKind::close, FaultKind::reset, FaultKind::stall,
                                           FaultKind::garbage, FaultKind::refuse};

/// The bytes of FaultKind::garbage.
inline constexpr std::uint8_t garbage[] = {0xee, 0xff, 0x00, 0x07};

enum class OperationKind : std::uint8_t { connect, send, receive, finish, reset };

struct Fault {
  FaultKind kind;
  std::size_t at;  ///< the operation on any connection, from 0
};

/// A message that one receive brought.
struct Arrived {
  std::string operation;  ///< that it replies to; empty: a push
  std::size_t size;
  std::size_t cause;  ///< the send that made the server write it, by its place in the history
};

/// One operation of a run.
struct Operation {
  OperationKind kind;
  FakeServer::Connection connection;
  base::Bytes bytes = {};  ///< sent or received
  std::vector<Arrived> messages =
      {};  ///< of `bytes` received, where they come as they were written
};

/// The operations from `begin` on, up to the next part, belong to the part of that name.
struct HistoryPart {
  std::string name;
  std::size_t begin;
};

/// A network of one target, in simulated time: every operation takes a microsecond, a wait that
/// ends for want of bytes takes as long as it may.
class SimulatedNetwork : public Network {
 public:
  explicit SimulatedNetwork(FakeServer& server) : server_(&server) {}

  LinkResult connect(Time until) override;
  Time now() const override { return now_; }
  void wait_until(Time until) override { now_ = std::max(now_, until); }
  /// Cases that are played at a time begin on threads of their own.
  void begin_part(std::string_view name) override {
    const std::lock_guard lock(parts_mutex_);
    parts_.push_back({std::string(name), history_.size()});
  }

  /// The target is a process that was started here.
  void start_as(Supervisor& process) { process_ = &process; }
  Supervisor* supervisor() override { return process_; }

  void inject(Fault fault) { fault_ = fault; }
  std::size_t operations() const { return history_.size(); }
  const std::vector<Operation>& history() const { return history_; }
  const std::vector<HistoryPart>& parts() const { return parts_; }
  /// At most so many bytes arrive at a time; 0: no limit.
  void deliver_at_most(std::size_t bytes) { most_ = bytes; }
  /// Bytes take so long to arrive.
  void delay_arrivals(Time delay) { delay_ = delay; }
  /// The server hears of a connection only when all that came before are gone.
  void serve_one_at_a_time() { one_at_a_time_ = true; }

 private:
  friend class SimulatedLink;
  /// Adds the operation to the history. Returns true if the fault happens now.
  bool step(OperationKind kind, FakeServer::Connection connection);
  bool waits_its_turn(FakeServer::Connection connection) const;
  /// Notes the messages that the send made the server write.
  void note_written(std::size_t cause);

  FakeServer* server_;
  Supervisor* process_ = nullptr;
  Time now_ = 1'000'000'000;
  std::optional<Fault> fault_;
  std::vector<Operation> history_;
  std::mutex parts_mutex_;
  std::vector<HistoryPart> parts_;
  std::map<FakeServer::Connection, std::vector<Arrived>> under_way_;
  std::size_t most_ = 0;
  Time delay_ = 0;
  bool one_at_a_time_ = false;
  std::vector<FakeServer::Connection> open_;  ///< in the order in which they came
  bool stalled_ = false;
  bool refusing_ = false;
};

}  // namespace hallmark::conformance::testing
