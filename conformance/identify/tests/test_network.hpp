#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "conformance/drivers/stream/network.hpp"

namespace hallmark::conformance::testing {

/// A target's reaction to bytes, in simulated time.
class Responder {
 public:
  using Connection = int;

  virtual ~Responder() = default;

  virtual void connected(Connection) {}
  virtual void receive(Connection connection, base::ByteView segment, Time now) = 0;
  virtual void left(Connection) {}

  base::Bytes& outbox(Connection connection) { return outboxes_[connection]; }
  bool closed(Connection connection) const { return closed_.contains(connection); }

 protected:
  void send(Connection connection, base::ByteView bytes) {
    auto& to = outboxes_[connection];
    to.insert(to.end(), bytes.begin(), bytes.end());
  }
  void close(Connection connection) { closed_[connection] = true; }

 private:
  std::map<Connection, base::Bytes> outboxes_;
  std::map<Connection, bool> closed_;
};

/// A responder that is one function: what it answers to a segment, and whether it closes then.
class Stranger : public Responder {
 public:
  struct Answer {
    base::Bytes bytes;
    bool closes = false;
  };
  using Manner = std::function<Answer(base::ByteView segment)>;

  explicit Stranger(Manner manner, std::string_view greeting = {})
      : manner_(std::move(manner)), greeting_(greeting) {}

  void connected(Connection connection) override { send(connection, base::as_bytes(greeting_)); }
  void receive(Connection connection, base::ByteView segment, Time) override {
    const Answer answer = manner_(segment);
    send(connection, answer.bytes);
    if (answer.closes) close(connection);
  }

 private:
  Manner manner_;
  std::string greeting_;
};

/// A network of one target: every operation takes a microsecond, a wait that ends for want of bytes
/// takes as long as it may. Several threads may use its links, one operation at a time.
class TestNetwork : public Network {
 public:
  explicit TestNetwork(Responder& target) : target_(target) {}

  LinkResult connect(Time until) override;
  Time now() const override {
    const std::scoped_lock lock(mutex_);
    return now_;
  }
  void wait_until(Time until) override {
    const std::scoped_lock lock(mutex_);
    now_ = std::max(now_, until);
  }

  /// Nobody listens.
  void refuse() { refused_ = true; }
  /// The number of bytes that arrive at a time; 0: all that there are.
  void deliver_at_most(std::size_t bytes) { most_ = bytes; }
  std::size_t connections() const { return connections_; }

 private:
  friend class TestLink;
  mutable std::mutex mutex_;  ///< guards all below, and what the target does
  Responder& target_;
  Time now_ = 1'000'000'000;
  bool refused_ = false;
  std::size_t most_ = 0;
  std::size_t connections_ = 0;
};

}  // namespace hallmark::conformance::testing
