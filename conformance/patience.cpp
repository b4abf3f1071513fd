#include "conformance/patience.hpp"

#include <algorithm>

namespace hallmark::conformance {

Time Patience::allowance() const {
  return std::max(floor(), std::min(deadline_, left_.load() / budget_deadlines));
}

void Patience::spend(Time waited) {
  Time left = left_.load();
  while (!left_.compare_exchange_weak(left, left - std::min(left, waited))) {
  }
}

void Patience::curtail() {
  const Time left = left_.load();
  if (left > deadline_) spend(left - deadline_);
}

}  // namespace hallmark::conformance
