#pragma once

#include <memory>
#include <thread>

#include "observe/observer.hpp"
#include "observe/relay.hpp"

namespace hallmark::observe {

struct SessionOptions {
  Endpoint listen{};
  Endpoint target{};
  std::size_t queue_bytes = std::size_t{16} << 20;  ///< between relay and decoding
  std::size_t most_clients = 4096;                  ///< of datagrams; each has a socket
  ObserverOptions observer{};
};

/// A relay and the decoding of what it passes on, a thread each.
class Session {
 public:
  /// `format` has to outlive the session.
  explicit Session(const captures::Format& format) : format_(format) {}
  ~Session() { stop(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Listens. Is called once. Error: one line that names the endpoint and the reason; nothing was
  /// started.
  base::Result<void> listen(const SessionOptions& options);
  /// A connection to a target of streams is made, as a trial. Error: one line; nobody listens
  /// there.
  base::Result<void> reach_target();
  /// Begins to relay. Precondition: both succeeded.
  void start();

  /// The endpoint where it listens, with the port that the system chose.
  const std::string& listens_on() const { return name_; }
  const RelayCounts& relayed() const { return relay_counts_; }
  const ObserverCounts& observed() const { return observer_->counts(); }

  /// Closes all connections, decodes what is still in the queue, and joins the threads.
  void stop();
  /// Returns what was seen; the caller adds what was asked for. Precondition: stopped.
  Observation observation() const;

 private:
  void decode();
  bool decode_some();

  const captures::Format& format_;
  SessionOptions options_;
  RelayCounts relay_counts_;
  Listener listener_;
  SocketAddress target_;
  std::string name_;
  std::unique_ptr<RecordRing> ring_;
  std::unique_ptr<Tap> tap_;
  std::unique_ptr<Relay> relay_;
  std::unique_ptr<Observer> observer_;
  std::atomic<bool> relayed_all_{false};
  std::uint64_t open_at_end_ = 0;
  std::thread relaying_, decoding_;
};

}  // namespace hallmark::observe
