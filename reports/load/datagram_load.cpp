#include "reports/load/datagram_load.hpp"

#include <fmt/format.h>

namespace hallmark::reports {

std::string imbalance(const DatagramCounts& c) {
  const auto planned = c.shed + c.not_sent + c.sent;
  if (c.planned != planned) {
    return fmt::format("{} planned, but {} shed, not sent or sent", c.planned, planned);
  }
  const auto ended = c.received + c.malformed + c.late + c.lost;
  if (c.sent != ended) {
    return fmt::format("{} sent, but {} received, malformed, late or lost", c.sent, ended);
  }
  const auto came = c.received + c.malformed + c.late + c.duplicate + c.unmatched + c.unreadable;
  if (c.datagrams != came) {
    return fmt::format("{} datagrams came, but {} were told apart", c.datagrams, came);
  }
  return {};
}

bool proven_wrong(const DatagramLoad& load) {
  const bool limits =
      load.limits && (load.limits->over_admissions != 0 || load.limits->under_admissions != 0 ||
                      load.limits->wrong_rates != 0 || load.limits->wrong_limits != 0);
  return limits || (load.server && load.server->disagreeing != 0);
}

}  // namespace hallmark::reports
