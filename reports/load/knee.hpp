#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/load/load_result.hpp"
#include "reports/terminal.hpp"

namespace hallmark::reports {

/// One run at a rate, of a search for the highest that holds.
struct KneePoint {
  std::string sweep;                    ///< "bracket", "up", "down", "confirm"
  double rate = 0;                      ///< asked for, requests per second
  double achieved = 0;                  ///< requests per second
  Met met = Met::unknown;               ///< the objectives; unknown: the client could not say
  Quantile p50 = 0, p99 = 0, p999 = 0;  ///< from the planned send
  double busy = 0;                      ///< of the client's busiest thread, a share
  std::string reason;                   ///< one line: why not, or why unknown; else empty
  bool operator==(const KneePoint&) const = default;
};

/// The highest rate at which objectives hold.
struct Knee {
  std::string target;
  std::string objectives;
  double rate = 0;              ///< requests per second; 0: none was found that holds
  double low = 0, high = 0;     ///< interval of 95 % of the capacity
  std::vector<double> up;       ///< as sweeps from below found it …
  std::vector<double> down;     ///< … and as sweeps from above did
  double confirmed = 0;         ///< at which a longer run held; 0: none did, or none was made
  bool client_limited = false;  ///< beyond it the client could not say
  bool interrupted = false;
  std::vector<KneePoint> points;  ///< in the order of the runs
  bool operator==(const Knee&) const = default;
};

/// 0 where there is one, 1 where not even the lowest rate holds, 4 where only the client's limit
/// was found, a longer run confirmed no rate, or the search was interrupted.
ExitCode exit_code(const Knee& knee);

std::string render_terminal(const Knee& knee, const TerminalStyle& style);

}  // namespace hallmark::reports
