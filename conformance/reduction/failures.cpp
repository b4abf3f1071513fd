#include "conformance/reduction/failures.hpp"

namespace hallmark::conformance {

void Failures::add(Failure failure) {
  const std::lock_guard lock(mutex_);
  if (failures_.size() < most) failures_.push_back(std::move(failure));
}

}  // namespace hallmark::conformance
