#pragma once

#include <netinet/in.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <thread>

#include "base/descriptor.hpp"
#include "base/waker.hpp"
#include "clients/serve/host.hpp"
#include "clients/serve/recorder.hpp"
#include "protocol/rules/ratelimit_rules.hpp"
#include "reference/server/server_clock.hpp"
#include "reference/session/datagram_session.hpp"

namespace hallmark::clients {

/// A rate limiter under some readings, with the rules of the document's examples.
class DatagramService {
 public:
  /// `format` outlives it.
  explicit DatagramService(const Format& format);

  /// Empty: silence.
  base::Bytes answer(base::ByteView datagram, model::Time now);

 private:
  const protocol::ratelimit::Rules& rules_;
  model::RateLimiter limiter_;
  server::DatagramSession session_;
};

/// The socket of a dialect of datagrams.
class DatagramHost final : public Host {
 public:
  explicit DatagramHost(HostOptions options);
  ~DatagramHost() override;

  /// Error: one line that says why there is no port.
  base::Result<void> start();
  std::uint16_t port() const override { return port_; }
  Observed stop() override;

 private:
  using Clock = std::chrono::steady_clock;

  struct Due {
    Step step;
    Recorder::Mark mark = Recorder::unmarked;
    base::Bytes request{};  ///< answered once this has been sent
  };

  /// Somebody who has sent a datagram.
  struct Peer {
    sockaddr_in address{};
    std::uint64_t number = 0;
    std::uint64_t messages = 0;
    std::deque<Due> steps{};
    Clock::time_point not_before{};
    std::optional<Due> held{};  ///< leaves behind the next one
    Clock::time_point held_until{};
  };

  void run();
  bool serve(bool waits);
  std::optional<std::chrono::nanoseconds> time_left() const;
  bool receive();
  Peer& peer_at(const sockaddr_in& address);
  void on_datagram(Peer& peer, base::ByteView datagram);
  void perform(Peer& peer);
  void send_to(const Peer& peer, const Due& due);

  HostOptions options_;
  server::ServerClock clock_{};
  Recorder recorder_;
  DatagramService service_;
  std::optional<DatagramService> undisturbed_;  ///< only if messages are compared
  base::Descriptor socket_;
  std::uint16_t port_ = 0;
  base::Waker stop_;
  std::map<std::uint64_t, Peer> peers_;  ///< by address and port
  std::atomic<bool> is_stopping_{false};
  std::thread thread_;
};

}  // namespace hallmark::clients
