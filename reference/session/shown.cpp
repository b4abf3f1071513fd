#include "reference/session/shown.hpp"

namespace hallmark::server {

Shown::Shown(const protocol::Readings& readings)
    : raw_ip(readings.reads({"ip-field", "raw"})),
      connection_by_index(readings.reads({"connection-id", "index"})),
      whoami_by_index(readings.reads({"whoami", "index"})),
      first_index(readings.reads({"connection-index", "from-1"}) ? 1 : 0),
      first_fragment(readings.reads({"fragments", "from-0"}) ? ~std::uint64_t{0} : 0) {}

}  // namespace hallmark::server
