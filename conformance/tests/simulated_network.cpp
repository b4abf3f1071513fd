#include "conformance/tests/simulated_network.hpp"

#include <algorithm>

namespace hallmark::conformance::testing {

class SimulatedLink : public Link {
 public:
  SimulatedLink(SimulatedNetwork& network, FakeServer& server)
      : network_(network), server_(server), connection_(server.accept()) {}
  ~SimulatedLink() override { server_.leave(connection_); }

  Dispatch send(protocol::ByteView bytes, Time until) override {
    apply_fault();
    if (network_.stalled_) {
      network_.now_ = std::max(network_.now_, until);
      return Dispatch::timed_out;
    }
    if (ended_) return Dispatch::refused;
    server_.receive(connection_, bytes, network_.now_);
    return Dispatch::sent;
  }

  std::size_t offer(protocol::ByteView bytes) override {
    return send(bytes, network_.now_) == Dispatch::sent ? bytes.size() : 0;
  }

  Arrival receive(protocol::Bytes& into, Time until) override {
    apply_fault();
    protocol::Bytes& outbox = server_.outbox(connection_);
    const bool can_arrive = !ended_ && !network_.stalled_;
    const bool in_time = network_.now_ + network_.delay_ < until;
    if (can_arrive && !outbox.empty() && in_time) {
      network_.now_ += network_.delay_;
      const std::size_t count =
          network_.most_ == 0 ? outbox.size() : std::min(outbox.size(), network_.most_);
      const auto end = outbox.begin() + static_cast<std::ptrdiff_t>(count);
      into.insert(into.end(), outbox.begin(), end);
      outbox.erase(outbox.begin(), end);
      return Arrival::bytes;
    }
    if (ended_) return *ended_;
    if (!network_.stalled_ && (server_.closed(connection_) || finished_)) return Arrival::closed;
    network_.now_ = std::max(network_.now_, until);
    return Arrival::timed_out;
  }

  void finish_sending() override {
    apply_fault();
    finished_ = true;
  }

  void reset() override {
    apply_fault();
    server_.leave(connection_);
    ended_ = Arrival::reset;
  }

 private:
  void apply_fault() {
    if (!network_.step()) return;
    switch (network_.fault_->kind) {
      case FaultKind::close: ended_ = Arrival::closed; break;
      case FaultKind::reset: ended_ = Arrival::reset; break;
      case FaultKind::stall: network_.stalled_ = true; break;
      case FaultKind::garbage:
        server_.outbox(connection_)
            .insert(server_.outbox(connection_).end(), {0xee, 0xff, 0x00, 0x07});
        break;
      case FaultKind::refuse:
        network_.refusing_ = true;
        ended_ = Arrival::closed;
        break;
    }
  }

  SimulatedNetwork& network_;
  FakeServer& server_;
  FakeServer::Connection connection_;
  std::optional<Arrival> ended_;
  bool finished_ = false;
};

bool SimulatedNetwork::step() {
  now_ += 1'000;
  const std::size_t operation = operations_++;
  return fault_ && operation == fault_->at;
}

LinkResult SimulatedNetwork::connect(Time until) {
  if (step() && fault_->kind == FaultKind::stall) stalled_ = true;
  if (fault_ && fault_->kind == FaultKind::refuse && operations_ == fault_->at + 1)
    refusing_ = true;
  if (stalled_) {
    now_ = std::max(now_, until);
    return std::string("no answer in time");
  }
  if (refusing_) return std::string("Connection refused");
  return std::unique_ptr<Link>(std::make_unique<SimulatedLink>(*this, *server_));
}

}  // namespace hallmark::conformance::testing
