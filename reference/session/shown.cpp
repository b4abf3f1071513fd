#include "reference/session/shown.hpp"

namespace hallmark::server {

Shown::Shown(const protocol::Readings& readings)
    : raw_ip(readings.answer("ip-field") == "raw"),
      connection_by_index(readings.answer("connection-id") == "index"),
      whoami_by_index(readings.answer("whoami") == "index"),
      first_index(readings.answer("connection-index") == "from-1" ? 1 : 0),
      first_fragment(readings.answer("fragments") == "from-0" ? ~std::uint64_t{0} : 0) {}

}  // namespace hallmark::server
