#pragma once

#include "conformance/drivers/adapter/adapter_host.hpp"

namespace hallmark::conformance {

/// Starts a command and talks to it over pipes.
class PipeHost : public AdapterHost {
 public:
  /// Of what an adapter writes to its standard error, so many bytes at the end are kept.
  static constexpr std::size_t most_last_words = 4096;

  /// From then on, writing to a pipe that nobody reads is an error and no signal.
  explicit PipeHost(std::string command);
  AdapterStart start() override;
  Time now() const override;

 private:
  std::string command_;
};

}  // namespace hallmark::conformance
