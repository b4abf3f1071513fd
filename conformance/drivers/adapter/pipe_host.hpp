#pragma once

#include "conformance/drivers/adapter/adapter_host.hpp"

namespace hallmark::conformance {

/// Starts a command and talks to it over pipes.
class PipeHost : public AdapterHost {
 public:
  /// The number of bytes kept from the end of an adapter's standard error.
  static constexpr std::size_t most_last_words = 4096;

  /// Writing to a pipe that nobody reads is an error from then on, instead of a signal.
  explicit PipeHost(std::string command);
  AdapterStart start() override;
  Time now() const override;

 private:
  std::string command_;
};

}  // namespace hallmark::conformance
