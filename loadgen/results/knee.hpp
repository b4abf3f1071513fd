#pragma once
#include <functional>
#include <string>

#include "reports/knee.hpp"

namespace hallmark::loadgen {

/// How a search goes.
struct KneeSearch {
  double from = 1'000;  ///< requests per second: the lowest rate that is tried
  double most = 1e7;    ///< … and the highest
  double step = 0.05;   ///< between neighbouring rates of a sweep, a share of the rate
  unsigned sweeps = 3;  ///< up and down, each
};

/// A run at that rate: everything but `sweep` and `rate` of its point.
using Probe = std::function<reports::KneePoint(double rate)>;

/// Finds the highest rate at which a probe meets its objectives. Rates are doubled until one does
/// not; between the last two, halves are taken down to a step. Then the neighbourhood is swept from
/// below and from above in turns: a server that has fallen behind may need more room to recover
/// than to keep up. What a sweep finds is the rate below the first that fails, or the first that
/// holds; the interval is that of Student's t over the logarithms of what they found, and half a
/// step. A point of which the client could not say ends the way up, like one that fails. `goes_on`:
/// false to stop early with what is known.
reports::Knee find_knee(const KneeSearch& search, const Probe& probe,
                        const std::function<bool()>& goes_on);

}  // namespace hallmark::loadgen
