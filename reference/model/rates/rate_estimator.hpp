#pragma once
#include <cmath>
#include <cstdint>

#include "reference/model/time.hpp"

namespace hallmark::model {

/// The record of a key's uses: an exponentially weighted rate, and the time of that rate.
struct StoredRate {
  double rate = 0;  ///< uses per period; 0 for the first use
  Time at = 0;
};

/// The rate of a use at `now`, in uses per period, where `stored` is what an earlier use left. With
/// i seconds since then, p seconds in a period and a = exp(-i/p), it is (1-a)/(i/p) + a*rate; a use
/// that is no later than the stored one counts as 1e-9 s later.
inline double rate_of_use(const StoredRate& stored, Time now, std::uint32_t period_seconds) {
  constexpr double nanoseconds_in_a_second = 1e9;
  const Time passed = now > stored.at ? now - stored.at : 1;
  const double periods =
      static_cast<double>(passed) / (nanoseconds_in_a_second * static_cast<double>(period_seconds));
  // Uses in a burst are so close that 1 - exp(-x) would have few right digits left.
  const double gone = -std::expm1(-periods);
  return gone / periods + (1 - gone) * stored.rate;
}

}  // namespace hallmark::model
