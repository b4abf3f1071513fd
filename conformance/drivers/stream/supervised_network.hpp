#pragma once

#include "conformance/drivers/stream/socket_network.hpp"
#include "conformance/supervisor/process_supervisor.hpp"

namespace hallmark::conformance {

/// Connections over TCP to a target that is supervised: to the process that serves when they are
/// made.
class SupervisedNetwork : public Network {
 public:
  /// Starts the command and waits until it listens. Errors: one line.
  static base::Expected<std::unique_ptr<SupervisedNetwork>, std::string> start(
      const base::ExecEndpoint& target, Time deadline);

  LinkResult connect(Time until) override;
  Time now() const override;
  void wait_until(Time until) override;
  Supervisor* supervisor() override { return supervisor_.get(); }

 private:
  explicit SupervisedNetwork(std::unique_ptr<ProcessSupervisor> supervisor)
      : supervisor_(std::move(supervisor)) {}

  std::unique_ptr<ProcessSupervisor> supervisor_;
};

}  // namespace hallmark::conformance
