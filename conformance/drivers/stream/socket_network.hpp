#pragma once

#include <sys/socket.h>

#include <vector>

#include "conformance/drivers/stream/network.hpp"
#include "conformance/engine/target.hpp"

namespace hallmark::conformance {

/// Real sockets and the machine's monotonic clock. Used by several threads.
class SocketNetwork : public Network {
 public:
  /// Looks a host name up. Errors: one line.
  static base::Expected<std::unique_ptr<SocketNetwork>, std::string> to(
      const base::TcpEndpoint& target);
  static base::Expected<std::unique_ptr<SocketNetwork>, std::string> to(
      const base::UnixEndpoint& target);

  LinkResult connect(Time until) override;
  Time now() const override;
  void wait_until(Time until) override;

 private:
  struct Address {
    sockaddr_storage storage{};
    socklen_t size = 0;
  };
  explicit SocketNetwork(std::string name) : name_(std::move(name)) {}
  LinkResult connect_to(const Address& address, Time until);

  std::string name_;
  std::vector<Address> addresses_;
};

}  // namespace hallmark::conformance
