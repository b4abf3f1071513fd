#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/error.hpp"

namespace hallmark::cli {

/// Serves a text at http://HOST:PORT/metrics, in a thread of its own, until it goes away. A client
/// has some seconds for a request, and keeps no other one waiting.
class MetricsServer {
 public:
  /// `address`: HOST:PORT; port 0 lets the system choose. `text` is called in the server's thread.
  /// Errors, one line: not an address, or one at which nobody may listen.
  static base::Result<std::unique_ptr<MetricsServer>> listen(const std::string& address,
                                                             std::function<std::string()> text);
  ~MetricsServer();

  std::uint16_t port() const;

 private:
  class Listener;
  explicit MetricsServer(std::unique_ptr<Listener> listener);

  std::unique_ptr<Listener> listener_;
};

}  // namespace hallmark::cli
