#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "proxy/counts.hpp"
#include "proxy/endpoint.hpp"
#include "proxy/faults.hpp"
#include "proxy/relay.hpp"

namespace hallmark::proxy {

struct ProxyOptions {
  Endpoint listen{};
  Endpoint target{};
  std::uint64_t seed = 1;
  FaultPlan requests{};
  FaultPlan replies{};
  HeldLimits held{};
  /// Beyond: the flow that has been idle the longest makes room. At least 1.
  std::size_t max_flows = 512;
  DecisionLog log{};  ///< called on the proxy's thread
};

struct Summary {
  Counts requests{};
  Counts replies{};
  std::uint64_t flows_opened = 0;
  std::uint64_t flows_evicted = 0;  ///< closed to make room for others
};

/// A proxy for datagrams that does to them what its plans say, on a thread of its own.
class Proxy {
 public:
  Proxy();
  ~Proxy();  ///< stops
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  /// Listens and forwards until `stop`. Called once. Nobody has to listen at the target yet.
  /// Error: one line that names the endpoint and the reason; then nothing was started.
  base::Result<void> start(const ProxyOptions& options);

  /// The endpoints where it listens, with the port that the system chose, and to which it forwards.
  /// Precondition: it was started.
  Udp::endpoint listens_on() const;
  Udp::endpoint forwards_to() const;

  /// Reads what has come until now, sends on what is due, closes everything and joins the thread.
  /// Datagrams that still wait are `held` in the summary. The second call returns the same.
  Summary stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hallmark::proxy
