#pragma once

#include <memory>

#include "base/error.hpp"
#include "clients/format.hpp"
#include "clients/perturb/disturbance.hpp"
#include "clients/serve/observed.hpp"

namespace hallmark::clients {

/// A reference server on a port of its own at the loopback address, with a disturbance between its
/// messages and the client. Serves on a thread of its own.
class Host {
 public:
  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  virtual ~Host() = default;

  /// The port that the system chose.
  virtual std::uint16_t port() const = 0;
  /// Ends the service and returns what it saw. Called once.
  virtual Observed stop() = 0;
};

struct HostOptions {
  Format served;    ///< the format that the server speaks
  Format expected;  ///< that of the client; differs if a reading is answered otherwise
  std::uint64_t seed = 0;
  /// Each message is compared with what a server would send that answers as the client expects.
  bool compares = false;
  bool keeps_traffic = false;  ///< in Observed::traffic
  /// Null: nothing is disturbed.
  std::unique_ptr<Disturbance> disturbance{};
};

inline constexpr const char* loopback = "127.0.0.1";

/// Starts a server of a stream dialect, or of datagrams. Error: one line.
base::Result<std::unique_ptr<Host>> start_host(HostOptions options);

}  // namespace hallmark::clients
