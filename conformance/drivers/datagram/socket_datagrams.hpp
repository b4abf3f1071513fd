#pragma once

#include <sys/socket.h>

#include "conformance/drivers/datagram/datagram_network.hpp"
#include "conformance/engine/target.hpp"

namespace hallmark::conformance {

/// Real sockets and the machine's monotonic clock.
class SocketDatagrams : public DatagramNetwork {
 public:
  /// Looks a host name up. Errors: one line.
  static base::Expected<std::unique_ptr<SocketDatagrams>, std::string> to(
      const base::UdpEndpoint& target);

  DatagramLinkResult open() override;
  Time now() const override;
  void wait_until(Time until) override;

 private:
  explicit SocketDatagrams(std::string name) : name_(std::move(name)) {}

  std::string name_;
  sockaddr_storage address_{};
  socklen_t address_size_ = 0;
};

}  // namespace hallmark::conformance
