#include "conformance/identify/tests/test_network.hpp"

#include <algorithm>

namespace hallmark::conformance::testing {

class TestLink : public Link {
 public:
  TestLink(TestNetwork& network, Responder::Connection connection)
      : network_(network), connection_(connection) {
    const std::scoped_lock lock(network_.mutex_);
    network_.target_.connected(connection_);
  }
  ~TestLink() override {
    const std::scoped_lock lock(network_.mutex_);
    network_.target_.left(connection_);
  }

  Dispatch send(base::ByteView bytes, Time) override {
    const std::scoped_lock lock(network_.mutex_);
    ++network_.now_;
    if (network_.target_.closed(connection_)) return Dispatch::refused;
    network_.target_.receive(connection_, bytes, network_.now_);
    return Dispatch::sent;
  }

  std::size_t offer(base::ByteView bytes) override {
    return send(bytes, 0) == Dispatch::sent ? bytes.size() : 0;
  }

  Arrival receive(base::Bytes& into, Time until) override {
    const std::scoped_lock lock(network_.mutex_);
    network_.now_ += 1'000;
    base::Bytes& waiting = network_.target_.outbox(connection_);
    if (!waiting.empty()) {
      const std::size_t most = network_.most_ == 0 ? waiting.size() : network_.most_;
      const auto end =
          waiting.begin() + static_cast<std::ptrdiff_t>(std::min(most, waiting.size()));
      into.insert(into.end(), waiting.begin(), end);
      waiting.erase(waiting.begin(), end);
      return Arrival::bytes;
    }
    if (network_.target_.closed(connection_) || finished_) return Arrival::closed;
    network_.now_ = std::max(network_.now_, until);
    return Arrival::timed_out;
  }

  void finish_sending() override { finished_ = true; }
  void reset() override { finished_ = true; }

 private:
  TestNetwork& network_;
  Responder::Connection connection_;
  bool finished_ = false;
};

LinkResult TestNetwork::connect(Time) {
  if (refused_) return std::string("cannot connect: refused");
  const auto next = [this] {
    const std::scoped_lock lock(mutex_);
    return static_cast<Responder::Connection>(++connections_);
  };
  return LinkResult(std::make_unique<TestLink>(*this, next()));
}

}  // namespace hallmark::conformance::testing
