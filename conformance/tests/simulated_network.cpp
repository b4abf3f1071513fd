#include "conformance/tests/simulated_network.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hallmark::conformance::testing {

class SimulatedLink : public Link {
 public:
  SimulatedLink(SimulatedNetwork& network, FakeServer& server)
      : network_(network), server_(server), connection_(server.accept()) {
    network_.open_.push_back(connection_);
  }
  ~SimulatedLink() override {
    server_.leave(connection_);
    std::erase(network_.open_, connection_);
  }

  Dispatch send(base::ByteView bytes, Time until) override {
    step(OperationKind::send);
    const std::size_t at = network_.history_.size() - 1;
    network_.history_.back().bytes.assign(bytes.begin(), bytes.end());
    if (network_.stalled_) {
      network_.now_ = std::max(network_.now_, until);
      return Dispatch::timed_out;
    }
    if (ended_) return Dispatch::refused;
    waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
    hand_over(at);
    return Dispatch::sent;
  }

  std::size_t offer(base::ByteView bytes) override {
    return send(bytes, network_.now_) == Dispatch::sent ? bytes.size() : 0;
  }

  Arrival receive(base::Bytes& into, Time until) override {
    step(OperationKind::receive);
    hand_over(network_.history_.size() - 1);
    Operation& operation = network_.history_.back();
    base::Bytes& outbox = server_.outbox(connection_);
    const bool can_arrive = !ended_ && !network_.stalled_;
    const bool in_time = network_.now_ + network_.delay_ < until;
    if (can_arrive && !outbox.empty() && in_time) {
      network_.now_ += network_.delay_;
      const std::size_t count =
          network_.most_ == 0 ? outbox.size() : std::min(outbox.size(), network_.most_);
      const auto end = outbox.begin() + static_cast<std::ptrdiff_t>(count);
      into.insert(into.end(), outbox.begin(), end);
      operation.bytes.assign(outbox.begin(), end);
      operation.messages = std::exchange(network_.under_way_[connection_], {});
      outbox.erase(outbox.begin(), end);
      return Arrival::bytes;
    }
    if (ended_) return *ended_;
    if (!network_.stalled_ && (server_.closed(connection_) || finished_)) return Arrival::closed;
    network_.now_ = std::max(network_.now_, until);
    return Arrival::timed_out;
  }

  void finish_sending() override {
    step(OperationKind::finish);
    finished_ = true;
  }

  void reset() override {
    step(OperationKind::reset);
    server_.leave(connection_);
    ended_ = Arrival::reset;
  }

  /// The fault as it is felt by this connection.
  void apply(FaultKind fault) {
    switch (fault) {
      case FaultKind::close:
      case FaultKind::refuse: ended_ = Arrival::closed; break;
      case FaultKind::reset: ended_ = Arrival::reset; break;
      case FaultKind::stall: break;
      case FaultKind::garbage: {
        base::Bytes& outbox = server_.outbox(connection_);
        outbox.insert(outbox.end(), std::begin(garbage), std::end(garbage));
      }
    }
  }

 private:
  void step(OperationKind kind) {
    if (network_.step(kind, connection_)) apply(network_.fault_->kind);
  }

  /// Gives the server what was sent, unless this connection is not served yet.
  void hand_over(std::size_t cause) {
    if (waiting_.empty() || network_.waits_its_turn(connection_)) return;
    server_.receive(connection_, std::exchange(waiting_, {}), network_.now_);
    network_.note_written(cause);
  }

  SimulatedNetwork& network_;
  FakeServer& server_;
  FakeServer::Connection connection_;
  base::Bytes waiting_;  ///< sent, and the server has not heard of it
  std::optional<Arrival> ended_;
  bool finished_ = false;
};

bool SimulatedNetwork::step(OperationKind kind, FakeServer::Connection connection) {
  now_ += 1'000;
  const std::size_t operation = history_.size();
  history_.push_back({kind, connection});
  if (!fault_ || operation != fault_->at) return false;
  stalled_ = stalled_ || fault_->kind == FaultKind::stall;
  refusing_ = refusing_ || fault_->kind == FaultKind::refuse;
  return true;
}

bool SimulatedNetwork::waits_its_turn(FakeServer::Connection connection) const {
  return one_at_a_time_ && open_.front() != connection;
}

void SimulatedNetwork::note_written(std::size_t cause) {
  for (FakeServer::Written& written : server_->take_written())
    under_way_[written.to].push_back({std::move(written.operation), written.size, cause});
}

LinkResult SimulatedNetwork::connect(Time until) {
  const bool faulty = step(OperationKind::connect, server_->next());
  if (stalled_) {
    now_ = std::max(now_, until);
    return std::string("no answer in time");
  }
  if (refusing_) return std::string("Connection refused");
  auto link = std::make_unique<SimulatedLink>(*this, *server_);
  if (faulty) link->apply(fault_->kind);
  return std::unique_ptr<Link>(std::move(link));
}

}  // namespace hallmark::conformance::testing
