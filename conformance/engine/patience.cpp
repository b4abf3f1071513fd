#include "conformance/engine/patience.hpp"

#include <algorithm>

namespace hallmark::conformance {

Time Patience::allowance(For what) const {
  const Time all = left(what).load();
  return std::max(floor(what), all > deadline_ ? deadline_ : all / 2);
}

void Patience::spend(Time waited, For what) {
  Time before = left(what).load();
  while (!left(what).compare_exchange_weak(before, before - std::min(before, waited))) {
  }
}

void Patience::connected_in(Time took) {
  took = std::max(took, Time{1});
  Time before = round_trip_.load();
  while ((before == 0 || took < before) && !round_trip_.compare_exchange_weak(before, took)) {
  }
}

void Patience::curtail() {
  for (const For what : all) {
    const Time before = left(what).load();
    if (before > deadline_) spend(before - deadline_, what);
  }
}

}  // namespace hallmark::conformance
