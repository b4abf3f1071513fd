#pragma once

#include <atomic>

#include "conformance/drivers/datagram/datagram_network.hpp"
#include "conformance/supervisor/process_supervisor.hpp"

namespace hallmark::conformance {

/// Sockets to a target over UDP that is supervised: to the process that runs when they are opened.
class SupervisedDatagrams : public DatagramNetwork {
 public:
  /// Starts the command; whether it serves, pings show. Errors: one line.
  static base::Expected<std::unique_ptr<SupervisedDatagrams>, std::string> start(
      const base::ExecEndpoint& target, Time deadline);

  DatagramLinkResult open() override;
  Time now() const override;
  void wait_until(Time until) override;
  Supervisor* supervisor() override { return supervisor_.get(); }

 private:
  SupervisedDatagrams() = default;

  /// The processes of this target answer datagrams once they serve.
  std::atomic<bool> answers_{false};
  std::unique_ptr<ProcessSupervisor> supervisor_;
};

}  // namespace hallmark::conformance
