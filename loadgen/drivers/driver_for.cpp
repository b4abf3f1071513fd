#include "loadgen/drivers/driver_for.hpp"

#include <fmt/format.h>

#include "loadgen/drivers/datagram/run_driver.hpp"
#include "loadgen/drivers/store/run_driver.hpp"
#include "loadgen/drivers/stream/run_driver.hpp"

namespace hallmark::loadgen {

base::Result<std::unique_ptr<RunDriver>> driver_for(const LoadOptions& options) {
  if (options.store) return store::run_driver(options);
  if (of_datagrams(options.target)) return datagram::run_driver(options);
  const protocol::Dialect& dialect = options.workload.readings.dialect();
  if (dialect.transport == protocol::Transport::datagram) {
    return base::Error{fmt::format("target '{}': dialect '{}' is spoken over udp://HOST:PORT",
                                   options.target_text, dialect.name)};
  }
  return stream_run_driver(options);
}

}  // namespace hallmark::loadgen
