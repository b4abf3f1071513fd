#include "conformance/engine/patience.hpp"

#include <algorithm>

namespace hallmark::conformance {

Time Patience::allowance(For what) const {
  return std::max(floor(what), share_of(left(what).load()));
}

void Patience::spend(Time waited, For what) {
  const auto cost = [&](Time rest) {
    return std::min({rest, waited, std::max(nearby_floor(what), share_of(rest))});
  };
  Time before = left(what).load();
  while (!left(what).compare_exchange_weak(before, before - cost(before))) {
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
    Time before = left(what).load();
    while (before > deadline_ && !left(what).compare_exchange_weak(before, deadline_)) {
    }
  }
}

}  // namespace hallmark::conformance
