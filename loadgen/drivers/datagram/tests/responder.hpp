#pragma once
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"
#include "loadgen/engine/poller.hpp"
#include "protocol/dialects.hpp"
#include "protocol/readings.hpp"

namespace hallmark::loadgen::datagram {

/// The protocol as deployed servers read it.
inline const protocol::Readings deployed{protocol::ratelimit_udp, protocol::Profile::deployed};

/// A request as a responder read it.
struct Asked {
  std::string id = {};
  std::string operation = {};
  std::string key = {};
  std::uint64_t nth = 0;  ///< of that operation, from 0
};

/// A datagram to be sent in answer, and how long after.
struct Reply {
  std::string bytes;
  std::chrono::milliseconds after{};
};

using Behaviour = std::function<std::vector<Reply>(const Asked&)>;

/// The reply of a good server. The limit of every key is 22 in 20 s and is never reached.
std::string good_reply(const Asked& asked);
/// … once, and at once.
std::vector<Reply> usual(const Asked& asked);

/// A target as small as can be, that answers what a test tells it to. On a thread of its own, at a
/// port of the system's choice.
class Responder {
 public:
  explicit Responder(Behaviour behaviour);
  ~Responder();
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;

  const std::string& target() const { return target_; }
  /// Requests of that operation so far.
  std::uint64_t received(const std::string& operation) const;

 private:
  void serve();
  void take();
  void send_due();
  int wait_ms() const;

  using Clock = std::chrono::steady_clock;
  struct Due {
    std::string bytes;
    sockaddr_storage to;
    socklen_t size;
  };

  Behaviour behaviour_;
  base::Descriptor socket_;
  std::string target_;
  std::multimap<Clock::time_point, Due> due_;
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> received_;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace hallmark::loadgen::datagram
